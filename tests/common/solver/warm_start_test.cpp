// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/warm_start.h"

#include <gtest/gtest.h>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

/// A ball with joints (equality), motors (box) and contacts with the given keys.
Problem Make(int joints, int motors, const std::vector<std::uint64_t>& keys,
             double rolling_friction = 0) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(1, 0.1, {});
  TwoBodyRow row;
  row.body_a = ground;
  row.body_b = ball;
  row.jacobian[6] = 1;
  for (int i = 0; i < joints; ++i) builder.AddEquality(row);
  for (std::uint64_t key : keys) {
    ContactPoint point;
    point.body_a = ground;
    point.body_b = ball;
    point.normal = {0, 0, 1};
    ContactMaterial material;
    material.rolling_friction = rolling_friction;
    material.key = key;
    builder.AddContact(point, material);
  }
  for (int i = 0; i < motors; ++i) builder.AddBounded(row, -1, 1);
  return builder.Build();
}

// Contacts 7 and 9 swap places, 8 has gone, 5 is new and starts at zero.
TEST(WarmStart, ContactsAreFoundAgainByKey) {
  WarmStart cache;
  cache.Store(Make(0, 0, {7, 8, 9}), {1, 2, 3, 4, 5, 6, 10, 11, 12});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(0, 0, {9, 5, 7}), x0), 2);
  EXPECT_EQ(x0, (std::vector<double>{10, 11, 12, 0, 0, 0, 1, 2, 3}));
}

// Two contacts with one key are told apart by their order.
TEST(WarmStart, EqualKeysAreMatchedInOrder) {
  WarmStart cache;
  cache.Store(Make(0, 0, {4, 4}), {1, 2, 3, 4, 5, 6});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(0, 0, {4, 4, 4}), x0), 2);
  EXPECT_EQ(x0, (std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0, 0}));
}

// Key 0 means anonymous: such contacts are never matched.
TEST(WarmStart, AnonymousContactsStartAtZero) {
  WarmStart cache;
  cache.Store(Make(0, 0, {0}), {1, 2, 3});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(0, 0, {0}), x0), 0);
  EXPECT_EQ(x0, (std::vector<double>{0, 0, 0}));
}

// A contact that has gained rolling rows has another shape: its impulses mean something else.
TEST(WarmStart, AnotherShapeIsNotMatched) {
  WarmStart cache;
  cache.Store(Make(0, 0, {4}), {1, 2, 3});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(0, 0, {4}, 0.01), x0), 0);
  EXPECT_EQ(x0, std::vector<double>(5, 0.0));
}

// Joints and motors stay in order while contacts come and go between them.
TEST(WarmStart, AnonymousJointsAreMatchedByOrder) {
  WarmStart cache;
  cache.Store(Make(2, 1, {7}), {1, 2, 10, 11, 12, 3});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(2, 1, {}), x0), 3);
  EXPECT_EQ(x0, (std::vector<double>{1, 2, 3}));
}

// If their number or their kinds have changed, which is which is anybody's guess.
TEST(WarmStart, AnonymousJointsAreDroppedIfTheyDoNotAgree) {
  WarmStart cache;
  cache.Store(Make(2, 1, {}), {1, 2, 3});
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(1, 1, {}), x0), 0);
  EXPECT_EQ(cache.Load(Make(1, 2, {}), x0), 0);
  EXPECT_EQ(x0, (std::vector<double>{0, 0, 0}));
}

TEST(WarmStart, RefusesASolutionOfTheWrongSize) {
  WarmStart cache;
  EXPECT_THROW(cache.Store(Make(2, 0, {}), {1, 2, 3}), std::invalid_argument);
}

TEST(WarmStart, NothingIsFoundAfterClear) {
  WarmStart cache;
  cache.Store(Make(1, 0, {4}), {1, 2, 3, 4});
  cache.Clear();
  std::vector<double> x0;
  EXPECT_EQ(cache.Load(Make(1, 0, {4}), x0), 0);
}

// The start is iteration 0: from the solution no solver takes a step.
TEST(WarmStart, FromTheSolutionNoSolverIterates) {
  const Problem problem = BoxStack(2);
  for (const SolverInfo& info : Solvers()) {
    for (LawKind kind : info.laws) {
      SolveOptions options;
      options.law = {kind, kind == LawKind::kPyramid ? 8 : 0};
      options.max_iterations = 20000;
      Driver driver(info.name);
      Solution solution;
      ASSERT_TRUE(driver.Solve(problem, options, solution).converged()) << info.name;
      WarmStart cache;
      cache.Store(problem, solution.x);
      std::vector<double> x0;
      ASSERT_EQ(cache.Load(BoxStack(2), x0), 8);
      Result result;
      // Law `box` freezes its bounds at the warm start's normal impulses, so that its solution
      // moves a little.
      driver.Solve(problem, options, &x0, solution, result);
      EXPECT_TRUE(result.converged()) << info.name << " " << ToString(kind);
      // A pivoting path begins at nothing whatever the start: 8 normals and 16 tangents at most.
      const int most = info.name == "lemke" ? 24 : 1;
      EXPECT_LE(result.iterations, kind == LawKind::kBox ? most : 0)
          << info.name << " " << ToString(kind);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
