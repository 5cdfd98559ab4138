// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "dynamics.h"

namespace nonsmooth {

/// Plain data of trees of joints and of free rigid bodies among them, each with generalised
/// velocities of its own: one for each degree of freedom of a joint, six for a body that is free.
struct ArticulatedSystem {
  /// R with M⁻¹ = R Rᵀ, lower triangular, by compressed rows. What moves freely of each other has
  /// blocks of its own. Where a variable's number is above those of the joints between it and the
  /// root, R has entries on the way to the root only (R. Featherstone, "Rigid Body Dynamics
  /// Algorithms", Sect. 6.5: M = LᵀL, R = L⁻¹). An immovable variable has an empty or zero row.
  CsrMatrix mass_root;

  CsrMatrix jacobian;                   ///< J
  std::vector<double> velocity;         ///< v
  std::vector<double> applied_impulse;  ///< h f
  std::vector<double> bias;             ///< b₀
  std::vector<double> compliance;       ///< diagonal of C, ≥ 0
};

/// Robots: rows on the joints of trees and on rigid bodies, in one problem. A root of M⁻¹ is kept
/// rather than M⁻¹: however it is rounded A is positive semidefinite, and a row's image Ĵ = J R has
/// entries only where J or a joint below it in the tree has, while M⁻¹ Jᵀ fills the whole tree.
class ArticulatedDynamics final : public Dynamics {
 public:
  /// Throws std::invalid_argument naming field, index and rule.
  explicit ArticulatedDynamics(ArticulatedSystem system);

  /// For an engine that knows b rather than b₀: `bias` is b = J v_free + b₀, and becomes b₀ here,
  /// rounded to a float if `in_float`. Otherwise as the constructor.
  static std::shared_ptr<ArticulatedDynamics> FromFreeBias(ArticulatedSystem system, bool in_float);

  /// Becomes the dynamics of another system as FromFreeBias() makes it, in its memory; `system`
  /// gets the old one. For whoever made the object and knows that nobody else still looks at it.
  /// After an exception the object is without rows.
  void BecomeFromFreeBias(ArticulatedSystem& system, bool in_float);

  const ArticulatedSystem& system() const { return system_; }

  const CsrMatrix* ScaledJacobian() const override { return &scaled_; }
  double Compliance(int row) const override { return system_.compliance[row]; }
  int velocity_size() const override { return system_.mass_root.rows; }
  void Multiply(const double* x, double* y, OperatorWorkspace& workspace) const override;
  void DiagonalBlock(int first, int size, double* block) const override;
  void FreeVelocity(double* v) const override;
  double FreeKineticEnergy() const override;
  void Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace) const override;

 private:
  friend class ProblemPart;
  enum class Bias { kOwn, kFree, kFreeInFloat };
  ArticulatedDynamics() = default;
  void Make(Bias given);
  void MakeFreeVelocity();
  void MakeScaledJacobian();
  void Assemble(CsrMatrix& matrix) const override;

  ArticulatedSystem system_;
  CsrMatrix scaled_;  ///< Ĵ
  std::vector<double> free_velocity_;
  std::vector<double> sum_;  ///< scratch of the two above; all zero
  std::vector<int> touched_by_;
};

}  // namespace nonsmooth
