// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/splitting/staggered.h"

#include <gtest/gtest.h>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/expect_refusal.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

// Normal and tangent of the sliding block do not feel each other: one turn solves it, the normal in
// one step and the friction in another.
TEST(Staggered, DecoupledContactsTakeOneTurn) {
  const Law law{LawKind::kNcp, 0};
  const TestProblem block = FindProblem("SlidingBlock").make(law);
  SolveOptions options;
  options.law = law;
  options.relative_tolerance = 1e-20;
  Solution solution;
  const Result result = Driver("staggered").Solve(block.problem, options, solution);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 6);
  for (std::size_t i = 0; i < block.x.size(); ++i) EXPECT_NEAR(solution.x[i], block.x[i], 1e-10);
}

// Its fixed points are Coulomb's, not those of the convexified law.
TEST(Staggered, RefusesTheConvexifiedLaw) {
  SolveOptions options;
  options.law = {LawKind::kCcp, 0};
  Solution solution;
  test::ExpectRefusal([&] { (void)Driver("staggered").Solve(BoxStack(2), options, solution); },
                      {"staggered", "ccp"});
}

// Without friction the first projection is all there is to do, and it never hurts that a second
// follows.
TEST(Staggered, FrictionlessTowersAreOneProjection) {
  SolveOptions options;
  options.relative_tolerance = 1e-12;
  Solution solution;
  const Result result = Driver("staggered").Solve(BoxStack(6, 0.0), options, solution);
  EXPECT_TRUE(result.converged());
  for (int i = 0; i < 6 * 4; ++i) {
    EXPECT_EQ(solution.x[3 * i + 1], 0);
    EXPECT_EQ(solution.x[3 * i + 2], 0);
  }
}

// Joints take part in both projections: a chain alone is solved by either of them.
TEST(Staggered, KeepsJointsInBothProjections) {
  SolveOptions options;
  Solution solution;
  EXPECT_TRUE(Driver("staggered").Solve(Chain(10, 10), options, solution).converged());
}

}  // namespace
}  // namespace nonsmooth
