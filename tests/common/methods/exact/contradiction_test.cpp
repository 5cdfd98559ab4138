// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/contradiction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TwoBodyRow Along(int body, int axis, double sign, double bias) {
  TwoBodyRow row;
  row.body_a = body;
  row.jacobian[axis] = sign;
  row.bias = bias;
  return row;
}

class ContradictoryRows : public testing::TestWithParam<const char*> {
 protected:
  Result Solve(const Problem& problem) {
    SolveOptions options;
    options.law = ParseLaw("ncp");
    return Driver(GetParam()).Solve(problem, options, solution_);
  }
  Solution solution_;
};

// A body of m = 2 kg that one row wants at 1 m/s and another at −1 m/s: w₁ = v − 1, w₂ = v + 1,
// a = 1/m. δe = ½ m (w₁² + w₂²) is least at v = 0, and there it is m = 2 J. The body flies at
// 3 m/s: x₁ + x₂ = −6 N s, and the shortest such x shares it.
TEST_P(ContradictoryRows, OfAJointAreSolvedInTheMiddleAndSaid) {
  ProblemBuilder builder;
  const int body = builder.AddSphere(2, 0.1, {0, 0, 0});
  builder.body(body).velocity[2] = 3;
  builder.AddEquality(Along(body, 2, 1, -1));
  builder.AddEquality(Along(body, 2, 1, 1));
  const Result result = Solve(builder.Build());
  EXPECT_EQ(result.status, Status::kContradictory);
  EXPECT_NEAR(result.bound, 2, 1e-3);
  EXPECT_LE(result.bound, result.energy.sum * (1 + 1e-9));
  EXPECT_LE(result.energy.sum, 1.06 * result.bound);
  EXPECT_NEAR(solution_.v[2], 0, 0.4);
  EXPECT_NEAR(solution_.x[0] - solution_.x[1], 0, 2);
  EXPECT_LE(std::hypot(solution_.x[0], solution_.x[1]), 6);
}

// The same body between two limits that leave no room, v ≥ 1 and −v ≥ 1: the impulses that squeeze
// it move nothing, and at v = 0 both are missed by 1 m/s, m = 2 J.
TEST_P(ContradictoryRows, OfLimitsAreSolvedInTheMiddleAndSaid) {
  ProblemBuilder builder;
  const int body = builder.AddSphere(2, 0.1, {0, 0, 0});
  builder.body(body).velocity[2] = 0.5;
  builder.AddBounded(Along(body, 2, 1, -1), 0, kInfinity);
  builder.AddBounded(Along(body, 2, -1, -1), 0, kInfinity);
  const Result result = Solve(builder.Build());
  EXPECT_EQ(result.status, Status::kContradictory);
  EXPECT_NEAR(result.bound, 2, 1e-2);
  EXPECT_LE(result.energy.sum, 1.06 * result.bound);
}

// Every joint of a chain twice, with the stabilisation of each copy its own: 60 rows of rank 30.
// What is said comes within a hundred factorisations, and is a bound: two hundred thousand sweeps
// do not get below it.
TEST_P(ContradictoryRows, OfAChainEndSoonNearABoundThatHolds) {
  const Problem chain = Chain(10, 5);
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(&chain.dynamics());
  ASSERT_NE(dynamics, nullptr);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-0.1, 0.1);
  ProblemBuilder builder;
  for (const Body& body : dynamics->bodies()) builder.AddBody(body);
  for (int copy = 0; copy < 2; ++copy) {
    for (TwoBodyRow row : dynamics->body_rows()) {
      row.bias += number(random);
      builder.AddEquality(row);
    }
  }
  const Problem problem = builder.Build();
  const Result result = Solve(problem);
  EXPECT_EQ(result.status, Status::kContradictory);
  EXPECT_GT(result.bound, 0);
  EXPECT_LE(result.energy.sum, 1.06 * result.bound);
  EXPECT_LE(result.iterations, 100);
  SolveOptions options;
  options.max_iterations = 200000;
  Solution swept;
  const Result sweeps = Driver("nncg").Solve(problem, options, swept);
  EXPECT_GE(sweeps.energy.sum, (1 - 1e-6) * result.bound);
}

// Redundant rows that agree are solved, and nothing is said against them.
TEST_P(ContradictoryRows, AreNotSeenWhereRowsAgree) {
  for (const Problem& problem : {BrickWall(), BoxStack(5), Chain(10, 100)}) {
    const Result result = Solve(problem);
    EXPECT_EQ(result.status, Status::kConverged);
    EXPECT_EQ(result.bound, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, ContradictoryRows, testing::Values("exact", "auto"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace nonsmooth
