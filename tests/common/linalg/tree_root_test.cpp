// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/tree_root.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Mᵢⱼ of a tree is not zero only where one of i and j is above the other: M = Lᵀ L with such an L.
// Then R = L⁻¹ has the same zeros, and M⁻¹ = R Rᵀ.
TEST(TreeRoot, KeepsTheZerosOfATree) {
  const std::vector<int> parent{-1, 0, 1, 1, 0, 4, 5, 5, 2};
  const int n = static_cast<int>(parent.size());
  test::Random random(1);
  Matrix l = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    l(i, i) = random.Uniform(1, 2);
    for (int j = parent[i]; j >= 0; j = parent[j]) l(i, j) = random.Uniform(-1, 1);
  }
  const Matrix mass = l.transpose() * l;
  Matrix root = mass;
  ASSERT_TRUE(TreeRoot(n, root.data()));
  root = Matrix(root.triangularView<Eigen::Lower>());
  EXPECT_LT((root * root.transpose() * mass - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-12);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (l(i, j) == 0) {
        EXPECT_EQ(root(i, j), 0) << i << " " << j;
      }
    }
  }
}

TEST(TreeRoot, OfNothingIsNothing) { EXPECT_TRUE(TreeRoot(0, nullptr)); }

// [[2, 3], [3, 4]] has the determinant −1; a NaN is not positive either.
TEST(TreeRoot, RefusesWhatIsNotDefinite) {
  double indefinite[4] = {2, 3, 3, 4};
  EXPECT_FALSE(TreeRoot(2, indefinite));
  double none[1] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(TreeRoot(1, none));
}

}  // namespace
}  // namespace nonsmooth
