// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/boxed_mlcp.h"

#include <gtest/gtest.h>

#include "tests/support/expect_refusal.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A motor of 50 N m, h = 0.01 s: five joints without bounds, then ± 0.5 N m s.
TEST(BoxedMlcp, JointsAreFreeAndMotorsBounded) {
  const Law law{LawKind::kBox, 0};
  const Problem problem = FindProblem("MotorSaturated").make(law).problem;
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const std::vector<double> x(6, 0.0);
  BoxedMlcp mlcp;
  mlcp.Freeze(set, x.data());
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(mlcp.lower[i], -kInfinity);
    EXPECT_EQ(mlcp.upper[i], kInfinity);
  }
  EXPECT_DOUBLE_EQ(mlcp.lower[5], -0.5);
  EXPECT_DOUBLE_EQ(mlcp.upper[5], 0.5);
  EXPECT_FALSE(BoxedMlcp::Moves(set));
}

// μ = 0.4: frozen at the estimate 2 g h under `box`, at the x_n given under `coupled_box`, at zero
// where that is negative.
TEST(BoxedMlcp, FrictionIsFrozenAtEstimateOrNormal) {
  const double fall = 9.81 * 0.01;
  const Problem problem = FindProblem("SlidingBlock").make({LawKind::kBox, 0}).problem;
  FeasibleSet set;
  BoxedMlcp mlcp;
  std::vector<double> x{5, 0, 0};
  set.Reset(problem, {LawKind::kBox, 0}, nullptr);
  mlcp.Freeze(set, x.data());
  EXPECT_DOUBLE_EQ(mlcp.upper[1], 0.4 * 2 * fall);
  EXPECT_FALSE(BoxedMlcp::Moves(set));
  set.Reset(problem, {LawKind::kCoupledBox, 0}, nullptr);
  EXPECT_TRUE(BoxedMlcp::Moves(set));
  mlcp.Freeze(set, x.data());
  EXPECT_EQ(mlcp.lower[0], 0);
  EXPECT_EQ(mlcp.upper[0], kInfinity);
  EXPECT_DOUBLE_EQ(mlcp.upper[2], 2);
  EXPECT_DOUBLE_EQ(mlcp.lower[2], -2);
  x[0] = -1;
  mlcp.Freeze(set, x.data());
  EXPECT_EQ(mlcp.upper[1], 0);
}

// x − w/a below, between and above the bounds −1 and 1, a = 2.
TEST(BoxedMlcp, StateIsTheBranchOfTheNaturalMap) {
  BoxedMlcp mlcp{{-1}, {1}};
  EXPECT_EQ(mlcp.StateOf(0, 0, 3, 2), RowState::kLower);
  EXPECT_EQ(mlcp.StateOf(0, 0, 1, 2), RowState::kFree);
  EXPECT_EQ(mlcp.StateOf(0, 0, -3, 2), RowState::kUpper);
  EXPECT_EQ(mlcp.BoundOf(0, RowState::kLower), -1);
  EXPECT_EQ(mlcp.BoundOf(0, RowState::kUpper), 1);
}

TEST(BoxedMlcp, InertRowsAreHeld) {
  const Law law{LawKind::kCoupledBox, 0};
  const Problem problem = FindProblem("ContactBetweenFixedBodies").make(law).problem;
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const std::vector<double> x(6, 1.0);
  BoxedMlcp mlcp;
  mlcp.Freeze(set, x.data());
  for (int i = 3; i < 6; ++i) {
    EXPECT_EQ(mlcp.lower[i], 0);
    EXPECT_EQ(mlcp.upper[i], 0);
  }
}

TEST(BoxedMlcp, ConesAreRefused) {
  const Law law{LawKind::kPyramid, 4};
  const Problem problem = FindProblem("SphereAtRest").make(law).problem;
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const std::vector<double> x(3, 0.0);
  BoxedMlcp mlcp;
  test::ExpectRefusal([&] { mlcp.Freeze(set, x.data()); }, {"boxed MLCP", "group 0", "cone"});
}

}  // namespace
}  // namespace nonsmooth
