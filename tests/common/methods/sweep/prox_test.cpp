// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/prox.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

Result Solve(const Problem& problem, const char* strategy, double tolerance, Solution& solution) {
  Driver driver("prox");
  Set("prox", driver.Options(), "strategy", strategy);
  SolveOptions options;
  options.relative_tolerance = tolerance;
  options.max_iterations = 50000;
  return driver.Solve(problem, options, solution);
}

// The fixed point does not depend on r: all three strategies end at the same w, that of nsgs.
TEST(Prox, StrategiesAgree) {
  SolveOptions options;
  options.relative_tolerance = 1e-18;
  options.max_iterations = 50000;
  Solution exact;
  ASSERT_TRUE(Driver("nsgs").Solve(BoxStack(3), options, exact).converged());
  for (const char* strategy : {"global", "local", "adaptive"}) {
    for (const Problem& problem : {BoxStack(3), AsMatrix(BoxStack(3))}) {
      Solution solution;
      ASSERT_TRUE(Solve(problem, strategy, 1e-18, solution).converged()) << strategy;
      for (std::size_t i = 0; i < exact.w.size(); ++i) {
        EXPECT_NEAR(solution.w[i], exact.w[i], 1e-8) << strategy;
      }
    }
  }
}

// Lu et al.: a larger r converges faster as long as it converges. Global factors are set by the
// stiffest contact and are the slowest.
TEST(Prox, GlobalFactorIsTheSlowest) {
  Solution solution;
  const Result global = Solve(BrickWall(), "global", 1e-8, solution);
  const Result local = Solve(BrickWall(), "local", 1e-8, solution);
  ASSERT_TRUE(global.converged());
  ASSERT_TRUE(local.converged());
  EXPECT_LT(local.iterations, global.iterations);
}

// Without friction the sweeps over the normals alone are the whole solution: a sphere at rest takes
// one iteration.
TEST(Prox, NormalsComeFirst) {
  const TestProblem test = FindProblem("SphereAtRest").make({LawKind::kNcp, 0});
  Solution solution;
  const Result result = Solve(test.problem, "local", 1e-20, solution);
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.iterations, 1);
}

// prox has no convexified form: `ccp` is refused by name.
TEST(Prox, ConvexifiedLawIsRefused) {
  SolveOptions options;
  options.law = {LawKind::kCcp, 0};
  Solution solution;
  EXPECT_THROW(static_cast<void>(Driver("prox").Solve(BoxStack(2), options, solution)),
               std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth
