// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/pgs_sm.h"

#include <gtest/gtest.h>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

Result Solve(const char* solver, const Problem& problem, int iterations) {
  SolveOptions options;
  options.max_iterations = iterations;
  Solution solution;
  return Driver(solver).Solve(problem, options, solution);
}

// A box of 1000 kg on one of 1 kg: sweeps alone need some 10^5, since each hands on about one light
// weight. The minimisation over what is free, here everything, does not care.
TEST(PgsSm, HeavyOnLightTakesAHandfulOfMinimisations) {
  EXPECT_FALSE(Solve("psor", MassRatioStack(1e3), 2000).converged());
  EXPECT_LE(Solve("pgs_sm", MassRatioStack(1e3), 2000).iterations, 200);
  EXPECT_TRUE(Solve("pgs_sm", MassRatioStack(1e3), 2000).converged());
}

TEST(PgsSm, TowersTakeFarFewerIterationsThanGaussSeidel) {
  const Result ours = Solve("pgs_sm", BoxStack(12), 100000);
  const Result sweeps = Solve("psor", BoxStack(12), 100000);
  EXPECT_TRUE(ours.converged() && sweeps.converged());
  EXPECT_LT(2 * ours.iterations, sweeps.iterations);
}

// The first iterations are sweeps: those of psor without momentum, to the bit.
TEST(PgsSm, BeginsWithSweeps) {
  SolveOptions options;
  options.max_iterations = PgsSmOptions().sweeps;
  Solution ours;
  Solution psor;
  EXPECT_EQ(Driver("pgs_sm").Solve(BrickWall(), options, ours).status, Status::kIterationLimit);
  Driver plain("psor");
  Set("psor", plain.Options(), "momentum", "0");
  EXPECT_EQ(plain.Solve(BrickWall(), options, psor).status, Status::kIterationLimit);
  EXPECT_EQ(ours.x, psor.x);
}

// With strong friction the sliding directions that a minimisation keeps are often wrong. One that
// ends worse than it began is dropped and counted, and the rest still gets there.
TEST(PgsSm, CountsMinimisationsThatWereDropped) {
  const Law law{LawKind::kNcp, 0};
  const TestProblem rough = FindProblem("RandomRough").make(law);
  SolveOptions options;
  options.law = law;
  Solution solution;
  const Result result = Driver("pgs_sm").Solve(rough.problem, options, solution);
  EXPECT_TRUE(result.converged());
  EXPECT_GT(result.fallbacks, 0);
}

}  // namespace
}  // namespace nonsmooth
