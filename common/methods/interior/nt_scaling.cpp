// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/nt_scaling.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

double TailNorm(int size, const double* u) {
  if (size == 1) return 0;
  return size == 2 ? std::abs(u[1]) : std::sqrt(u[1] * u[1] + u[2] * u[2]);
}

/// u₀² − ‖ū‖² without cancellation between squares.
double Determinant(int size, const double* u) {
  const double tail = TailNorm(size, u);
  return (u[0] - tail) * (u[0] + tail);
}

double Dot(int size, const double* u, const double* v) {
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += u[i] * v[i];
  return sum;
}

/// out ← the element with the eigenvectors of u (any for ū = 0) and the given eigenvalues.
void Compose(int size, const double* u, double low, double high, double* out) {
  const double tail = TailNorm(size, u);
  const double half = tail > 0 ? 0.5 * (high - low) / tail : 0.0;
  for (int i = 1; i < size; ++i) out[i] = half * u[i];
  out[0] = 0.5 * (low + high);
}

}  // namespace

double LeastEigenvalue(int size, const double* u) { return u[0] - TailNorm(size, u); }

void JordanProduct(int size, const double* u, const double* v, double* out) {
  double result[kMostConeSize];
  result[0] = Dot(size, u, v);
  for (int i = 1; i < size; ++i) result[i] = u[0] * v[i] + v[0] * u[i];
  std::copy(result, result + size, out);
}

void JordanDivide(int size, const double* u, const double* r, double* out) {
  if (size == 1) {
    out[0] = r[0] / u[0];
    return;
  }
  // The inverse of the arrow matrix of u.
  const double first = (u[0] * r[0] - Dot(size - 1, u + 1, r + 1)) / Determinant(size, u);
  for (int i = 1; i < size; ++i) out[i] = (r[i] - first * u[i]) / u[0];
  out[0] = first;
}

void PushInside(int size, double floor, double* u) {
  if (size == 1) {
    u[0] = std::max(floor, std::abs(u[0]));
    return;
  }
  const double tail = TailNorm(size, u);
  const double low = std::max(floor, std::abs(u[0] - tail));
  const double high = std::max(floor, std::abs(u[0] + tail));
  Compose(size, u, low, high, u);
}

void ClampEigenvalues(int size, const double* u, double low, double high, double* out) {
  if (size == 1) {
    out[0] = std::clamp(u[0], low, high);
    return;
  }
  const double tail = TailNorm(size, u);
  Compose(size, u, std::clamp(u[0] - tail, low, high), std::clamp(u[0] + tail, low, high), out);
}

void CentralPair(int size, double tau, const double* p, double* s, double* z) {
  // The root of t² − p t − τ with the larger modulus is free of cancellation; their product is −τ.
  const auto positive_root = [tau](double value) {
    const double root = std::sqrt(value * value + 4 * tau);
    if (value >= 0) return 0.5 * (value + root);
    return root - value > 0 ? 2 * tau / (root - value) : 0.0;
  };
  const double tail = TailNorm(size, p);
  const double low = p[0] - tail;
  const double high = p[0] + tail;
  double s_out[kMostConeSize];
  double z_out[kMostConeSize];
  if (size == 1) {
    s_out[0] = positive_root(p[0]);
    z_out[0] = positive_root(-p[0]);
  } else {
    Compose(size, p, positive_root(low), positive_root(high), s_out);
    Compose(size, p, positive_root(-low), positive_root(-high), z_out);
  }
  std::copy(s_out, s_out + size, s);
  std::copy(z_out, z_out + size, z);
}

double LongestStep(int size, const double* u, const double* d, double most) {
  if (size == 1) return d[0] < 0 ? std::min(most, -u[0] / d[0]) : most;
  // The first positive root of det(u + t d) = a t² + 2 b t + c, c > 0.
  const double tail = TailNorm(size, d);
  if (d[0] >= tail) return most;
  const double a = (d[0] - tail) * (d[0] + tail);
  const double b = u[0] * d[0] - Dot(size - 1, u + 1, d + 1);
  const double c = Determinant(size, u);
  const double discriminant = b * b - a * c;
  // a < 0: one positive root; a ≥ 0, that is −d in the cone and b < 0: the smaller of two, which
  // fall together, up to rounding, where d is along u. Either is c / (−b + √…).
  const double step = c / (-b + std::sqrt(std::max(0.0, discriminant)));
  return std::min(most, std::max(0.0, step));
}

