// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/timed_work.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {
namespace {

class TimedWorkTest : public testing::Test {
 protected:
  TimedWorkTest() {
    RowGroup group;
    group.size = 1;
    problem_ = Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, 1}}),
                                                        std::vector<double>{-1}),
                       {group}, {0}, {0});
    set_.Reset(problem_, Law(), nullptr);
  }

  void Start(double deadline) {
    SolveOptions options;
    options.deadline = deadline;
    monitor_.Start(set_, options, {0.5, 0.5, 0.5}, Monitor::Clock::now(), nullptr, &best_);
  }

  Problem problem_;
  FeasibleSet set_;
  std::vector<double> best_ = {0};
  Monitor monitor_;
  TimedWork work_;
};

// 1e15 multiplications take a day on any machine, a thousand nothing: the one is not begun where
// there are ten minutes, and ends the solve, the other is.
TEST_F(TimedWorkTest, WhatWouldNotEndInTimeIsNotBegun) {
  Start(600);
  EXPECT_TRUE(work_.Begin(1e3, monitor_));
  work_.End(monitor_);
  EXPECT_EQ(monitor_.status(), Status::kNotRun);
  TimedWork fresh;
  EXPECT_FALSE(fresh.Begin(1e15, monitor_));
  EXPECT_EQ(monitor_.status(), Status::kDeadline);
}

// The same work that took no time a moment ago is begun, however large it was said to be.
TEST_F(TimedWorkTest, LearnsFromTheWorkBefore) {
  Start(600);
  EXPECT_TRUE(work_.Begin(1e11, monitor_));  // two minutes, for all that is known
  work_.End(monitor_);
  EXPECT_TRUE(work_.Begin(1e13, monitor_));  // three hours, if that had been right
}

TEST_F(TimedWorkTest, WithoutADeadlineThereIsTimeForEverything) {
  Start(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(work_.Begin(1e18, monitor_));
  work_.End(monitor_);
  EXPECT_EQ(monitor_.status(), Status::kNotRun);
}

}  // namespace
}  // namespace nonsmooth
