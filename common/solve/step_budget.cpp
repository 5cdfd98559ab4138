// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_budget.h"

#include <algorithm>

namespace nonsmooth {
namespace {

/// [s, nominal] Of a row in an engine's sweep: Bullet's and Chrono's take 12 to 19 ns.
constexpr double kEngineRow = 13e-9;

/// Of the step's duration.
constexpr double kShare = 0.05;

/// [-] Of a velocity, after a second.
constexpr double kUnseen = 1e-4;
constexpr double kLeastTolerance = 1e-14;

}  // namespace

double StepBudget(int rows, int iterations, double duration) {
  return std::max(kEngineRow * rows * iterations, kShare * duration);
}

double StepTolerance(double duration) {
  const double share = kUnseen * duration;
  return std::max(share * share, kLeastTolerance);
}

}  // namespace nonsmooth
