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

/// What Chrono's iterative solvers do by default.
inline constexpr int kEngineIterations = 50;

/// How a simulation is to be solved.
struct Options {
  Options() {
    solve.law.kind = LawKind::kNcp;
    solve.relative_tolerance = 0;
    solve.measure_every = 10;
  }

  /// A registered solver, docs/solvers.md.
  std::string solver = "auto";

  /// Law and stopping, the same for every solver. `ncp` is Coulomb's law: bodies that slide stay on
  /// the ground. `native` is what Chrono poses, `ccp`, for comparing with its solvers. Without a
  /// relative tolerance, 0, it is what cannot be seen (StepTolerance()).
  SolveOptions solve;

  /// `auto` alone: a step takes as long as it needs for the tolerance, and no longer than
  /// kEngineIterations sweeps of Chrono's over the same rows or a twentieth of `duration`,
  /// whichever is more. That is work counted from the rows, not time: equal input gives equal bits
  /// on any machine. SetMaxIterations() ends it: who asks for ten iterations gets ten. Not where a
  /// deadline is set.
  bool budget = true;

  /// [s] Of a time step, for budget and tolerance: Chrono does not tell its solvers.
  double duration = 1e-3;

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
