// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "common/solver/solve_options.h"
#include "demos/harness/worlds.h"

namespace nonsmooth::demo {

/// The flags every demo has, whatever its engine.
struct DemoOptions {
  /// A registered solver, or `engine`: the engine's own, `engine:NAME`: one of those.
  std::string solver = "psor";

  /// Nothing here: as the engine, or the plugin, has it by default.
  std::optional<Law> law{Law{LawKind::kNative, 0}};
  std::optional<int> iterations{50};         ///< of every solve, engine included
  std::optional<double> relative_tolerance;  ///< of our solvers
  bool two_friction_directions = true;       ///< ask Bullet for both
  double tolerance = 0;    ///< [J] 0: the relative tolerance of SolveOptions alone
  double deadline_ms = 0;  ///< [ms] of every solve; 0: none
  int steps = 0;           ///< 0: the scene's
  double dt = 0;           ///< [s] 0: the scene's
  WorldOptions world;
  std::string capture;  ///< file to record into; empty: none
  std::string json;     ///< file for the report; empty: none, "-": standard output
  bool quiet = false;   ///< no report in words

  bool engine() const { return solver == "engine" || solver.rfind("engine:", 0) == 0; }

  /// NAME of `engine:NAME`; empty: the engine's default.
  std::string engine_solver() const {
    return engine() && solver.size() > 7 ? solver.substr(7) : "";
  }

  /// What the flags make of a plugin's own options.
  SolveOptions Solve(SolveOptions defaults) const;
};

/// Reads the command line. Nothing: go on; otherwise the exit code (0 after --help, 2 for a
/// mistake, which has been explained on standard error).
std::optional<int> ParseOptions(int argc, char** argv, const std::string& title,
                                DemoOptions& options);

}  // namespace nonsmooth::demo
