// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// fischer_newton and minmap_newton, which differ in the function and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

class RowNewton : public testing::TestWithParam<const char*> {
 protected:
  Result Solve(const Problem& problem, const Law& law, double tolerance) {
    Driver driver(GetParam());
    SolveOptions options;
    options.law = law;
    options.relative_tolerance = tolerance;
    return driver.Solve(problem, options, solution_);
  }

  Solution solution_;
};

// A = [2 1; 1 2], b = (−4, 1), 0 ≤ x ⊥ w ≥ 0: with x₂ = 0, x₁ = 2, w₂ = 3.
TEST_P(RowNewton, SolvesAClosedFormComplementarityProblem) {
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 2;
  const double infinity = std::numeric_limits<double>::infinity();
  auto dynamics = std::make_shared<MatrixDynamics>(test::DenseMatrix(2, 2, {2, 1, 1, 2}),
                                                   std::vector<double>{-4, 1});
  const Problem problem(dynamics, {group}, {0, 0}, {infinity, infinity});
  EXPECT_TRUE(Solve(problem, Law(), 1e-26).converged());
  EXPECT_NEAR(solution_.x[0], 2, 1e-12);
  EXPECT_NEAR(solution_.x[1], 0, 1e-12);
  EXPECT_NEAR(solution_.w[1], 3, 1e-12);
}

// Problems of every kind of group around a known solution, A positive definite: w is found to 1e-9.
// Under `box` the problem is convex and has no other.
TEST_P(RowNewton, FindsKnownSolutions) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Law law{LawKind::kBox, 0};
    const test::KnownProblem known = test::MakeKnownProblem(law, seed);
    EXPECT_TRUE(Solve(known.problem, law, 1e-22).converged()) << "seed " << seed;
    for (std::size_t i = 0; i < known.w.size(); ++i) {
      ASSERT_NEAR(solution_.w[i], known.w[i], 1e-9) << "seed " << seed << ", row " << i;
    }
  }
}

// Bounds that follow the normal, and polygons: of redundant contacts too.
TEST_P(RowNewton, SolvesTheBrickWallUnderCoupledLaws) {
  for (const Law& law : {Law{LawKind::kCoupledBox, 0}, Law{LawKind::kPyramid, 8}}) {
    const Result result = Solve(BrickWall(), law, 1e-16);
    EXPECT_TRUE(result.converged()) << ToString(law);
    EXPECT_LE(result.iterations, 200) << ToString(law);
  }
}

std::string Name(const testing::TestParamInfo<const char*>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Solvers, RowNewton, testing::Values("fischer_newton", "minmap_newton"),
                         Name);

}  // namespace
}  // namespace nonsmooth
