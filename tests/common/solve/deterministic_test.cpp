// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class Deterministic : public testing::TestWithParam<const SolverInfo*> {};

// The same problem gives the same bits: again with the same driver, with that driver after it has
// solved something else, and with a fresh driver on a problem made anew.
TEST_P(Deterministic, SameInputGivesTheSameBits) {
  for (LawKind kind : GetParam()->laws) {
    SolveOptions options;
    options.law = {kind, kind == LawKind::kPyramid ? 8 : 0};
    options.max_iterations = 40;
    const Problem problem = SpherePile(60, 5);
    Driver driver(GetParam()->name);
    Solution first;
    const Result result = driver.Solve(problem, options, first);
    Solution again;
    EXPECT_EQ(driver.Solve(problem, options, again).iterations, result.iterations);
    EXPECT_TRUE(SameBits(first.x, again.x)) << ToString(kind);

    Solution other;
    EXPECT_NE(driver.Solve(BoxStack(2), options, other).status, Status::kNotRun);
    EXPECT_EQ(driver.Solve(problem, options, again).iterations, result.iterations);
    EXPECT_TRUE(SameBits(first.x, again.x)) << ToString(kind) << " after another problem";

    Driver fresh(GetParam()->name);
    EXPECT_EQ(fresh.Solve(SpherePile(60, 5), options, again).iterations, result.iterations);
    EXPECT_TRUE(SameBits(first.x, again.x)) << ToString(kind) << " with a fresh driver";
    EXPECT_TRUE(SameBits(first.w, again.w)) << ToString(kind) << " with a fresh driver";
    EXPECT_TRUE(SameBits(first.v, again.v)) << ToString(kind) << " with a fresh driver";
  }
}

std::vector<const SolverInfo*> Registered() {
  std::vector<const SolverInfo*> infos;
  for (const SolverInfo& info : Solvers()) infos.push_back(&info);
  return infos;
}

INSTANTIATE_TEST_SUITE_P(Registry, Deterministic, testing::ValuesIn(Registered()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace nonsmooth
