// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/mass_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

Eigen::MatrixXd Dense(const CsrMatrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.columns);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      dense(i, matrix.column[k]) = matrix.value[k];
    }
  }
  return dense;
}

/// Masses of 1 kg to 2 kg, some of them coupled at random; `skew` makes the couplings one-sided.
CsrMatrix CoupledMasses(int size, int couplings, double skew, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Triplet> entries;
  for (int i = 0; i < size; ++i) entries.push_back({i, i, random.Uniform(1, 2)});
  for (int c = 0; c < couplings; ++c) {
    const int i = random.Index(size);
    const int j = (i + 1 + random.Index(size - 1)) % size;
    const double stiffness = random.Uniform(0, 5);
    entries.push_back({i, i, stiffness});
    entries.push_back({j, j, stiffness});
    entries.push_back({i, j, -stiffness * (1 + skew)});
    entries.push_back({j, i, -stiffness * (1 - skew)});
  }
  return FromTriplets("mass", size, size, entries);
}

// M = diag(4, 1, 9): left = J diag(½, 1, ⅓), nothing fills in.
TEST(MassFactor, RowsOnSingleMassesStayAsSparseAsTheyAre) {
  const MassFactor factor(FromTriplets("mass", 3, 3, {{0, 0, 4}, {1, 1, 1}, {2, 2, 9}}));
  EXPECT_TRUE(factor.symmetric());
  CsrMatrix left, right;
  factor.Split(FromTriplets("jacobian", 2, 3, {{0, 0, 2}, {1, 1, 5}, {1, 2, -3}}), &left, &right);
  EXPECT_EQ(left.nonzeros(), 3);
  EXPECT_TRUE(right.row_start.empty());
  const Eigen::MatrixXd product = Dense(left) * Dense(left).transpose();
  EXPECT_DOUBLE_EQ(product(0, 0), 1);
  EXPECT_DOUBLE_EQ(product(0, 1), 0);
  EXPECT_DOUBLE_EQ(product(1, 1), 26);
}

// Two groups of coupled masses that do not touch each other: a row on one reaches nothing of the
// other, whatever order the factor has chosen.
TEST(MassFactor, RowsReachTheirOwnGroupOnly) {
  std::vector<Triplet> entries;
  for (int i = 0; i < 8; ++i) entries.push_back({i, i, 3});
  for (const int i : {0, 1, 2, 4, 5, 6}) {
    entries.push_back({i, i + 1, -1});
    entries.push_back({i + 1, i, -1});
  }
  CsrMatrix left, right;
  const CsrMatrix jacobian = FromTriplets("jacobian", 2, 8, {{0, 1, 1}, {1, 6, 1}});
  MassFactor(FromTriplets("mass", 8, 8, entries)).Split(jacobian, &left, &right);
  EXPECT_LE(left.nonzeros(), 8);
  EXPECT_EQ((Dense(left) * Dense(left).transpose())(0, 1), 0);
}

// J M⁻¹ Jᵀ and M⁻¹ v by dense inversion, for masses from uncoupled to fully coupled.
TEST(MassFactor, AgreesWithDenseInversion) {
  for (const double skew : {0.0, 0.2}) {
    for (const int couplings : {0, 5, 20, 200}) {
      const int size = 20;
      const CsrMatrix mass = CoupledMasses(size, couplings, skew, 1 + couplings);
      test::Random random(7);
      std::vector<Triplet> entries;
      for (int k = 0; k < 40; ++k) {
        entries.push_back({random.Index(15), random.Index(size), random.Uniform(-1, 1)});
      }
      const CsrMatrix jacobian = FromTriplets("jacobian", 15, size, entries);
      const Eigen::MatrixXd inverse = Dense(mass).inverse();
      const Eigen::MatrixXd expected = Dense(jacobian) * inverse * Dense(jacobian).transpose();

      const MassFactor factor(mass);
      EXPECT_EQ(factor.symmetric(), skew == 0 || couplings == 0);
      CsrMatrix left, right;
      factor.Split(jacobian, &left, &right);
      EXPECT_NO_THROW(Validate("left", left));
      const Eigen::MatrixXd second = right.row_start.empty() ? Dense(left) : Dense(right);
      EXPECT_LT((Dense(left) * second.transpose() - expected).cwiseAbs().maxCoeff(), 1e-13);

      std::vector<double> v = random.Vector(size, -1, 1);
      const Eigen::VectorXd solved = inverse * Eigen::Map<Eigen::VectorXd>(v.data(), size);
      std::vector<double> scratch;
      factor.Solve(v.data(), scratch);
      for (int i = 0; i < size; ++i) EXPECT_NEAR(v[i], solved[i], 1e-13);
    }
  }
}

}  // namespace
}  // namespace nonsmooth
