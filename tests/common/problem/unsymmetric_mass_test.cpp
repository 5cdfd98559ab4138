// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "common/problem/sparse_dynamics.h"

namespace nonsmooth {
namespace {

SparseSystem System(double upper, double lower) {
  SparseSystem system;
  system.mass = FromTriplets("mass", 2, 2, {{0, 0, 2}, {0, 1, upper}, {1, 0, lower}, {1, 1, 1}});
  system.jacobian = FromTriplets("jacobian", 2, 2, {{0, 0, 1}, {1, 1, 1}});
  system.velocity = {0, 0};
  system.applied_impulse = {3, 4};
  system.bias = {0.5, -0.5};
  system.compliance = {0, 0.25};
  return system;
}

// M = [2 1; 0 1] has the inverse [½ −½; 0 1]; with J = 1 that is A, up to the compliance ¼, and the
// free velocity of the impulse (3, 4) is (−½, 4).
TEST(SparseDynamics, MassThatIsNotSymmetricIsInvertedAsItIs) {
  const SparseDynamics dynamics(System(1, 0));
  const double expected[2][2] = {{0.5, -0.5}, {0, 1.25}};
  OperatorWorkspace workspace;
  const CsrMatrix& a = dynamics.Assembled();
  double block[4];
  dynamics.DiagonalBlock(0, 2, block);
  for (int j = 0; j < 2; ++j) {
    double unit[2] = {0, 0}, column[2];
    unit[j] = 1;
    dynamics.Multiply(unit, column, workspace);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(column[i], expected[i][j], 1e-15);
      EXPECT_NEAR(block[2 * i + j], expected[i][j], 1e-15);
      double assembled = 0;
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        if (a.column[k] == j) assembled = a.value[k];
      }
      EXPECT_NEAR(assembled, expected[i][j], 1e-15);
    }
  }
  EXPECT_NEAR(dynamics.bias()[0], 0.0, 1e-15);
  EXPECT_NEAR(dynamics.bias()[1], 3.5, 1e-15);
}

// Its symmetric part [2 −2; −2 1] is indefinite: no energy belongs to such a mass.
TEST(SparseDynamics, MassWithAnIndefiniteSymmetricPartIsRefused) {
  EXPECT_THROW(SparseDynamics(System(-4, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth
