// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Joints that ask for two things at once have no solution. Impulses along what they share grow
// without bound, and w = A x + b drowns in rounding: no solver may take that for convergence.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "common/problem/two_body_dynamics.h"
#include "common/solve/driver.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

/// Balls of 1 kg in a row, each held to the one before by two rows along x that want relative
/// velocities apart by 2 `apart`, around one that takes `pull` away.
Problem Contradictory(int balls, double apart, double pull) {
  std::vector<Body> bodies(balls + 1);
  std::vector<TwoBodyRow> rows;
  std::vector<RowGroup> groups;
  for (int i = 1; i <= balls; ++i) {
    bodies[i].inverse_mass = {1, 1, 1};
    for (const double sign : {-1.0, 1.0}) {
      TwoBodyRow row;
      row.body_a = i - 1;
      row.body_b = i;
      row.jacobian[0] = -1;
      row.jacobian[6] = 1;
      row.bias = -pull + sign * apart;
      RowGroup group;
      group.first_row = static_cast<int>(rows.size());
      group.size = 1;
      rows.push_back(row);
      groups.push_back(group);
    }
  }
  const std::vector<double> none(rows.size(), 0.0);
  return {std::make_shared<TwoBodyDynamics>(bodies, rows), groups, none, none};
}

class ContradictoryJoints : public testing::TestWithParam<std::string> {};

// One ball, A = [1 1; 1 1], b = (−1, 1): whatever x is, w₁ and w₂ differ by 2, and the error is at
// least ½ (1² + 1²) = 1, which is that of doing nothing.
TEST_P(ContradictoryJoints, NothingIsBetterThanDoingNothing) {
  const Problem problem = Contradictory(1, 1, 0);
  Solution solution;
  const Result result = Driver(GetParam()).Solve(problem, SolveOptions(), solution);
  EXPECT_NE(result.status, Status::kConverged);
  EXPECT_DOUBLE_EQ(result.energy.free_energy, 1);
  EXPECT_NEAR(result.energy.sum, 1, 1e-12);
}

// A chain of them that has to give way as well. The least error is that of the contradiction,
// Σ ½ · 2 · 0.1² / a with a = 1 at the wall and 2 between balls. What is returned is between that
// and nothing done, up to what rounding makes of w where impulses have grown to 1e14 N s: far from
// a solution in any case.
TEST_P(ContradictoryJoints, ErrorStaysAboveWhatNobodyCanSolve) {
  constexpr int kBalls = 20;
  const Problem problem = Contradictory(kBalls, 0.1, 1);
  SolveOptions options;
  options.max_iterations = 3000;
  Solution solution;
  const Result result = Driver(GetParam()).Solve(problem, options, solution);
  EXPECT_NE(result.status, Status::kConverged);
  const double least = 0.01 + (kBalls - 1) * 0.01 / 2;
  EXPECT_GE(result.energy.sum, 0.5 * least) << result.remark;
  EXPECT_LE(result.energy.sum, result.energy.free_energy);
  for (double x : solution.x) EXPECT_TRUE(std::isfinite(x));
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const SolverInfo& solver : Solvers()) names.emplace_back(solver.name);
  return names;
}

std::string NameOf(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Registry, ContradictoryJoints, testing::ValuesIn(Names()), NameOf);

}  // namespace
}  // namespace nonsmooth
