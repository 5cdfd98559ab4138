// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/principal_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

// Rows come and go in random order; after every change the solution is that of A_FF factorised
// afresh, and entries outside F are left alone.
TEST(PrincipalFactor, SolvesAsAFreshFactorisationAfterEveryChange) {
  constexpr int kRows = 12;
  test::Random random(7);
  const std::vector<double> values = test::RandomPositiveDefinite(kRows, random);
  const CsrMatrix matrix = test::DenseMatrix(kRows, kRows, values);
  PrincipalFactor factor;
  factor.Reset(matrix);
  for (int change = 0; change < 300; ++change) {
    const int row = random.Index(kRows);
    if (factor.Has(row)) {
      factor.Remove(row);
    } else {
      ASSERT_TRUE(factor.Add(row));
    }
    const std::vector<int> rows = factor.rows();
    const int f = static_cast<int>(rows.size());
    Eigen::MatrixXd a(f, f);
    Eigen::VectorXd right(f);
    std::vector<double> y = random.Vector(kRows, -1, 1);
    const std::vector<double> before = y;
    for (int i = 0; i < f; ++i) {
      right(i) = y[rows[i]];
      for (int j = 0; j < f; ++j) a(i, j) = values[rows[i] * kRows + rows[j]];
    }
    factor.Solve(y.data());
    const Eigen::VectorXd expected = a.ldlt().solve(right);
    for (int i = 0; i < f; ++i) ASSERT_NEAR(y[rows[i]], expected(i), 1e-10) << change;
    for (int i = 0; i < kRows; ++i) {
      if (!factor.Has(i)) {
        ASSERT_EQ(y[i], before[i]);
      }
    }
  }
}

// The third row is the sum of the first two: refused, and the two stay solvable.
TEST(PrincipalFactor, DependentRowIsRefused) {
  const CsrMatrix matrix = test::DenseMatrix(3, 3, {2, 1, 3, 1, 2, 3, 3, 3, 6});
  PrincipalFactor factor;
  factor.Reset(matrix);
  ASSERT_TRUE(factor.Add(0));
  ASSERT_TRUE(factor.Add(1));
  EXPECT_FALSE(factor.Add(2));
  EXPECT_EQ(factor.size(), 2);
  double y[3] = {3, 3, 7};
  factor.Solve(y);
  EXPECT_NEAR(y[0], 1, 1e-14);
  EXPECT_NEAR(y[1], 1, 1e-14);
  EXPECT_EQ(y[2], 7);
}

}  // namespace
}  // namespace nonsmooth
