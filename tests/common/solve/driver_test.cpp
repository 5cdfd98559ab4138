// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/driver.h"

#include <gtest/gtest.h>

#include <cmath>

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

// A body at rest on a belt, which is a body of infinite mass that moves: friction μ m g h drags it
// along with μ g h, and the belt keeps its speed.
TEST(Driver, BeltDragsWhatLiesOnIt) {
  for (const SolverInfo& solver : Solvers()) {
    if (!solver.Handles(LawKind::kNcp)) continue;
    ProblemBuilder builder;
    const int belt = builder.AddBody(Body());
    builder.body(belt).velocity[0] = 3;
    const int block = builder.AddSphere(2.0, 0.5, {0, 0, -kGravity * kStep});
    builder.body(block).inverse_inertia = {};  // slides, does not roll
    ContactPoint point;
    point.body_a = belt;
    point.body_b = block;
    point.normal = {0, 0, 1};
    ContactMaterial material;
    material.friction = 0.4;
    builder.AddContact(point, material);
    const Problem problem = builder.Build();
    SolveOptions options;
    options.relative_tolerance = 1e-20;
    Solution solution;
    const Result result = Driver(solver.name).Solve(problem, options, solution);
    EXPECT_LE(result.energy.relative, 1e-16) << solver.name;
    EXPECT_NEAR(solution.v[0], 3, 0) << solver.name;
    EXPECT_NEAR(solution.v[6], 0.4 * kGravity * kStep, 1e-9) << solver.name;
    EXPECT_NEAR(solution.v[6 + 2], 0, 1e-9) << solver.name;
    EXPECT_NEAR(std::hypot(solution.x[1], solution.x[2]), 0.4 * 2 * kGravity * kStep, 1e-9)
        << solver.name;
  }
}

// Without rows, also of bodies that move, and with nothing at all.
TEST(Driver, EmptyProblemIsSolvedByDoingNothing) {
  Driver driver("psor");
  Solution solution;
  const Result result = driver.Solve(Problem(), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_TRUE(solution.x.empty());
  EXPECT_TRUE(solution.v.empty());

  ProblemBuilder builder;
  builder.AddSphere(2.0, 0.5, {0, 0, -kGravity * kStep});
  for (const SolverInfo& solver : Solvers()) {
    EXPECT_TRUE(Driver(solver.name).Solve(Problem(), SolveOptions(), solution).converged());
  }
  EXPECT_TRUE(driver.Solve(builder.Build(), SolveOptions(), solution).converged());
  ASSERT_EQ(solution.v.size(), 6U);
  EXPECT_DOUBLE_EQ(solution.v[2], -kGravity * kStep);
}

}  // namespace
}  // namespace nonsmooth
