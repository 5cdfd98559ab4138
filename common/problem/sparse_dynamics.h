// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "dynamics.h"

namespace nonsmooth {

class MassFactor;

/// Plain data of the general form; `rows` = jacobian.rows, `columns` = mass.rows everywhere.
struct SparseSystem {
  CsrMatrix mass;                       ///< M (with h²K and hD blocks, if any), positive definite
  CsrMatrix jacobian;                   ///< J
  std::vector<double> velocity;         ///< v
  std::vector<double> applied_impulse;  ///< h f
  std::vector<double> bias;             ///< b₀
  std::vector<double> compliance;       ///< diagonal of C, ≥ 0
};

/// Rows on any number of variables of any kind, and a sparse M whose blocks may couple them:
/// stiffness blocks, generic variables, FCLIB global problems. M is factorised once: sparse LDLᵀ,
/// or LU where it is not symmetric, as tangent stiffness under load is not; A is not either then.
class SparseDynamics final : public Dynamics {
 public:
  /// Throws std::invalid_argument naming field, index and rule, also where M (its symmetric part)
  /// is not positive definite.
  explicit SparseDynamics(SparseSystem system);
  ~SparseDynamics() override;

  const SparseSystem& system() const { return system_; }

  /// Whether M is, and so A.
  bool symmetric() const { return right_.row_start.empty(); }

  const CsrMatrix* ScaledJacobian() const override { return symmetric() ? &left_ : nullptr; }
  double Compliance(int row) const override { return system_.compliance[row]; }
  int velocity_size() const override { return system_.mass.rows; }
  void Multiply(const double* x, double* y, OperatorWorkspace& workspace) const override;
  void DiagonalBlock(int first, int size, double* block) const override;
  void FreeVelocity(double* v) const override;
  double FreeKineticEnergy() const override;
  void Evaluate(const double* x, double* w, double* v, OperatorWorkspace& workspace) const override;

 private:
  friend class ProblemPart;
  SparseDynamics();
  void Assemble(CsrMatrix& matrix) const override;
  const CsrMatrix& right() const { return right_.row_start.empty() ? left_ : right_; }

  SparseSystem system_;
  CsrMatrix jacobian_transposed_;
  std::vector<double> free_velocity_;
  std::unique_ptr<MassFactor> mass_;
  CsrMatrix left_;   ///< left · rightᵀ = J M⁻¹ Jᵀ
  CsrMatrix right_;  ///< empty: the same as left
};

}  // namespace nonsmooth
