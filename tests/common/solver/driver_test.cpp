// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/driver.h"

#include <gtest/gtest.h>

#include "common/problem/problem_builder.h"

namespace nonsmooth {
namespace {

constexpr double kStep = 0.01;
constexpr double kGravity = 9.81;

/// A sphere of 2 kg resting on the fixed ground.
Problem RestingSphere() {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(2.0, 0.5, {0, 0, -kGravity * kStep});
  ContactPoint point;
  point.body_a = ground;
  point.body_b = ball;
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -0.5};
  ContactMaterial material;
  material.friction = 0.4;
  builder.AddContact(point, material);
  return builder.Build();
}

// The normal impulse of a resting body is m g h, friction is zero, nothing moves.
TEST(Driver, RestingSphereCarriesItsWeight) {
  const Problem problem = RestingSphere();
  Driver driver("psor");
  Solution solution;
  const Result result = driver.Solve(problem, SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_NEAR(solution.x[0], 2.0 * kGravity * kStep, 1e-12);
  EXPECT_NEAR(solution.x[1], 0, 1e-12);
  EXPECT_NEAR(solution.v[6 + 2], 0, 1e-12);
}

TEST(Driver, EmptyProblemIsSolvedByDoingNothing) {
  Driver driver("psor");
  Solution solution;
  const Result result = driver.Solve(Problem(), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_TRUE(solution.x.empty());
}

}  // namespace
}  // namespace nonsmooth
