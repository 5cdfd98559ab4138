// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/nncg.h"

#include <gtest/gtest.h>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

int IterationsTo(double tolerance, const char* solver, const Problem& problem) {
  Driver driver(solver);
  if (driver.info().name == "psor")
    Set("psor", driver.Options(), "momentum", "0");  // Gauss–Seidel as it is
  SolveOptions options;
  options.relative_tolerance = tolerance;
  options.max_iterations = 100000;
  Solution solution;
  const Result result = driver.Solve(problem, options, solution);
  EXPECT_TRUE(result.converged());
  return result.iterations;
}

// Gauss–Seidel needs of the order of n² sweeps for a tower of n boxes, conjugate directions of the
// order of n: at twelve boxes a quarter is a safe demand.
TEST(Nncg, TowersTakeFarFewerIterationsThanGaussSeidel) {
  const Problem tower = BoxStack(12);
  EXPECT_LT(4 * IterationsTo(1e-10, "nncg", tower), IterationsTo(1e-10, "psor", tower));
}

// Joints alone gain less, since a sweep of coupled rows is no symmetric preconditioner.
TEST(Nncg, ChainsTakeFewerIterationsThanGaussSeidel) {
  const Problem chain = Chain(12, 12);
  EXPECT_LT(3 * IterationsTo(1e-10, "nncg", chain), 2 * IterationsTo(1e-10, "psor", chain));
}

// The first iteration has no direction yet: it is a sweep of psor, to the bit.
TEST(Nncg, FirstIterationIsASweep) {
  SolveOptions options;
  options.max_iterations = 1;
  Solution nncg;
  Solution psor;
  EXPECT_EQ(Driver("nncg").Solve(BrickWall(), options, nncg).iterations, 1);
  EXPECT_EQ(Driver("psor").Solve(BrickWall(), options, psor).iterations, 1);
  EXPECT_EQ(nncg.x, psor.x);
}

// Both forms of a problem are extrapolated, with and without an image beside x.
TEST(Nncg, SymmetricSweepsConvergeInBothForms) {
  for (const Problem& problem : {BoxStack(5), AsMatrix(BoxStack(5))}) {
    auto solver = std::make_unique<NncgSolver>();
    solver->options().symmetric = true;
    Driver driver(FindSolver("nncg"), std::move(solver));
    Solution solution;
    EXPECT_TRUE(driver.Solve(problem, SolveOptions(), solution).converged());
  }
}

}  // namespace
}  // namespace nonsmooth
