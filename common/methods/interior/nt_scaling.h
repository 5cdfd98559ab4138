// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nonsmooth {

/// The algebra of the cones that interior points are interior to: {u₀ ≥ ‖ū‖} of size 2 or 3, and of
/// size 1 the half-line {u₀ ≥ 0}. Jordan product u∘v = (uᵀv, u₀v̄ + v₀ū), identity e = (1, 0),
/// eigenvalues u₀ ± ‖ū‖. References: F. Alizadeh, D. Goldfarb, "Second-order cone programming",
/// Math. Program. 95 (2003), Sect. 4; Y. Nesterov, M. Todd, SIAM J. Optim. 8 (1998);
/// L. Vandenberghe, "The CVXOPT linear and quadratic cone program solvers" (2010), Sect. 4.

inline constexpr int kMostConeSize = 3;

/// u₀ − ‖ū‖: positive inside.
double LeastEigenvalue(int size, const double* u);

/// out ← u∘v.
void JordanProduct(int size, const double* u, const double* v, double* out);

/// out ← the y with u∘y = r; u inside.
void JordanDivide(int size, const double* u, const double* r, double* out);

/// u ← u with its eigenvalues replaced by max(floor, |eigenvalue|): Nocedal and Wright's way into
/// the interior, Numerical Optimization, Eq. (16.62), eigenvalue by eigenvalue.
void PushInside(int size, double floor, double* u);

/// out ← u with its eigenvalues clamped to [low, high].
void ClampEigenvalues(int size, const double* u, double low, double high, double* out);

/// s, z ← the pair with s − z = p and s∘z = τ e, which is (p)₊ and (−p)₊ for τ = 0 and on the
/// central path for τ > 0. (The smoothing of Chen, Harker, Kanzow and Smale on eigenvalues.)
void CentralPair(int size, double tau, const double* p, double* s, double* z);

/// Largest step t ≤ `most` with u + t d in the cone; u inside.
double LongestStep(int size, const double* u, const double* d, double most);

/// The Nesterov–Todd scaling W = Wᵀ of a pair inside the cone: W z = W⁻¹ s = λ.
class NtScaling {
 public:
  /// False if s or z is not inside.
  bool Reset(int size, const double* s, const double* z);

  int size() const { return size_; }

  void Apply(const double* u, double* out) const;         ///< out ← W u
  void ApplyInverse(const double* u, double* out) const;  ///< out ← W⁻¹ u

  /// W² and W⁻², row-major size × size, from their closed form η²(2ŵŵᵀ − J).
  void Square(double* out) const;
  void InverseSquare(double* out) const;

  /// A root T of (W⁻² + δ I)⁻¹ = T Tᵀ, row-major: eigenvectors times the roots of eigenvalues.
  /// Products with T keep their digits in every direction where those with the square lose them,
  /// and the square is W² with all that is above 1/δ cut off.
  void SoftRoot(double delta, double* out) const;

 private:
  void Hyperbolic(double sign, double scale, const double* u, double* out) const;
  void Quadratic(double sign, double scale, double* out) const;

  int size_ = 0;
  double eta_ = 1;
  double w_[kMostConeSize] = {1, 0, 0};  ///< ŵ, of determinant 1
};

}  // namespace nonsmooth
