// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/energy_error.h"

#include <cmath>

namespace nonsmooth {

double FreeEnergy(const Problem& problem) {
  if (problem.rows() == 0) return 0;
  const double* a = problem.dynamics().diagonal().data();
  const double* b = problem.dynamics().bias().data();
  const auto energy = [&](int i) { return a[i] > 0 ? 0.5 * b[i] * b[i] / a[i] : 0.0; };
  double sum[4] = {0, 0, 0, 0};  // which do not wait for each other
  int i = 0;
  for (; i + 4 <= problem.rows(); i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += energy(i + k);
  }
  for (; i < problem.rows(); ++i) sum[0] += energy(i);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double RelativeEnergy(double sum, double free_energy) { return sum == 0 ? 0.0 : sum / free_energy; }

EnergyError MeasureEnergy(const FeasibleSet& set, double free_energy, const double* x,
                          const double* w, double* per_row) {
  const Problem& problem = set.problem();
  EnergyError error;
  error.free_energy = free_energy;
  double r[kMostGroupRows];
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    set.NaturalMap(g, x + group.first_row, w + group.first_row, r);
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first_row + i;
      const double energy = 0.5 * set.weights()[row] * r[i] * r[i];
      if (per_row != nullptr) per_row[row] = energy;
      error.sum += energy;
      // The first NaN must win, or an overflow would look like a small error.
      if (!(energy <= error.max) && !std::isnan(error.max)) {
        error.max = energy;
        error.max_row = row;
      }
    }
  }
  error.relative = RelativeEnergy(error.sum, free_energy);
  return error;
}

}  // namespace nonsmooth
