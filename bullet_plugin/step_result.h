// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../common/solver/result.h"
#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// What one time step took, all its groups of islands together.
struct StepResult {
  std::int64_t step = 0;  ///< counted from 0
  int groups = 0;         ///< of islands, each solved as one problem
  int contacts = 0;
  int rows = 0;
  int iterations = 0;  ///< of all groups

  /// The worst, in the order of the enumeration; kNumericalFailure where a group was left to
  /// Bullet. Such groups are not among contacts, rows, iterations and errors.
  Status status = Status::kConverged;
  double energy_error = 0;      ///< [J] sum over the groups
  double energy_error_max = 0;  ///< [J] of one row
  double free_energy = 0;       ///< [J]
  double seconds = 0;           ///< [s] set-up, solve and write-back
  double solve_seconds = 0;     ///< [s] of it, the solve
  int fallbacks = 0;  ///< groups left to Bullet's iterations, and fallbacks inside our solvers

  /// Adds what a problem is and what was left of it.
  void Add(int problem_rows, int problem_contacts, const EnergyError& energy) {
    rows += problem_rows;
    contacts += problem_contacts;
    energy_error += energy.sum;
    if (energy.max > energy_error_max) energy_error_max = energy.max;
    free_energy += energy.free_energy;
  }
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
