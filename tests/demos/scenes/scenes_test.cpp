// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"

namespace nonsmooth {
namespace {

constexpr double kFall = kSceneGravity * kSceneStep;

const std::vector<Body>& Bodies(const Problem& problem) {
  return dynamic_cast<const TwoBodyDynamics&>(problem.dynamics()).bodies();
}

Solution Solve(const Problem& problem, double tolerance = 1e-12) {
  Driver driver("apgd");
  SolveOptions options;
  options.max_iterations = 20000;
  options.relative_tolerance = tolerance;
  Solution solution;
  EXPECT_TRUE(driver.Solve(problem, options, solution).converged());
  return solution;
}

// The three sizes of the benchmarks, within 5 %.
TEST(SpherePile, HasAsManyContactsAsAskedFor) {
  for (int wanted : {256, 5000, 50000}) {
    const Problem problem = SpherePile(wanted);
    EXPECT_NEAR(problem.contacts(), wanted, 0.05 * wanted);
    EXPECT_EQ(problem.rows(), 3 * problem.contacts());
  }
}

TEST(SpherePile, SeedDecides) {
  EXPECT_EQ(SpherePile(100, 1).dynamics().bias(), SpherePile(100, 1).dynamics().bias());
  EXPECT_NE(SpherePile(100, 1).dynamics().bias(), SpherePile(100, 2).dynamics().bias());
}

// The biases do not contradict each other: a pile of 256 contacts has a solution under every law.
TEST(SpherePile, CanBeSolved) {
  for (const char* law : {"ccp", "ncp", "coupled_box"}) {
    Driver driver("apgd");
    SolveOptions options;
    options.law = ParseLaw(law);
    options.max_iterations = 5000;
    Solution solution;
    EXPECT_TRUE(driver.Solve(SpherePile(256), options, solution).converged()) << law;
  }
}

// Four contacts an interface; the lowest four carry the whole tower, the highest four one box.
TEST(BoxStack, LowestContactsCarryTheTower) {
  const Problem problem = BoxStack(3);
  ASSERT_EQ(problem.contacts(), 12);
  const Solution solution = Solve(problem);
  double lowest = 0;
  double highest = 0;
  for (int c = 0; c < 4; ++c) lowest += solution.x[3 * c];
  for (int c = 8; c < 12; ++c) highest += solution.x[3 * c];
  EXPECT_NEAR(lowest, 3 * 10 * kFall, 1e-3);
  EXPECT_NEAR(highest, 10 * kFall, 1e-3);
}

// 8 contacts below the first row, 4 overlaps of 4 contacts between any two rows; 6 · 2 + 6 · 3
// bricks and the ground. It stands.
TEST(BrickWall, StandsOnItsContacts) {
  const Problem problem = BrickWall();
  EXPECT_EQ(problem.contacts(), 8 + 11 * 16);
  EXPECT_EQ(Bodies(problem).size(), 31u);
  const Solution solution = Solve(problem);
  for (double v : solution.v) EXPECT_NEAR(v, 0, 1e-4);
}

TEST(MassRatioStack, UpperBoxIsRatioTimesAsHeavy) {
  const std::vector<Body> bodies = Bodies(MassRatioStack(1000));
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_DOUBLE_EQ(bodies[1].inverse_mass[2] / bodies[2].inverse_mass[2], 1000);
}

// Three equality rows a joint. A chain that hangs out at an angle falls: its joints hold it
// together but not up, and the ball at the end of one link takes the link's tip with it.
TEST(Chain, JointsHoldWhileItFalls) {
  const Problem problem = Chain(1, 10);
  ASSERT_EQ(problem.rows(), 6);
  const Solution solution = Solve(problem);
  for (double w : solution.w) EXPECT_NEAR(w, 0, 1e-5);
  EXPECT_LT(solution.v[6 * 2 + 2], -0.01);
}

// Motor torque below what the speed asks for: ω = T h / I = 50 · 0.01 / 0.5 rad/s.
TEST(Motor, SaturatesAtItsTorque) {
  const Solution solution = Solve(Motor(2, 50));
  EXPECT_NEAR(solution.v[6 + 5], 1.0, 1e-6);
}

// No sliding: v = ω r before and after the step; rolling friction takes some of it.
TEST(RollingSphere, RollsOnMoreSlowly) {
  const Problem problem = RollingSphere(1);
  ASSERT_EQ(problem.rows(), 6);
  const Solution solution = Solve(problem);
  EXPECT_NEAR(solution.v[6], 0.25 * solution.v[6 + 4], 1e-6);
  EXPECT_LT(solution.v[6], 0.9999);
  EXPECT_GT(solution.v[6], 0.9);
}

}  // namespace
}  // namespace nonsmooth
