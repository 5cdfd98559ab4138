// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../common/solver/solve_options.h"

namespace nonsmooth::chrono {

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
};

}  // namespace nonsmooth::chrono
