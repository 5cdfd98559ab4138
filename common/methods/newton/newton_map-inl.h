// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace nonsmooth::newton_internal {

// What the residuals of NewtonMap and their derivatives share; for newton_map.cpp and
// newton_linearise.cpp alone.

inline double Norm(const double* y, int size) {
  return size == 2 ? std::sqrt(y[0] * y[0] + y[1] * y[1]) : std::abs(y[0]);
}

/// φ(a, b) = a + b − √(a² + b²) and its derivatives; at the origin those along (1, 1).
struct Fischer {
  double value, da, db;
};
inline Fischer EvaluateFischer(double a, double b) {
  if (std::isinf(a)) return {b, 0.0, 1.0};
  const double length = std::sqrt(a * a + b * b);
  if (length == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  // a + b − √(a² + b²) = 2ab / (a + b + √(a² + b²)), without cancellation for a, b > 0.
  const double value = a + b > 0 ? 2 * a * b / (a + b + length) : a + b - length;
  return {value, 1 - a / length, 1 - b / length};
}

/// Φ(x, w) = φ(x − l, −φ(u − x, −w)) with its derivatives by x, w and by a bound b = u = −l.
struct BoundedFischer {
  double value, dx, dw, dbound;
};
inline BoundedFischer EvaluateBounded(double x, double w, double lower, double upper) {
  const Fischer inner = EvaluateFischer(upper - x, -w);
  const Fischer outer = EvaluateFischer(x - lower, -inner.value);
  return {outer.value, outer.da + outer.db * inner.da, outer.db * inner.db,
          outer.da - outer.db * inner.da};
}

}  // namespace nonsmooth::newton_internal
