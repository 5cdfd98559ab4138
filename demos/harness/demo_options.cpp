// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/harness/demo_options.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "common/solve/solver_registry.h"

namespace nonsmooth::demo {

SolveOptions DemoOptions::Solve(SolveOptions defaults) const {
  SolveOptions solve = defaults;
  if (law) solve.law = *law;
  if (iterations) solve.max_iterations = *iterations;
  if (relative_tolerance) solve.relative_tolerance = *relative_tolerance;
  if (tolerance > 0) solve.energy_tolerance = tolerance;
  if (deadline_ms > 0) solve.deadline = 1e-3 * deadline_ms;
  return solve;
}

std::optional<int> ParseOptions(int argc, char** argv, const std::string& title,
                                DemoOptions& options) {
  CLI::App app(title);
  std::string names;
  for (const SolverInfo& info : Solvers()) names += std::string(info.name) + ", ";
  const auto known_solver = [](const std::string& name) -> std::string {
    if (name == "engine" || name.rfind("engine:", 0) == 0) return "";
    try {
      FindSolver(name);
    } catch (const std::exception& error) {
      return std::string(error.what()) + ", engine";
    }
    return "";
  };
  const auto read_law = [&options](const std::string& text) -> std::string {
    try {
      options.law = ParseLaw(text);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  std::string law = options.law ? ToString(*options.law) : "";
  app.add_option("--solver", options.solver, names + "engine for the engine's own or engine:NAME")
      ->check(known_solver)
      ->capture_default_str();
  app.add_option("--law", law, "native, box, coupled_box, pyramid:K, ccp or ncp")
      ->check(read_law)
      ->capture_default_str();
  app.add_option("--iterations", options.iterations, "at most, of every solve")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "energy error to stop at [J]")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--deadline-ms", options.deadline_ms, "of every solve [ms]; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--steps", options.steps, "time steps; 0: the scene's own number")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  app.add_option("--dt", options.dt, "time step [s]; 0: the scene's own")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--bodies", options.world.bodies, "size of the scene; 0: its own")
      ->check(CLI::Range(0, 10000000))
      ->capture_default_str();
  app.add_option("--seed", options.world.seed, "of random positions")->capture_default_str();
  app.add_option("--capture", options.capture, "record every solve into this file");
  app.add_option("--json", options.json, "write the report into this file; -: standard output");
  app.add_flag("--quiet", options.quiet, "no report in words");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

}  // namespace nonsmooth::demo
