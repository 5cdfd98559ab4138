// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_guard.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// A body of 1 kg at rest and one row along z that wants it to move at 1 m/s: b₀ = −1, a = 1, and
/// half a joule of its own.
struct Push {
  explicit Push(GroupKind kind, double upper = std::numeric_limits<double>::infinity()) {
    Body body;
    body.inverse_mass = {1, 1, 1};
    TwoBodyRow row;
    row.body_b = 0;
    row.jacobian[8] = 1;
    row.bias = -1;
    RowGroup group;
    group.kind = kind;
    group.size = 1;
    problem = Problem(
        std::make_shared<TwoBodyDynamics>(std::vector<Body>{body}, std::vector<TwoBodyRow>{row}),
        {group}, {0}, {upper});
  }

  /// Of impulse x: the body moves at x, w = x − 1, and its energy is ½ x².
  std::string_view ObjectionTo(double x, double relative_error) {
    Solution solution;
    solution.x = {x};
    solution.w = {x - 1};
    solution.v = {0, 0, x, 0, 0, 0};
    Result result;
    result.energy.free_energy = 0.5;
    result.energy.relative = relative_error;
    return Objection(problem, solution, result);
  }

  Problem problem;
};

TEST(StepGuard, TheSolutionIsTaken) {
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(1, 0), "");
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(0, 1), "");
}

TEST(StepGuard, WhatIsWorseThanNothingIsNot) {
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(1, 1.01), "is worse than zero impulses");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(1, nan), "is worse than zero impulses");
}

// Granted are 1e5 · ½ J and half a joule: 50,000.5 J. 316 m/s are 49,928 J, 317 m/s 50,244.5 J.
TEST(StepGuard, EnergyHasToComeFromSomewhere) {
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(316, 0.5), "");
  EXPECT_EQ(Push(GroupKind::kEquality).ObjectionTo(317, 0.5), "adds energy it cannot account for");
}

// A motor of at most 200 N s does x · 1 m/s: 101 J, which a hundred thousand times over are enough.
TEST(StepGuard, MotorsMayDoTheirWork) {
  EXPECT_EQ(Push(GroupKind::kBox, 200).ObjectionTo(317, 0.5), "");
}

}  // namespace
}  // namespace nonsmooth
