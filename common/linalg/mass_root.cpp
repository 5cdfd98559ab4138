// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/mass_root.h"

#include <cmath>

namespace nonsmooth {
namespace {

/// Off-diagonal entry of a matrix that may be unsymmetric by an engine's rounding.
double Mean(const std::array<double, 9>& m, int i, int j) {
  return 0.5 * (m[3 * i + j] + m[3 * j + i]);
}

/// Root of a pivot and its inverse. A pivot that is not positive belongs to a locked axis, or to
/// the rounding of one; its column is zero.
struct Pivot {
  explicit Pivot(double value) : root(value > 0 ? std::sqrt(value) : 0), inverse(0) {
    if (root > 0) inverse = 1 / root;
  }
  double root;
  double inverse;
};

}  // namespace

MassRoot RootOf(const Body& body) {
  MassRoot root;
  const std::array<double, 9>& m = body.inverse_inertia;
  for (int k = 0; k < 3; ++k) {
    root.linear[k] = std::sqrt(body.inverse_mass[k]);
    root.movable = root.movable || body.inverse_mass[k] > 0 || m[4 * k] > 0;
    root.isotropic = root.isotropic && body.inverse_mass[k] == body.inverse_mass[0];
  }
  double* l = root.angular;
  const Pivot first(m[0]);
  l[0] = first.root;
  l[1] = Mean(m, 1, 0) * first.inverse;
  l[3] = Mean(m, 2, 0) * first.inverse;
  const Pivot second(m[4] - l[1] * l[1]);
  l[2] = second.root;
  l[4] = (Mean(m, 2, 1) - l[3] * l[1]) * second.inverse;
  l[5] = Pivot(m[8] - l[3] * l[3] - l[4] * l[4]).root;
  return root;
}

}  // namespace nonsmooth
