// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/contact_block.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

/// Least pivot of A, relative to the largest diagonal entry: what rounding leaves of a zero.
constexpr double kLeastPivot = 1e-12;

/// A few times the rounding of the scalar equations.
constexpr double kRounding = 8e-16;

/// Newton needs two to five; what is beyond are bisections.
constexpr int kMostSteps = 100;

}  // namespace

void ContactBlock::Prepare(const double* a, double mu, bool convexified) {
  mu_ = mu;
  convexified_ = convexified && mu > 0;
  slide_ = 0;
  const double sum[6] = {a[0], 0.5 * (a[1] + a[3]), 0.5 * (a[2] + a[6]),
                         a[4], 0.5 * (a[5] + a[7]), a[8]};
  std::copy(sum, sum + 6, a_);
  const double largest = std::max({a_[0], a_[3], a_[5]});
  double raise = 0;
  for (int attempt = 0; attempt < 40; ++attempt) {
    a_[0] = sum[0] + raise;
    a_[3] = sum[3] + raise;
    a_[5] = sum[5] + raise;
    inverse_normal_ = 1 / a_[0];
    coupling_[0] = a_[1] * inverse_normal_;
    coupling_[1] = a_[2] * inverse_normal_;
    schur_[0] = a_[3] - a_[1] * coupling_[0];
    schur_[1] = a_[4] - a_[1] * coupling_[1];
    schur_[2] = a_[5] - a_[2] * coupling_[1];
    const double least = kLeastPivot * largest;
    if (a_[0] > least && schur_[0] > least &&
        schur_[2] - schur_[1] * schur_[1] / schur_[0] > least) {
      break;
    }
    raise = std::max(10 * raise, 2 * least);
  }
  if (convexified_) PrepareCone();
}

void ContactBlock::PrepareCone() {
  using Matrix = Eigen::Matrix3d;
  Matrix a;
  a << a_[0], a_[1], a_[2], a_[1], a_[3], a_[4], a_[2], a_[4], a_[5];
  const Eigen::LLT<Matrix> factor(a);
  Matrix cone = Eigen::Vector3d(-mu_ * mu_, 1, 1).asDiagonal();
  factor.matrixL().solveInPlace(cone);
  cone.transposeInPlace();
  factor.matrixL().solveInPlace(cone);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(cone);
  Matrix basis = eigen.eigenvectors();
  factor.matrixU().solveInPlace(basis);
  if (basis(0, 0) < 0) basis.col(0) *= -1;  // z₀ > 0 shall mean x_n > 0
  for (int i = 0; i < 9; ++i) basis_[i] = basis(i / 3, i % 3);
  gamma_[0] = -eigen.eigenvalues()[0];
  gamma_[1] = eigen.eigenvalues()[1];
  gamma_[2] = eigen.eigenvalues()[2];
}

void ContactBlock::SolveCoulomb(const double* q, double* x) {
  x[0] = x[1] = x[2] = 0;
  if (!(q[0] < 0)) {  // take-off; a NaN goes on
    if (q[0] != q[0]) x[0] = q[0];
    return;
  }
  const double alone = -q[0] * inverse_normal_;  // x_n without friction
  x[0] = alone;
  if (mu_ == 0) return;

  // Friction lies along the velocity it opposes: w_t = −α x_t. With w_n = 0 eliminated,
  //
  //     x_t(α) = −(S + α)⁻¹ q̃,   x_n(α) = x̂ − A_nt x_t / A_nn,   ‖x_t‖ = μ x_n.
  //
  // α = 0 is stick. h(α) = ‖x_t‖ + μ A_nt x_t / A_nn falls from above μ x̂ to 0, so there is a root.
  const double q0 = q[1] - coupling_[0] * q[0];
  const double q1 = q[2] - coupling_[1] * q[0];
  const double limit = mu_ * alone;
  const double r0 = mu_ * coupling_[0];
  const double r1 = mu_ * coupling_[1];
  const auto tangents = [&](double alpha, double* inverse_determinant) {
    const double s0 = schur_[0] + alpha;
    const double s2 = schur_[2] + alpha;
    *inverse_determinant = 1 / (s0 * s2 - schur_[1] * schur_[1]);
    x[1] = -(s2 * q0 - schur_[1] * q1) * *inverse_determinant;
    x[2] = -(s0 * q1 - schur_[1] * q0) * *inverse_determinant;
  };
  double inverse = 0;
  tangents(0, &inverse);
  if (std::sqrt(x[1] * x[1] + x[2] * x[2]) + r0 * x[1] + r1 * x[2] <= limit) {
    x[0] = alone - coupling_[0] * x[1] - coupling_[1] * x[2];
    return;
  }
  double low = 0;
  double high = (1 + std::sqrt(r0 * r0 + r1 * r1)) * std::sqrt(q0 * q0 + q1 * q1) / limit;
  double alpha = slide_ < high ? slide_ : 0;
  for (int step = 0; step < kMostSteps; ++step) {
    tangents(alpha, &inverse);
    const double length = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    const double h = length + r0 * x[1] + r1 * x[2];
    if (std::abs(h - limit) <= kRounding * (length + limit)) break;
    (h > limit ? low : high) = alpha;
    // x_t' = −(S + α)⁻¹ x_t
    const double s0 = schur_[0] + alpha;
    const double s2 = schur_[2] + alpha;
    const double d0 = -(s2 * x[1] - schur_[1] * x[2]) * inverse;
    const double d1 = -(s0 * x[2] - schur_[1] * x[1]) * inverse;
    const double slope = (x[1] * d0 + x[2] * d1) / length + r0 * d0 + r1 * d1;
    double next = alpha + h * (limit - h) / (limit * slope);  // Newton on 1/h − 1/limit
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == alpha || next == low || next == high) break;
    alpha = next;
  }
  slide_ = alpha;
  x[0] = std::sqrt(x[1] * x[1] + x[2] * x[2]) / mu_;
}

