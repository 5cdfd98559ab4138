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

/// What group `g` has of the error at x = 0.
double FreeEnergyOf(const FeasibleSet& set, int g) {
  const RowGroup& group = set.problem().groups()[g];
  const double* w = set.problem().dynamics().bias().data() + group.first_row;
  if (IsOpen(group, set.group(g), w)) return 0;
  const double zero[kMostGroupRows] = {};
  double energy[kMostGroupRows];
  GroupEnergy(set, g, zero, w, energy);
  double sum = 0;
  for (int i = 0; i < group.size; ++i) sum += energy[i];
  return sum;
}

/// Adds what group `g` has; `per_row` may be null.
void AddGroup(const FeasibleSet& set, int g, const double* x, const double* w, double* per_row,
              EnergyError& error) {
  const RowGroup& group = set.problem().groups()[g];
  double energy[kMostGroupRows];
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

}  // namespace

double FreeEnergy(const FeasibleSet& set) {
  double sum = 0;
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    sum += FreeEnergyOf(set, g);
  }
  return sum;
}

double FreeEnergy(const FeasibleSet& set, IndexRange groups) {
  double sum = 0;
  for (const int g : groups) sum += FreeEnergyOf(set, g);
  return sum;
}

double LeastScale(const Problem& problem) {
  return problem.rows() == 0 ? 0 : kLeastMotion * problem.dynamics().FreeKineticEnergy();
}

double RelativeEnergy(double sum, double free_energy) { return sum == 0 ? 0.0 : sum / free_energy; }

EnergyError MeasureEnergy(const FeasibleSet& set, double free_energy, const double* x,
                          const double* w, double* per_row) {
  EnergyError error;
  error.free_energy = free_energy;
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    AddGroup(set, g, x, w, per_row, error);
  }
  error.relative = RelativeEnergy(error.sum, free_energy);
  return error;
}

EnergyError MeasureEnergy(const FeasibleSet& set, IndexRange groups, double free_energy,
                          const double* x, const double* w) {
  EnergyError error;
  error.free_energy = free_energy;
  for (const int g : groups) AddGroup(set, g, x, w, nullptr, error);
  error.relative = RelativeEnergy(error.sum, free_energy);
  return error;
}

}  // namespace nonsmooth
