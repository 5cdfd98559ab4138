// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// One step of a stack of boxes, solved by every registered solver.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"

namespace nonsmooth {
namespace {

constexpr double kStep = 0.01;     // [s]
constexpr double kGravity = 9.81;  // [m/s²]
constexpr double kEdge = 1.0;      // [m]

struct StackOptions {
  int boxes = 5;
  double mass = 10;  // [kg], of each box
  double friction = 0.5;
  double push = 0.5;  // [m/s], sideways velocity of the top box
  int max_iterations = 10000;
};

/// Cubes upon each other on the fixed ground, four contacts at the corners of every face that
/// touches. The top box is pushed sideways, so that friction has something to do.
Problem MakeStack(const StackOptions& options) {
  ProblemBuilder builder;
  ContactMaterial material;
  material.friction = options.friction;
  int below = builder.AddBody(Body());
  for (int i = 0; i < options.boxes; ++i) {
    const int box = builder.AddBox(options.mass, {kEdge, kEdge, kEdge}, {0, 0, -kGravity * kStep});
    for (const double x : {-kEdge / 2, kEdge / 2}) {
      for (const double y : {-kEdge / 2, kEdge / 2}) {
        ContactPoint point;
        point.body_a = below;
        point.body_b = box;
        point.lever_a = {x, y, kEdge / 2};
        point.lever_b = {x, y, -kEdge / 2};
        point.normal = {0, 0, 1};
        builder.AddContact(point, material);
      }
    }
    below = box;
  }
  builder.body(below).velocity[0] = options.push;
  return builder.Build();
}

/// Solves and prints one line of the table. False if the solver broke down; that one has not
/// reached the tolerance is what the table is there to show.
bool SolveAndPrint(const Problem& problem, const SolverInfo& solver, const SolveOptions& options) {
  Driver driver(solver.name);
  Solution solution;
  const Result result = driver.Solve(problem, options, solution);
  fmt::print("{:<12}{:<6}{:<18}{:>10}{:>10.3f}{:>18.3e}{:>12.2e}{:>10}\n", solver.name,
             ToString(options.law), ToString(result.status), result.iterations,
             1e3 * result.seconds.total(), result.energy.sum, result.energy.relative,
             problem.contacts());
  return result.status != Status::kNumericalFailure;
}

/// The whole table. False if a solver broke down.
bool PrintTable(const StackOptions& stack) {
  const Problem problem = MakeStack(stack);
  SolveOptions options;
  options.max_iterations = stack.max_iterations;
  fmt::print("{} boxes of {} kg, friction {}, top box pushed at {} m/s, step {} s\n", stack.boxes,
             stack.mass, stack.friction, stack.push, kStep);
  fmt::print("{:<12}{:<6}{:<18}{:>10}{:>10}{:>18}{:>12}{:>10}\n", "solver", "law", "status",
             "iterations", "ms", "energy error [J]", "relative", "contacts");
  bool sound = true;
  for (const LawKind law : {LawKind::kCcp, LawKind::kNcp}) {
    options.law = {law, 0};
    for (const SolverInfo& solver : Solvers()) {
      if (solver.Handles(law)) sound &= SolveAndPrint(problem, solver, options);
    }
  }
  return sound;
}

}  // namespace
}  // namespace nonsmooth

int main(int argc, char** argv) {
  nonsmooth::StackOptions stack;
  CLI::App app(
      "Solves one step of a stack of boxes with every registered solver, under ccp and ncp");
  app.add_option("--boxes", stack.boxes, "number of boxes")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--mass", stack.mass, "of each box [kg]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--friction", stack.friction, "coefficient of friction")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--push", stack.push, "sideways velocity of the top box [m/s]")
      ->capture_default_str();
  app.add_option("--max-iterations", stack.max_iterations, "of every solver")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return nonsmooth::PrintTable(stack) ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "stack: {}\n", error.what());
    return 2;
  }
}
