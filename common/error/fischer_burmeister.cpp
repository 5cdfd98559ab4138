// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/fischer_burmeister.h"

#include <algorithm>
#include <cmath>

#include "common/law/cone.h"

namespace nonsmooth {
namespace {

/// The larger magnitude; NaN if one is, which std::max would hide.
double LargerMagnitude(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  return std::max(std::abs(a), std::abs(b));
}

}  // namespace

double FischerBurmeister(double a, double b) {
  if (std::isinf(a) && a > 0) return b;
  if (std::isinf(b) && b > 0) return a;
  const double root = std::hypot(a, b);
  // (a + b)² − root² = 2ab: without the cancellation that would drown small errors of large
  // impulses.
  if (a + b > 0) return 2 * a * (b / (a + b + root));
  return a + b - root;
}

double PenalisedFischerBurmeister(double a, double b, double lambda) {
  const double plain = lambda * FischerBurmeister(a, b);
  if (lambda == 1 || std::isinf(a) || std::isinf(b)) return plain;
  return plain + (1 - lambda) * std::max(a, 0.0) * std::max(b, 0.0);
}

double BoundedFischerBurmeister(double lower, double upper, double x, double w, double lambda) {
  const double above = w > 0 ? w : 0.0;
  const double below = w > 0 ? 0.0 : -w;  // a NaN ends up here
  return LargerMagnitude(PenalisedFischerBurmeister(upper - x, below, lambda),
                         PenalisedFischerBurmeister(x - lower, above, lambda));
}

double ConeFischerBurmeister(int size, const double* x, const double* w, double lambda) {
  // z = x∘x + w∘w has the eigenvalues z₀ ∓ ‖z̄‖ along d = z̄/‖z̄‖. Written as sums of squares,
  // ‖x̄ ∓ x₀ d‖² + ‖w̄ ∓ w₀ d‖², the smaller one keeps its digits: as a difference it would leave
  // an error of 1e-8 behind at a solution on the face of the cone.
  double d[2] = {0, 0};
  double length = 0;
  for (int k = 1; k < size; ++k) {
    d[k - 1] = x[0] * x[k] + w[0] * w[k];
    length = std::hypot(length, d[k - 1]);
  }
  for (int k = 1; k < size; ++k) d[k - 1] = length > 0 ? d[k - 1] / length : (k == 1 ? 1.0 : 0.0);
  double minus = 0;
  double plus = 0;
  for (int k = 1; k < size; ++k) {
    minus = std::hypot(minus, x[k] - x[0] * d[k - 1], w[k] - w[0] * d[k - 1]);
    plus = std::hypot(plus, x[k] + x[0] * d[k - 1], w[k] + w[0] * d[k - 1]);
  }
  double phi[3];
  phi[0] = lambda * (x[0] + w[0] - 0.5 * (plus + minus));
  for (int k = 1; k < size; ++k) {
    phi[k] = lambda * (x[k] + w[k] - 0.5 * (plus - minus) * d[k - 1]);
  }
  if (lambda != 1) {
    double p[3] = {x[0], x[1], size > 2 ? x[2] : 0.0};
    double q[3] = {w[0], w[1], size > 2 ? w[2] : 0.0};
    ProjectOntoCone(1, 1, 1, size - 1, p);
    ProjectOntoCone(1, 1, 1, size - 1, q);
    double product = 0;
    for (int k = 0; k < size; ++k) product += p[k] * q[k];
    phi[0] += (1 - lambda) * product;
    for (int k = 1; k < size; ++k) phi[k] += (1 - lambda) * (p[0] * q[k] + q[0] * p[k]);
  }
  double norm = 0;
  for (int k = 0; k < size; ++k) norm = std::hypot(norm, phi[k]);
  return norm;
}

}  // namespace nonsmooth
