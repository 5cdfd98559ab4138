// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/nsgs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

Result Solve(const Problem& problem, LawKind law, int memory, double tolerance,
             Solution& solution) {
  Driver driver("nsgs");
  Set("nsgs", driver.Options(), "memory", std::to_string(memory));
  SolveOptions options;
  options.law = {law, 0};
  options.relative_tolerance = tolerance;
  options.max_iterations = 20000;
  return driver.Solve(problem, options, solution);
}

// Whatever one contact does, sliding or sticking, on the packed form or the assembled one, the
// first iteration does it exactly.
TEST(Nsgs, OneContactTakesOneIteration) {
  for (const char* name : {"SphereAtRest", "HeadOnCollision"}) {
    const TestProblem test = FindProblem(name).make({LawKind::kNcp, 0});
    for (const Problem& problem : {test.problem, AsMatrix(test.problem), AsSparse(test.problem)}) {
      Solution solution;
      const Result result = Solve(problem, LawKind::kNcp, 10, 1e-24, solution);
      EXPECT_EQ(result.status, Status::kConverged) << name;
      EXPECT_EQ(result.iterations, 1) << name;
    }
  }
}

// The rows of a joint are solved together: a single joint takes one iteration. The wedge of the
// collection stands on two contacts and takes more.
TEST(Nsgs, OneJointTakesOneIteration) {
  ProblemBuilder builder;
  const int box = builder.AddBox(2.0, {1, 2, 3}, {0.1, -0.2, 0.3});
  for (int k = 0; k < 3; ++k) {
    TwoBodyRow row;
    row.body_b = box;
    row.jacobian[6 + k] = 1;
    row.jacobian[9 + (k + 1) % 3] = 0.7;
    builder.AddEquality(row);
  }
  const Problem problem = builder.Build();
  Solution solution;
  const Result result = Solve(problem, LawKind::kNcp, 0, 1e-24, solution);
  EXPECT_EQ(result.status, Status::kConverged);
  for (double w : solution.w) EXPECT_NEAR(w, 0, 1e-15);
}

// Mixing changes the way, not the result: w agrees to the root of the tolerance, on the packed
// form, the assembled one, and under both laws; and takes fewer sweeps.
TEST(Nsgs, MixingAgreesWithPlainSweepsAndIsFaster) {
  for (LawKind law : {LawKind::kCcp, LawKind::kNcp}) {
    Solution plain;
    const Result slow = Solve(BoxStack(5), law, 0, 1e-18, plain);
    ASSERT_TRUE(slow.converged());
    for (const Problem& problem : {BoxStack(5), AsMatrix(BoxStack(5))}) {
      Solution mixed;
      const Result fast = Solve(problem, law, 10, 1e-18, mixed);
      ASSERT_TRUE(fast.converged());
      EXPECT_LT(4 * fast.iterations, slow.iterations);
      for (std::size_t i = 0; i < plain.w.size(); ++i) EXPECT_NEAR(mixed.w[i], plain.w[i], 1e-8);
    }
  }
}

// Exact solutions beat projected steps where the rows of a contact are strongly coupled, as they
// are at the corners of boxes: fewer sweeps than psor.
TEST(Nsgs, TakesFewerSweepsThanProjectedOnes) {
  SolveOptions options;
  options.max_iterations = 100000;
  Solution solution;
  const Result psor = Driver("psor").Solve(BrickWall(), options, solution);
  const Result nsgs = Driver("nsgs").Solve(BrickWall(), options, solution);
  ASSERT_TRUE(psor.converged());
  ASSERT_TRUE(nsgs.converged());
  EXPECT_LT(nsgs.iterations, psor.iterations);
}

}  // namespace
}  // namespace nonsmooth
