// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "../../linalg/mass_root.h"

namespace nonsmooth {

/// A row on two bodies whose mass has become 1: J L with M⁻¹ = L Lᵀ, on records of eight numbers a
/// body, z = Σ (J L)ᵀ x. The one place that scales rows by their bodies; plain contacts are stored
/// eight at a time instead, contact_kernel.h.
struct PackedRow {
  static constexpr int kRecord = 8;  ///< doubles of z for a body, six used

  double jacobian[12] = {};
  double bias = 0;  ///< b
  double compliance = 0;
  double scale = 1;           ///< for its owner: 1/√a, or 1
  std::ptrdiff_t body_a = 0;  ///< where its record begins in z
  std::ptrdiff_t body_b = 0;

  /// `sink` is the number of a record that nothing reads: what does not move has that.
  PackedRow(const TwoBodyRow& row, double free_velocity, const std::vector<MassRoot>& roots,
            int sink)
      : bias(free_velocity),
        compliance(row.compliance),
        body_a(std::ptrdiff_t{kRecord} * sink),
        body_b(body_a) {
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0 || !roots[body].movable) continue;
      (side == 0 ? body_a : body_b) = std::ptrdiff_t{kRecord} * body;
      TimesWholeRoot(roots[body], row.jacobian.data() + 6 * side, jacobian + 6 * side);
    }
  }

  /// Its w, of an impulse x in it.
  double Velocity(const double* z, double x) const {
    const double* a = z + body_a;
    const double* b = z + body_b;
    double on_a = 0;
    double on_b = 0;
    for (int k = 0; k < 6; ++k) {
      on_a += jacobian[k] * a[k];
      on_b += jacobian[6 + k] * b[k];
    }
    return bias + compliance * x + (on_a + on_b);
  }

  /// z += (J L)ᵀ impulse.
  void Add(double impulse, double* z) const {
    double* a = z + body_a;
    double* b = z + body_b;
    for (int k = 0; k < 6; ++k) {
      a[k] += jacobian[k] * impulse;
      b[k] += jacobian[6 + k] * impulse;
    }
  }
};

}  // namespace nonsmooth
