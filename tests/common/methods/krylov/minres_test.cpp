// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/minres.h"

#include <gtest/gtest.h>

#include <memory>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// Equality rows with this dense A, by rows, and b.
Problem Joints(const std::vector<double>& a, const std::vector<double>& b) {
  const int n = static_cast<int>(b.size());
  std::vector<Triplet> entries;
  for (int i = 0; i < n * n; ++i) entries.push_back({i / n, i % n, a[i]});
  std::vector<RowGroup> groups(n);
  for (int i = 0; i < n; ++i) {
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  return {std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, entries), b), groups,
          std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
}

// In exact arithmetic a Krylov method ends after as many iterations as there are rows: 39 for
// thirteen ball joints. Rounding may cost a few more.
TEST(Minres, JointsAreSolvedWithinAsManyIterationsAsRows) {
  const Problem chain = Chain(12, 12);
  ASSERT_EQ(chain.rows(), 39);
  SolveOptions options;
  options.relative_tolerance = 1e-16;
  Solution solution;
  const Result result = Driver("minres").Solve(chain, options, solution);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 44);
}

// The energy error of equality rows is ½ wᵀ D⁻¹ w, which is what preconditioned MINRES makes least
// over a growing space: it never rises.
TEST(Minres, ErrorOfJointsNeverRises) {
  SolveOptions options;
  options.relative_tolerance = 1e-14;
  options.history = true;
  Solution solution;
  const Result result = Driver("minres").Solve(Chain(30, 100), options, solution);
  ASSERT_GT(result.history.size(), 10u);
  for (std::size_t k = 1; k < result.history.size(); ++k) {
    EXPECT_LE(result.history[k].energy, result.history[k - 1].energy * (1 + 1e-9));
  }
}

// The same joint twice, A = [1 1; 1 1], b = (2, 2): x₁ + x₂ = −2, and from zero each takes half.
TEST(Minres, RedundantJointsShareTheLoad) {
  Solution solution;
  const Result result =
      Driver("minres").Solve(Joints({1, 1, 1, 1}, {2, 2}), SolveOptions(), solution);
  EXPECT_TRUE(result.converged());
  EXPECT_NEAR(solution.x[0], -1, 1e-12);
  EXPECT_NEAR(solution.x[1], -1, 1e-12);
}

// Two joints that contradict each other, b = (1, 3): w = (1 + s, 3 + s), least at s = −2, where
// ½ wᵀw = 1 J. The solver finds that nothing more can be gained.
TEST(Minres, ContradictingJointsEndAtTheLeastResidual) {
  Solution solution;
  const Result result =
      Driver("minres").Solve(Joints({1, 1, 1, 1}, {1, 3}), SolveOptions(), solution);
  EXPECT_EQ(result.status, Status::kStalled);
  EXPECT_NEAR(result.energy.sum, 1, 1e-12);
  EXPECT_LE(result.iterations, 5);
}

// Gauss–Seidel needs of the order of n² sweeps for a chain of n links.
TEST(Minres, ChainsTakeFarFewerIterationsThanGaussSeidel) {
  const Problem chain = Chain(20, 20);
  SolveOptions options;
  options.max_iterations = 100000;
  Solution solution;
  const Result ours = Driver("minres").Solve(chain, options, solution);
  const Result sweeps = Driver("psor").Solve(chain, options, solution);
  EXPECT_TRUE(ours.converged() && sweeps.converged());
  EXPECT_LT(10 * ours.iterations, sweeps.iterations);
}

// From the solution there is nothing to do.
TEST(Minres, StartsWarm) {
  const Problem wall = BrickWall();
  Driver driver("minres");
  SolveOptions options;
  options.max_iterations = 20000;
  options.relative_tolerance = 1e-12;
  Solution solution;
  ASSERT_TRUE(driver.Solve(wall, options, solution).converged());
  const std::vector<double> start = solution.x;
  Result result;
  driver.Solve(wall, options, &start, solution, result);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(solution.x, start);
}

}  // namespace
}  // namespace nonsmooth
