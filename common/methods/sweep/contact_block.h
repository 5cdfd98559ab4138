// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// The problem of one contact with all others held still: for a symmetric positive definite 3×3
/// block A (normal first), find
///
///     w = A x + q,   K ∋ x ⊥ ŵ ∈ K*,   K = {‖x_t‖ ≤ μ x_n},
///
/// ŵ = w + μ‖w_t‖ e_n for Coulomb's law and ŵ = w for its convexification. Both are solved to
/// rounding by cases: take-off, stick, and slide, which leaves one scalar equation (its polynomial
/// form is the quartic of O. Bonnefon, G. Daviet, "Quartic formulation of Coulomb 3D frictional
/// contact", INRIA RT-0400, 2011). Newton's method on the reciprocal of that equation, which is all
/// but linear, takes two to five steps.
///
/// A contact with one tangent is one whose second tangent is decoupled and not moved by q.
class ContactBlock {
 public:
  /// `a` is row-major 3×3; its symmetric part is taken. Where that is not safely positive definite,
  /// its diagonal is raised by as little as makes it so: a sweep then takes a proximal step, whose
  /// fixed points are the same. `convexified` lays out Solve for `ccp`.
  void Prepare(const double* a, double mu, bool convexified);

  /// x ← the solution for q; both have three entries.
  void Solve(const double* q, double* x) {
    if (convexified_) {
      SolveConvexified(q, x);
    } else {
      SolveCoulomb(q, x);
    }
  }

  /// y ← A x with the A that is solved for.
  void Multiply(const double* x, double* y) const {
    y[0] = a_[0] * x[0] + a_[1] * x[1] + a_[2] * x[2];
    y[1] = a_[1] * x[0] + a_[3] * x[1] + a_[4] * x[2];
    y[2] = a_[2] * x[0] + a_[4] * x[1] + a_[5] * x[2];
  }

 private:
  void PrepareCone();
  void SolveCoulomb(const double* q, double* x);
  void SolveConvexified(const double* q, double* x) const;

  double a_[6];  ///< 00, 01, 02, 11, 12, 22
  double mu_ = 0;
  bool convexified_ = false;

  // Coulomb: the normal eliminated.
  double inverse_normal_ = 0;  ///< 1 / A_nn
  double coupling_[2];         ///< A_tn / A_nn
  double schur_[3];            ///< A_tt − A_tn A_nt / A_nn: 00, 01, 11
  double slide_ = 0;           ///< α of the last solution, where the next search begins

  // Convexified: Tᵀ A T = 1 and Tᵀ diag(−μ², 1, 1) T = diag(−γ₀, γ₁, γ₂).
  double basis_[9];  ///< T, row-major
  double gamma_[3];
};

}  // namespace nonsmooth
