// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Where a solve starts, and what is returned where there is nothing to do.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "common/problem/two_body_dynamics.h"
#include "demos/scenes/scenes.h"
#include "tests/common/solve/scripted_solver.h"
#include "tests/support/expect_refusal.h"

namespace nonsmooth {
namespace {

using test::DriverContract;
using test::kInfinity;
using test::kNaN;

TEST_F(DriverContract, NoIterationsReturnTheStart) {
  options_.max_iterations = 0;
  Solve({1.0});
  EXPECT_EQ(result_.status, Status::kIterationLimit);
  EXPECT_EQ(result_.iterations, 0);
  ExpectReturned(0, 0);
  const std::vector<double> start{0.75};
  Solve({1.0}, &start);
  ExpectReturned(0.75, 0);
}

TEST_F(DriverContract, TheStartMayAlreadyBeTheSolution) {
  const std::vector<double> start{1.0};
  Solve({0.5}, &start);
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_EQ(result_.iterations, 0);
  ExpectReturned(1, 0);
}

TEST_F(DriverContract, DeadlineThatHasPassedReturnsTheStart) {
  options_.deadline = 0;
  Solve({1.0});
  EXPECT_EQ(result_.status, Status::kDeadline);
  EXPECT_EQ(result_.iterations, 0);
  ExpectReturned(0, 0);
}

// b = 0 and nothing presses: the free energy is zero, and so is every tolerance that is relative to
// it. Whatever the warm start was, the answer is to do nothing.
TEST_F(DriverContract, ProblemAtRestIsSolvedByDoingNothing) {
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 1;
  auto dynamics = std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, 1}}),
                                                   std::vector<double>{0});
  problem_ = Problem(std::move(dynamics), {group}, {0}, {kInfinity});
  const std::vector<double> start{0.3};
  Solve({0.2, 0.1}, &start);
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_EQ(result_.iterations, 0);
  EXPECT_EQ(solution_.x[0], 0);
  EXPECT_EQ(result_.energy.relative, 0);
}

// Free bodies without rows move on; the solver is not called.
TEST_F(DriverContract, ProblemWithoutRowsNeedsNoSolver) {
  problem_ =
      Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 0, 0, {}), std::vector<double>{}),
              {}, {}, {});
  Solve({1.0});
  EXPECT_EQ(result_.status, Status::kConverged);
  EXPECT_EQ(solver_->prepared, 0);
  EXPECT_TRUE(solution_.x.empty());
}

TEST_F(DriverContract, BadWarmStartIsRefusedAndTheSolutionUntouched) {
  solution_.x = {7};
  const auto refused = [&](const std::vector<double>& start,
                           std::initializer_list<const char*> parts) {
    test::ExpectRefusal([&] { Solve({1.0}, &start); }, parts);
    EXPECT_EQ(result_.status, Status::kNotRun);
    EXPECT_EQ(solution_.x, std::vector<double>{7});
  };
  refused({}, {"warm_start has 0 entries", "expected 1"});
  refused({0, 0}, {"warm_start has 2 entries", "expected 1"});
  refused({kNaN}, {"warm_start[0]", "not finite"});
  refused({-kInfinity}, {"warm_start[0]", "not finite"});
}

// Off by ½ (3 − 1)² = 2 where zero is off by ½: zero is where the solve starts, and what is
// returned where it has no time. So is a start that is no better, x = 2, and one that overflows.
TEST_F(DriverContract, StartThatIsNoBetterThanZeroIsDropped) {
  options_.max_iterations = 0;
  for (const double worse : {3.0, 2.0, -1.0, 1e200}) {
    const std::vector<double> start{worse};
    Solve({}, &start);
    ExpectReturned(0, 0);
  }
  const std::vector<double> better{1.999};
  Solve({}, &better);
  ExpectReturned(1.999, 0);
}

// The solver begins from zero as well, and the history says so.
TEST_F(DriverContract, SolverBeginsFromZeroWhereTheStartIsDropped) {
  options_.history = true;
  solver_->during = [](int, Monitor& monitor) { EXPECT_EQ(monitor.best()[0], 0); };
  const std::vector<double> start{3.0};
  Solve({0.5}, &start);
  ExpectReturned(0.5, 1);
  EXPECT_EQ(result_.history[0].energy, 0.5);
}

// One that smooths gets it all the same; what is returned is never worse than zero.
TEST_F(DriverContract, RoughStartIsGivenToWhoeverSmoothsIt) {
  solver_->smooths = true;
  const std::vector<double> start{3.0};
  Solve({2.5, 0.9}, &start);
  EXPECT_EQ(solver_->begun, 3);
  ExpectReturned(0.9, 2);
  Solve({2.5, 2.4}, &start);
  ExpectReturned(0, 0);
}

// A start a thousand times the weight of a wall: five sweeps do not mend that, so they begin anew
// from zero, which is said, and are as far as a solve from zero with so many sweeps less.
TEST(DriverStart, StartThatSweepsDoNotMendIsGivenUp) {
  const Problem wall = BrickWall();
  std::vector<double> start(wall.rows(), 0.0);
  for (const RowGroup& group : wall.groups()) start[group.first_row] = 1e3;
  for (const char* solver : {"psor", "nncg", "pgs_sm", "nsgs", "prox"}) {
    Driver driver(solver);
    SolveOptions options;
    options.law = {LawKind::kNcp, 0};
    options.max_iterations = 60;
    Solution solution;
    Result warm;
    driver.Solve(wall, options, &start, solution, warm);
    EXPECT_NE(warm.remark.find("zero for the start"), std::string::npos) << solver;
    options.max_iterations -= 2 * Monitor::kProbation;
    const Result cold = driver.Solve(wall, options, solution);
    EXPECT_LE(warm.energy.sum, 2 * cold.energy.sum) << solver;
  }
}

// Twelve digits below the energy of its flight a body is as good as held: 1 kg at 10 m/s have 50 J,
// its joint gapes by 1e-10 m/s. At rest the same gap is all there is.
TEST(DriverStart, WhatIsRoundingBesideTheMotionIsLeftAlone) {
  for (const double speed : {10.0, 0.0}) {
    Body body;
    body.inverse_mass = {1, 1, 1};
    body.velocity = {speed, 0, 0, 0, 0, 0};
    TwoBodyRow row;
    row.body_a = 0;
    row.jacobian[0] = 1;
    row.bias = -speed + 1e-10;
    RowGroup group;
    group.size = 1;
    const Problem problem(
        std::make_shared<TwoBodyDynamics>(std::vector<Body>{body}, std::vector<TwoBodyRow>{row}),
        {group}, {0}, {0});
    Solution solution;
    const Result result = Driver("psor").Solve(problem, SolveOptions(), solution);
    EXPECT_EQ(result.status, Status::kConverged);
    EXPECT_EQ(result.iterations, speed > 0 ? 0 : 1);
    EXPECT_NEAR(result.energy.free_energy, 5e-21, 1e-24);
  }
}

}  // namespace
}  // namespace nonsmooth
