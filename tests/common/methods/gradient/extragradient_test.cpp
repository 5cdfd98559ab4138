// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/extragradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

// A = [[ε, 1], [−1, ε]] is monotone but all but a rotation: the plain projected gradient with a
// step of any length above 2ε² moves away from the solution of A x = (1, 1), which for ε = 0.1 is
// x = (ε − 1, ε + 1) / (1 + ε²). The extragradient converges to it.
TEST(Extragradient, RotationIsSolved) {
  const double e = 0.1;
  const CsrMatrix a = FromTriplets("rotation", 2, 2, {{0, 0, e}, {0, 1, 1}, {1, 0, -1}, {1, 1, e}});
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 2;
  const double infinity = std::numeric_limits<double>::infinity();
  const Problem problem(std::make_shared<MatrixDynamics>(a, std::vector<double>{-1, -1}), {group},
                        {-infinity, -infinity}, {infinity, infinity});
  SolveOptions options;
  options.relative_tolerance = 1e-20;
  Solution solution;
  const Result result = Driver("extragradient").Solve(problem, options, solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_NEAR(solution.x[0], (e - 1) / (1 + e * e), 1e-8);
  EXPECT_NEAR(solution.x[1], (e + 1) / (1 + e * e), 1e-8);
}

// It does not diverge: on every problem of the collection, whatever the law, the error after 300
// iterations is no worse than a hundred times the least on the way.
TEST(Extragradient, ErrorStaysNearTheLeast) {
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : entry.laws) {
      const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
      SolveOptions options;
      options.law = law;
      options.max_iterations = 300;
      options.history = true;
      Solution solution;
      const TestProblem test = entry.make(law);
      const Result result = Driver("extragradient").Solve(test.problem, options, solution);
      ASSERT_NE(result.status, Status::kNumericalFailure) << entry.name;
      if (result.converged() || result.history.empty()) continue;
      EXPECT_LE(result.history.back().energy, 100 * result.energy.sum)
          << entry.name << " under " << ToString(law);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
