// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Any number of threads gives the same bits. To be run under ThreadSanitizer as well.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"
#include "common/util/thread_team.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"
#include "tests/support/side_by_side.h"

namespace nonsmooth {
namespace {

/// More than the machine may have.
const tbb::global_control eight_threads(tbb::global_control::max_allowed_parallelism, 8);

/// All problems of the collection that are made for `law` and stand on packed bodies, beside each
/// other, with a start for each.
Problem WholeCollection(const Law& law) {
  std::vector<Problem> problems;
  for (const CollectionEntry& entry : Collection()) {
    if (std::find(entry.laws.begin(), entry.laws.end(), law.kind) == entry.laws.end()) continue;
    const Problem problem = entry.make(law).problem;
    if (problem.rows() == 0) continue;
    if (dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics()) == nullptr) continue;
    problems.push_back(problem);
  }
  problems.push_back(SpherePile(60));
  problems.push_back(BrickWall());
  return SideBySide(problems);
}

class ThreadsOfEverySolver : public testing::TestWithParam<const SolverInfo*> {};

TEST_P(ThreadsOfEverySolver, GiveTheSameBits) {
  for (const LawKind kind : GetParam()->laws) {
    SolveOptions options;
    options.law = {kind, kind == LawKind::kPyramid ? 4 : 0};
    options.max_iterations = 20;
    const Problem problem = WholeCollection(options.law);
    Solution one;
    const Result expected = Driver(GetParam()->name).Solve(problem, options, one);
    EXPECT_GT(expected.islands, 5);
    Driver driver(GetParam()->name);
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      Solution solution;
      const Result result = driver.Solve(problem, options, solution);
      EXPECT_EQ(solution.x, one.x) << threads << " threads, " << ToString(kind);
      EXPECT_EQ(solution.w, one.w);
      EXPECT_EQ(solution.v, one.v);
      EXPECT_EQ(result.status, expected.status);
      EXPECT_EQ(result.iterations, expected.iterations);
      EXPECT_EQ(result.energy.sum, expected.energy.sum);
      EXPECT_EQ(result.worst.first_group, expected.worst.first_group);
      EXPECT_EQ(result.remark, expected.remark);
    }
  }
}

std::vector<const SolverInfo*> Registered() {
  std::vector<const SolverInfo*> infos;
  for (const SolverInfo& info : Solvers()) infos.push_back(&info);
  return infos;
}

INSTANTIATE_TEST_SUITE_P(Registry, ThreadsOfEverySolver, testing::ValuesIn(Registered()),
                         [](const auto& test) { return std::string(test.param->name); });

// Options of the solver reach the solvers of all threads: without relaxation nothing would be the
// same as with it.
TEST(Threads, HaveTheSameOptions) {
  const Problem problem = Towers(7, 3);
  SolveOptions options;
  options.max_iterations = 7;
  Solution plain, one, many;
  Driver driver("psor");
  driver.Solve(problem, options, nullptr, plain, *std::make_unique<Result>());
  Set("psor", driver.Options(), "relaxation", "0.5");
  driver.Solve(problem, options, nullptr, one, *std::make_unique<Result>());
  options.threads = 4;
  driver.Solve(problem, options, nullptr, many, *std::make_unique<Result>());
  EXPECT_NE(plain.x, one.x);
  EXPECT_EQ(one.x, many.x);
}

// Above 8,192 contacts one island is swept by all threads, in an order that does not depend on
// them, under every law of the sweeps and with measuring in between.
TEST(Threads, SweepOneLargeIslandTheSame) {
  const Problem pile = SpherePile(9000);
  for (const char* name : {"psor", "nncg", "auto"}) {
    for (const LawKind kind : {LawKind::kNcp, LawKind::kCcp, LawKind::kCoupledBox, LawKind::kBox}) {
      SolveOptions options;
      options.law = {kind, 0};
      options.max_iterations = 6;
      options.measure_every = 2;
      Solution one;
      const Result expected = Driver(name).Solve(pile, options, one);
      Driver driver(name);
      for (const int threads : {2, 3, 8}) {
        options.threads = threads;
        Solution many;
        const Result result = driver.Solve(pile, options, many);
        EXPECT_EQ(many.x, one.x) << name << ", " << ToString(kind) << ", " << threads;
        EXPECT_EQ(many.w, one.w);
        EXPECT_EQ(many.v, one.v);
        EXPECT_EQ(result.energy.sum, expected.energy.sum);
        EXPECT_EQ(result.energy.max_row, expected.energy.max_row);
      }
    }
  }
}

// Four drivers on four threads, each with threads of its own, on one problem.
TEST(Threads, MayCallFromSeveral) {
  const Problem problem = Towers(20, 3);
  SolveOptions options;
  options.max_iterations = 30;
  Solution expected;
  EXPECT_NE(Driver("nncg").Solve(problem, options, expected).status, Status::kNotRun);
  options.threads = 2;
  std::vector<Solution> solutions(4);
  ThreadTeam team;
  team.Run(4, [&](int i) {
    Driver driver("nncg");
    Result result;
    driver.Solve(problem, options, nullptr, solutions[i], result);
  });
  for (const Solution& solution : solutions) EXPECT_EQ(solution.x, expected.x);
}

TEST(ThreadTeam, DoesEveryJobOnce) {
  ThreadTeam team;
  for (const int count : {0, 1, 2, 8, 3}) {
    std::vector<std::atomic<int>> done(8);
    team.Run(count, [&](int i) { ++done[i]; });
    for (int i = 0; i < 8; ++i) EXPECT_EQ(done[i], i < count ? 1 : 0);
  }
  EXPECT_EQ(ThreadCount(3), 3);
  EXPECT_GE(ThreadCount(0), 1);
}

TEST(ThreadTeam, ThrowsWhatAJobThrows) {
  ThreadTeam team;
  const auto fail = [](int i) {
    if (i == 1) throw std::runtime_error("job 1");
  };
  EXPECT_THROW(team.Run(3, fail), std::runtime_error);
  int done = 0;
  team.Run(1, [&](int) { ++done; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace nonsmooth
