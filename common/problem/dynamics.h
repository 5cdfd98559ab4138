// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "csr_matrix.h"

namespace nonsmooth {

/// Scratch of an operator product. Whoever multiplies owns one, so that a constant problem can be
/// used by several threads and a second product allocates nothing.
struct OperatorWorkspace {
  std::vector<double> velocity;
  std::vector<double> impulse;
};

/// The linear part of one step's problem, docs/problem.md Eqs. (1)–(4):
///
///     M v⁺ = M v + h f + Jᵀ x,   w = J v⁺ + b₀ + C x   ⇒   w = A x + b,
///     A = J M⁻¹ Jᵀ + C,          b = J v_free + b₀,        v_free = v + M⁻¹ h f.
///
/// Four forms stand behind this interface: TwoBodyDynamics (packed rows on rigid bodies),
/// ArticulatedDynamics (rows on trees of joints and on rigid bodies), SparseDynamics (rows on any
/// variables, M with off-diagonal blocks) and MatrixDynamics (only A and b are known). Every form
/// is validated when it is made and never changes afterwards.
class Dynamics {
 public:
  virtual ~Dynamics() = default;
  Dynamics(const Dynamics&) = delete;
  Dynamics& operator=(const Dynamics&) = delete;

  /// Number of rows n.
  int rows() const { return static_cast<int>(bias_.size()); }

  /// Number of velocities; 0 if only A and b are known.
  virtual int velocity_size() const = 0;

  /// b, the constraint velocity of the free motion [m/s or rad/s].
  const std::vector<double>& bias() const { return bias_; }

  /// Diagonal of A, compliance included [1/kg, 1/(kg m²)].
  const std::vector<double>& diagonal() const { return diagonal_; }

  /// y ← A x; both have `rows()` entries and may not overlap.
  virtual void Multiply(const double* x, double* y, OperatorWorkspace& workspace) const = 0;

  /// block ← A over rows first … first+size−1, row-major size × size.
  virtual void DiagonalBlock(int first, int size, double* block) const = 0;

  /// A, assembled on the first call and kept, so that several solvers can share it.
  const CsrMatrix& Assembled() const;

  /// Ĵ with A = Ĵ Ĵᵀ + C, a row per row of J, where the form keeps one: J times a root of M⁻¹.
  /// Null otherwise.
  virtual const CsrMatrix* ScaledJacobian() const { return nullptr; }

  /// c of a row; 0 if only A is known, which has it already.
  virtual double Compliance(int row) const = 0;

  /// v ← v_free, `velocity_size()` entries.
  virtual void FreeVelocity(double* v) const = 0;

  /// ½ vᵀ M v of the free motion [J], rotation left out where bodies are packed; 0 if only A and b
  /// are known.
  virtual double FreeKineticEnergy() const { return 0; }

  /// v ← v_free + M⁻¹ Jᵀ x and w ← A x + b together, which costs little more than one of them.
  virtual void Evaluate(const double* x, double* w, double* v,
                        OperatorWorkspace& workspace) const = 0;

  /// w ← A x + b.
  void ConstraintVelocity(const double* x, double* w, OperatorWorkspace& workspace) const;

 protected:
  Dynamics() = default;
  std::vector<double> bias_;
  std::vector<double> diagonal_;

  /// For a form that has become another one, see ProblemPart.
  void ForgetAssembled() { assembled_once_.emplace(); }

 private:
  friend class ProblemPart;
  /// matrix ← A; its memory may be used again.
  virtual void Assemble(CsrMatrix& matrix) const = 0;

  mutable std::optional<std::once_flag> assembled_once_{std::in_place};
  mutable CsrMatrix assembled_;
};

}  // namespace nonsmooth
