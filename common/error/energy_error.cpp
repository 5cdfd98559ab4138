// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/energy_error.h"

#include <cmath>

namespace nonsmooth {

namespace {

/// At x = 0 and without an estimate of the normal impulse nothing bounds friction but the normal
/// itself: what does not approach is not in error, however it slides.
bool IsOpen(const RowGroup& group, const GroupSet& set, const double* w) {
  return group.kind == GroupKind::kContact && w[0] >= 0 && !set.frozen &&
         (set.shape == GroupSet::Shape::kRows || set.shifted);
}

}  // namespace

double FreeEnergy(const FeasibleSet& set) {
  const Problem& problem = set.problem();
  if (problem.rows() == 0) return 0;
  const double* b = problem.dynamics().bias().data();
  const double zero[kMostGroupRows] = {};
  double energy[kMostGroupRows];
  double sum = 0;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    const double* w = b + group.first_row;
    if (IsOpen(group, set.group(g), w)) continue;
    GroupEnergy(set, g, zero, w, energy);
    for (int i = 0; i < group.size; ++i) sum += energy[i];
  }
  return sum;
}

double LeastScale(const Problem& problem) {
  return problem.rows() == 0 ? 0 : kLeastMotion * problem.dynamics().FreeKineticEnergy();
}

double RelativeEnergy(double sum, double free_energy) { return sum == 0 ? 0.0 : sum / free_energy; }

EnergyError MeasureEnergy(const FeasibleSet& set, double free_energy, const double* x,
                          const double* w, double* per_row) {
  const Problem& problem = set.problem();
  EnergyError error;
  error.free_energy = free_energy;
  double energy[kMostGroupRows];
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    GroupEnergy(set, g, x + group.first_row, w + group.first_row, energy);
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first_row + i;
      if (per_row != nullptr) per_row[row] = energy[i];
      error.sum += energy[i];
      // The first NaN must win, or an overflow would look like a small error.
      if (!(energy[i] <= error.max) && !std::isnan(error.max)) {
        error.max = energy[i];
        error.max_row = row;
      }
    }
  }
  error.relative = RelativeEnergy(error.sum, free_energy);
  return error;
}

}  // namespace nonsmooth
