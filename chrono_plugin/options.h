// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../common/solver/solve_options.h"
#include "alignment.h"

namespace chrono {
class ChSolver;
}  // namespace chrono

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// Iterations of a step at the most, unless asked otherwise.
inline constexpr int kStepIterations = 300;

/// How a simulation is to be solved.
struct Options {
  Options() {
    // About as long as the 50 sweeps that are Chrono's default; most steps need fewer, since they
    // start from the last one's impulses. Measuring costs a tenth of the time then.
    solve.max_iterations = kStepIterations;
    solve.measure_every = 10;
  }

  /// A registered solver, docs/solvers.md. `auto` sweeps as `psor` does where max_iterations is no
  /// larger than the default, and looks for a better one beyond that: its option `few_iterations`
  /// is kStepIterations here unless given.
  std::string solver = "auto";

  /// Law and stopping, the same for every solver. `native` is `ccp`, what Chrono poses.
  SolveOptions solve;

  /// The solver's own options by name and value, e.g. {"relaxation", "1.2"}.
  std::vector<std::pair<std::string, std::string>> solver_options;

  /// Start from the multipliers that Chrono hands over: those of the last step for joints, of the
  /// contact manifold's cache for contacts. False: from zero.
  bool warm_start = true;

  /// Takes the steps that ours cannot: the solver that the system had before, sys.GetSolver().
  /// Null: Chrono's PSOR, or its ADMM where there are stiffness blocks, which PSOR does not take.
  std::shared_ptr<::chrono::ChSolver> stand_in;

  /// Gets a message, once each: the first time the stand-in had to solve a step, and the first time
  /// it could not either. Without it standard error gets it: a world that stands still is not to be
  /// overlooked. What it throws is dropped.
  std::function<void(const std::string&)> on_trouble;
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
