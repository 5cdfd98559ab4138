// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/apgd.h"

#include <gtest/gtest.h>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

Result Solve(std::string_view name, const Problem& problem, const SolveOptions& options) {
  Driver driver(name);
  Solution solution;
  return driver.Solve(problem, options, solution);
}

// A tower of ten boxes: the load travels at the pace of the square root of the condition number,
// where Gauss–Seidel's takes the condition number itself.
TEST(Apgd, NeedsAFewHundredIterationsWherePsorNeedsThousands) {
  SolveOptions options;
  options.max_iterations = 1000;
  const Problem problem = BoxStack(10);
  EXPECT_TRUE(Solve("apgd", problem, options).converged());
  EXPECT_FALSE(Solve("psor", problem, options).converged());
}

// Without the restart the momentum overshoots; with it the same problem takes fewer iterations.
TEST(Apgd, RestartSavesIterations) {
  SolveOptions options;
  options.law = {LawKind::kCcp, 0};
  options.max_iterations = 20000;
  options.relative_tolerance = 1e-12;
  const Problem problem = BoxStack(5);
  const Result with = Solve("apgd", problem, options);
  Driver driver("apgd");
  Set("apgd", driver.Options(), "restart", "false");
  Solution solution;
  const Result without = driver.Solve(problem, options, solution);
  EXPECT_TRUE(with.converged());
  EXPECT_LT(with.iterations, without.iterations);
}

/// w = A x + b with bounds ±1, A = [[1, s], [−s, 1]]: as unsymmetric as it gets. Monotone, so that
/// there is one solution, but gradient steps spiral outwards for large s.
Problem Rotation(double s) {
  CsrMatrix a = FromTriplets("A", 2, 2, {{0, 0, 1}, {0, 1, s}, {1, 0, -s}, {1, 1, 1}});
  std::vector<RowGroup> groups(2);
  for (int i = 0; i < 2; ++i) {
    groups[i].kind = GroupKind::kBox;
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  return Problem(std::make_shared<MatrixDynamics>(std::move(a), std::vector<double>{-1, -1}),
                 groups, {-1e9, -1e9}, {1e9, 1e9});
}

// However unsymmetric A is, the error never rises much beyond ten thousand times the least, where
// the fallback takes over: for s ≥ 3 it has to, for s ≤ 0.3 the method converges by itself.
TEST(Apgd, DoesNotDivergeOnUnsymmetricMatrices) {
  for (double s : {0.01, 0.3, 3.0, 30.0}) {
    SolveOptions options;
    options.max_iterations = 2000;
    options.history = true;
    const Result result = Solve("apgd", Rotation(s), options);
    EXPECT_NE(result.status, Status::kNumericalFailure) << s;
    EXPECT_LE(result.energy.relative, 1) << s;
    double largest = 0;
    for (const IterationRecord& record : result.history) largest = std::max(largest, record.energy);
    EXPECT_LE(largest, 1e5 * result.energy.free_energy) << s;
    EXPECT_EQ(result.converged(), s < 1) << s;
    EXPECT_EQ(result.fallbacks > 0, s > 1) << s;
  }
}

}  // namespace
}  // namespace nonsmooth
