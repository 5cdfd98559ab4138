// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/splitting/admm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

Result Solve(const Problem& problem, const char* option, const char* value, Solution& solution) {
  Driver driver("admm");
  Set("admm", driver.Options(), option, value);
  SolveOptions options;
  options.relative_tolerance = 1e-18;
  options.max_iterations = 20000;
  return driver.Solve(problem, options, solution);
}

// Bodies, assembled A and sparse M are factorised in different ways and lead to the same w.
TEST(Admm, FormsOfAProblemAgree) {
  Solution bodies;
  ASSERT_TRUE(Solve(BoxStack(4), "memory", "10", bodies).converged());
  for (const Problem& problem : {AsMatrix(BoxStack(4)), AsSparse(BoxStack(4))}) {
    Solution other;
    ASSERT_TRUE(Solve(problem, "memory", "10", other).converged());
    for (std::size_t i = 0; i < bodies.w.size(); ++i) {
      EXPECT_NEAR(other.w[i], bodies.w[i], 1e-8);
    }
  }
}

// A penalty a million times too small or too large is found and mended, and the result is that of a
// good one.
TEST(Admm, BadPenaltiesAreMended) {
  Solution good;
  ASSERT_TRUE(Solve(BoxStack(3), "penalty", "0.1", good).converged());
  for (const char* penalty : {"1e-6", "1e6"}) {
    Solution solution;
    EXPECT_TRUE(Solve(BoxStack(3), "penalty", penalty, solution).converged()) << penalty;
    for (std::size_t i = 0; i < good.w.size(); ++i) {
      EXPECT_NEAR(solution.w[i], good.w[i], 1e-8) << penalty;
    }
  }
}

// A load of a million light weights passes through in a few iterations: the factorisation sees it
// whole, where sweeps hand on one weight each.
TEST(Admm, MassRatioOfAMillionTakesFewIterations) {
  const TestProblem test = FindProblem("HeavyOnLightMillion").make({LawKind::kNcp, 0});
  SolveOptions options;
  Solution solution;
  const Result result = Driver("admm").Solve(test.problem, options, solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_LT(result.iterations, 500);
}

// An indefinite A, which no mechanics has but a file may, ends with an honest status and a counted
// fallback where the penalty had to be raised: no exception, nothing worse than the start.
TEST(Admm, IndefiniteMatrixIsSurvived) {
  const CsrMatrix a =
      FromTriplets("indefinite", 2, 2, {{0, 0, 1}, {0, 1, 3}, {1, 0, 3}, {1, 1, 1}});
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 2;
  const Problem problem(std::make_shared<MatrixDynamics>(a, std::vector<double>{-1, -1}), {group},
                        {0, 0}, {1, 1});
  Solution solution;
  const Result result = Driver("admm").Solve(problem, SolveOptions(), solution);
  EXPECT_GT(result.fallbacks, 0);
  EXPECT_LE(result.energy.sum, result.energy.free_energy);
}

// A second solve from the solution is over at once: the start is measured before any factorisation.
TEST(Admm, WarmStartAtTheSolutionTakesNoIteration) {
  Driver driver("admm");
  SolveOptions options;
  Solution solution;
  ASSERT_TRUE(driver.Solve(BrickWall(), options, solution).converged());
  const std::vector<double> start = solution.x;
  Result result;
  driver.Solve(BrickWall(), options, &start, solution, result);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 0);
}

}  // namespace
}  // namespace nonsmooth
