// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/penalty_system.h"

#include <gtest/gtest.h>

#include "common/problem/matrix_dynamics.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"
#include "tests/support/random.h"

namespace nonsmooth {
namespace {

/// max |(A + ρ D) x − r| / max |r| of x = Solve(r).
double Residual(const Problem& problem, double rho) {
  std::vector<double> weights = problem.dynamics().diagonal();
  PenaltySystem system;
  system.Prepare(problem, weights);
  EXPECT_TRUE(system.Factorise(10 * rho));
  EXPECT_TRUE(system.Factorise(rho));  // the second reuses the pattern of the first
  test::Random random(7);
  const std::vector<double> right = random.Vector(problem.rows(), -1, 1);
  std::vector<double> x = right;
  system.Solve(x);
  std::vector<double> product(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().Multiply(x.data(), product.data(), workspace);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = weights[i] > 0 ? weights[i] : 1.0;
    largest = std::max(largest, std::abs(product[i] + rho * weight * x[i] - right[i]));
  }
  return largest;
}

// (A + ρ D) x = r holds to rounding on packed bodies (Woodbury), on a small full matrix, on a large
// sparse one, on a sparse M, and with rows that nothing moves; ρ over six decades.
TEST(PenaltySystem, SolvesInEveryForm) {
  const Problem pile = SpherePile(120, 1);
  const Problem inert = FindProblem("ContactBetweenFixedBodies").make({LawKind::kNcp, 0}).problem;
  for (double rho : {1e-3, 1.0, 1e3}) {
    EXPECT_LE(Residual(pile, rho), 1e-9);
    EXPECT_LE(Residual(AsMatrix(pile), rho), 1e-9);
    EXPECT_LE(Residual(AsSparse(pile), rho), 1e-9);
    EXPECT_LE(Residual(AsMatrix(BoxStack(2)), rho), 1e-9);
    EXPECT_LE(Residual(BrickWall(), rho), 1e-9);
    EXPECT_LE(Residual(inert, rho), 1e-9);
    EXPECT_LE(Residual(AsMatrix(inert), rho), 1e-9);
  }
}

// The same for A ≠ Aᵀ, small and large.
TEST(PenaltySystem, SolvesUnsymmetricMatrices) {
  const TestProblem small = FindProblem("RandomUnsymmetric").make({LawKind::kNcp, 0});
  EXPECT_LE(Residual(small.problem, 0.1), 1e-10);
  TestProblem large;
  large.problem = SpherePile(120, 1);
  large.x.assign(large.problem.rows(), 0.0);
  large.w.assign(large.problem.rows(), 0.0);
  EXPECT_LE(Residual(AsUnsymmetricMatrix(large, 0.01), 0.1), 1e-10);
}

// A matrix with a negative eigenvalue that ρ D does not make up for is refused: eigenvalues of
// [[1, 3], [3, 1]] are 4 and −2.
TEST(PenaltySystem, IndefiniteMatrixIsRefused) {
  const CsrMatrix a =
      FromTriplets("indefinite", 2, 2, {{0, 0, 1}, {0, 1, 3}, {1, 0, 3}, {1, 1, 1}});
  RowGroup group;
  group.size = 2;
  const Problem problem(std::make_shared<MatrixDynamics>(a, std::vector<double>{1, 1}), {group},
                        {0, 0}, {0, 0});
  PenaltySystem system;
  system.Prepare(problem, {1, 1});
  EXPECT_FALSE(system.Factorise(1));
  EXPECT_TRUE(system.Factorise(3));
}

}  // namespace
}  // namespace nonsmooth