void ContactBlock::SolveConvexified(const double* q, double* x) const {
  // In the coordinates x = T z the contact's own energy is ½‖z − c‖², c = −Tᵀ q: project c onto
  // the elliptic cone Σ γ_i z_i² ≤ γ₀ z₀².
  const double* t = basis_;
  const double c0 = -(t[0] * q[0] + t[3] * q[1] + t[6] * q[2]);
  const double c1 = -(t[1] * q[0] + t[4] * q[1] + t[7] * q[2]);
  const double c2 = -(t[2] * q[0] + t[5] * q[1] + t[8] * q[2]);
  const double k1 = gamma_[1] * c1 * c1;
  const double k2 = gamma_[2] * c2 * c2;
  double z[3] = {c0, c1, c2};
  const bool inside = c0 >= 0 && k1 + k2 <= gamma_[0] * c0 * c0;
  if (!inside) {
    // The polar cone {Σ c_i² / γ_i ≤ c₀² / γ₀, c₀ ≤ 0}: take-off.
    if (c0 <= 0 && c1 * c1 / gamma_[1] + c2 * c2 / gamma_[2] <= c0 * c0 / gamma_[0]) {
      x[0] = x[1] = x[2] = 0;
      return;
    }
    // On the boundary z_i = c_i γ₀ z₀ / (e_i z₀ − f_i), e_i = γ₀ + γ_i, f_i = γ_i c₀, and z₀ is the
    // root of φ = Σ γ₀ γ_i c_i² / (e_i z₀ − f_i)² = 1. φ^-½ is concave and rises: Newton's method
    // climbs to the root from the left, where either term alone would be 1.
    const double e1 = gamma_[0] + gamma_[1];
    const double e2 = gamma_[0] + gamma_[2];
    const double f1 = gamma_[1] * c0;
    const double f2 = gamma_[2] * c0;
    const double n1 = gamma_[0] * k1;
    const double n2 = gamma_[0] * k2;
    double z0 = std::max({0.0, c0, (std::sqrt(n1) + f1) / e1, (std::sqrt(n2) + f2) / e2});
    for (int step = 0; step < kMostSteps; ++step) {
      const double i1 = 1 / (e1 * z0 - f1);
      const double i2 = 1 / (e2 * z0 - f2);
      const double p1 = n1 > 0 ? n1 * i1 * i1 : 0.0;
      const double p2 = n2 > 0 ? n2 * i2 * i2 : 0.0;
      const double phi = p1 + p2;
      if (std::abs(phi - 1) <= 2 * kRounding) break;
      // Newton on φ^-½ − 1, φ' = −2 Σ p_i e_i / (e_i z₀ − f_i).
      const double slope = (n1 > 0 ? p1 * e1 * i1 : 0.0) + (n2 > 0 ? p2 * e2 * i2 : 0.0);
      const double next = z0 + phi * (std::sqrt(phi) - 1) / slope;
      if (!(next > z0)) break;
      z0 = next;
    }
    z[0] = z0;
    if (c1 != 0) z[1] = c1 * gamma_[0] * z0 / (e1 * z0 - f1);
    if (c2 != 0) z[2] = c2 * gamma_[0] * z0 / (e2 * z0 - f2);
  }
  for (int i = 0; i < 3; ++i) x[i] = t[3 * i] * z[0] + t[3 * i + 1] * z[1] + t[3 * i + 2] * z[2];
}

}  // namespace nonsmooth
