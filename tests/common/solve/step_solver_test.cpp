// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/solve/step_budget.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Law kNcp{LawKind::kNcp, 0};

/// The problems of the collection that are meant for Coulomb's law and have rows.
std::vector<std::pair<std::string, Problem>> Problems() {
  std::vector<std::pair<std::string, Problem>> problems;
  for (const CollectionEntry& entry : Collection()) {
    const bool meant =
        std::find(entry.laws.begin(), entry.laws.end(), LawKind::kNcp) != entry.laws.end();
    if (!meant) continue;
    problems.emplace_back(entry.name, entry.make(kNcp).problem);
    if (problems.back().second.rows() == 0) problems.pop_back();
  }
  return problems;
}

// ε = (1e-4 h)²: (1e-4 / 60)² = 2.8e-12 at 1/60 s; 1e-14, the least, at 1 ms and below.
TEST(StepBudget, ToleranceIsWhatASecondDoesNotShow) {
  EXPECT_NEAR(StepTolerance(1.0 / 60), 2.78e-12, 0.01e-12);
  EXPECT_DOUBLE_EQ(StepTolerance(1e-3), 1e-14);
  EXPECT_DOUBLE_EQ(StepTolerance(1e-5), 1e-14);
}

// A twentieth of a step of 1/60 s is 0.83 ms; a thousand sweeps over a few rows are more than that
// of a microsecond.
TEST(StepBudget, IsTheLargerOfTwo) {
  EXPECT_DOUBLE_EQ(StepBudget(30, 10, 1.0 / 60), 0.05 / 60);
  EXPECT_GT(StepBudget(30, 1000, 1e-6), 0.05e-6);
  EXPECT_DOUBLE_EQ(StepBudget(30, 2000, 1e-9), 2 * StepBudget(30, 1000, 1e-9));
}

// With ten milliseconds every problem of the collection that has bodies is solved to 1e-8 or left
// with less error than at zero, and the same again to the bit.
TEST(StepSolver, EqualInputGivesEqualBits) {
  for (const auto& [name, problem] : Problems()) {
    SolveOptions options;
    options.law = kNcp;
    StepSolver first("auto"), second("auto");
    Solution a, b;
    Result result_a, result_b;
    first.Solve(problem, options, 10e-3, nullptr, a, result_a);
    second.Solve(problem, options, 10e-3, nullptr, b, result_b);
    EXPECT_EQ(a.x, b.x) << name;
    EXPECT_LE(result_a.energy.relative, 1) << name;
    EXPECT_EQ(result_a.energy.sum, result_b.energy.sum) << name;
  }
}

// A budget that is twice, four or sixteen times as large never leaves a larger error, but for
// what methods stopped half-way differ by: a thousandth of the free energy.
TEST(StepSolver, MoreBudgetIsNotWorse) {
  for (const auto& [name, problem] : Problems()) {
    SolveOptions options;
    options.law = kNcp;
    double before = kInfinity;
    for (const double budget : {20e-6, 40e-6, 80e-6, 320e-6, 5e-3}) {
      StepSolver solver("auto");
      Solution solution;
      Result result;
      solver.Solve(problem, options, budget, nullptr, solution, result);
      EXPECT_LE(result.energy.relative, before + 1e-3) << name << " at " << budget << " s";
      before = std::min(before, result.energy.relative);
    }
  }
}

TEST(StepSolver, OthersThanAutoHaveTheirIterations) {
  EXPECT_TRUE(StepSolver("auto").takes_budget());
  EXPECT_FALSE(StepSolver("psor").takes_budget());
}

}  // namespace
}  // namespace nonsmooth