bool NtScaling::Reset(int size, const double* s, const double* z) {
  size_ = size;
  if (size == 1) {
    if (!(s[0] > 0 && z[0] > 0)) return false;
    eta_ = std::sqrt(s[0] / z[0]);
    w_[0] = 1;
    return std::isfinite(eta_) && eta_ > 0;
  }
  const double det_s = Determinant(size, s);
  const double det_z = Determinant(size, z);
  if (!(s[0] > 0 && z[0] > 0 && det_s > 0 && det_z > 0)) return false;
  const double root_s = std::sqrt(det_s);
  const double root_z = std::sqrt(det_z);
  const double gamma = std::sqrt(0.5 * (1 + Dot(size, s, z) / (root_s * root_z)));
  eta_ = std::sqrt(root_s / root_z);
  double norm = 0;
  for (int i = 1; i < size; ++i) {
    w_[i] = (s[i] / root_s - z[i] / root_z) / (2 * gamma);
    norm += w_[i] * w_[i];
  }
  w_[0] = std::sqrt(1 + norm);  // det ŵ = 1 to rounding, whatever has been lost in the quotients
  return std::isfinite(eta_) && eta_ > 0 && std::isfinite(w_[0]);
}

void NtScaling::Hyperbolic(double sign, double scale, const double* u, double* out) const {
  const double along = Dot(size_ - 1, w_ + 1, u + 1);
  const double first = u[0];
  for (int i = 1; i < size_; ++i) {
    out[i] = scale * (u[i] + w_[i] * (sign * first + along / (1 + w_[0])));
  }
  out[0] = scale * (w_[0] * first + sign * along);
}

void NtScaling::Apply(const double* u, double* out) const { Hyperbolic(1, eta_, u, out); }

void NtScaling::ApplyInverse(const double* u, double* out) const {
  Hyperbolic(-1, 1 / eta_, u, out);
}

void NtScaling::Quadratic(double sign, double scale, double* out) const {
  double norm = 0;
  for (int i = 1; i < size_; ++i) norm += w_[i] * w_[i];
  for (int i = 1; i < size_; ++i) {
    out[i] = out[i * size_] = sign * scale * 2 * w_[0] * w_[i];
    for (int j = 1; j < size_; ++j) {
      out[i * size_ + j] = scale * (2 * w_[i] * w_[j] + (i == j ? 1.0 : 0.0));
    }
  }
  out[0] = scale * (1 + 2 * norm);
}

void NtScaling::SoftRoot(double delta, double* out) const {
  const double base = 1 / (eta_ * eta_);
  if (size_ == 1) {
    out[0] = 1 / std::sqrt(base + delta);
    return;
  }
  // W⁻² has the eigenvalues η⁻²(ŵ₀ ± r)² on (1, ∓w̄/r) and η⁻² across, r = ‖w̄‖.
  const double r = TailNorm(size_, w_);
  const double stretch = w_[0] + r;
  const double stiff = 1 / std::sqrt(2 * (base * stretch * stretch + delta));
  const double soft = 1 / std::sqrt(2 * (base / (stretch * stretch) + delta));
  const double across = 1 / std::sqrt(base + delta);
  double axis[kMostConeSize] = {0, 1, 0};
  for (int i = 1; i < size_ && r > 0; ++i) axis[i] = w_[i] / r;
  out[0] = stiff;
  out[1] = soft;
  for (int i = 1; i < size_; ++i) {
    out[i * size_] = -stiff * axis[i];
    out[i * size_ + 1] = soft * axis[i];
  }
  if (size_ == 2) return;
  out[2] = 0;
  out[5] = -across * axis[2];
  out[8] = across * axis[1];
}

void NtScaling::Square(double* out) const { Quadratic(1, eta_ * eta_, out); }

void NtScaling::InverseSquare(double* out) const { Quadratic(-1, 1 / (eta_ * eta_), out); }

}  // namespace nonsmooth
