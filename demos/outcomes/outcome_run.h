// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "demos/harness/demo.h"
#include "demos/outcomes/outcome.h"
#include "demos/outcomes/solver_choice.h"

namespace nonsmooth::demo {

/// What became of one scene with one solver, over all its seeds.
struct OutcomeResult {
  std::string scene;
  std::string engine;
  std::string solver;
  int seeds = 0;
  int passes = 0;    ///< of the seeds
  std::string what;  ///< the measure is
  std::string unit;
  double measure = 0;  ///< the worst of all seeds; infinite if the world blew up
  double limit = 0;
  double ms_median = 0;  ///< [ms] solving, per frame: all its substeps; of all seeds together
  double ms_p99 = 0;
  double error = 0;  ///< [J] median of the steps' energy errors under the law solved for
  int fallbacks = 0;

  bool passed() const { return seeds > 0 && passes == seeds; }
};

/// Runs seeds 1 … `seeds`. Throws std::invalid_argument for what the engine cannot do.
OutcomeResult RunOutcome(const Outcome& outcome, const Engine& engine, const SolverChoice& choice,
                         int seeds);

/// The whole of a main(): reads --scenes, --solver, --seeds, --json, runs and prints the table.
int OutcomesMain(int argc, char** argv, const Engine& engine);

}  // namespace nonsmooth::demo
