// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/mass_root.h"

#include <gtest/gtest.h>

namespace nonsmooth {
namespace {

/// Row i of L Lᵀ times row j: j L (k L)ᵀ for unit vectors.
double Product(const MassRoot& root, int i, int j) {
  double unit_i[3] = {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0};
  double unit_j[3] = {j == 0 ? 1.0 : 0, j == 1 ? 1.0 : 0, j == 2 ? 1.0 : 0};
  double left[3];
  double right[3];
  TimesRoot(root, unit_i, left);
  TimesRoot(root, unit_j, right);
  return left[0] * right[0] + left[1] * right[1] + left[2] * right[2];
}

void ExpectRootOf(const Body& body) {
  const MassRoot root = RootOf(body);
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(root.linear[i] * root.linear[i], body.inverse_mass[i]);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(Product(root, i, j), body.inverse_inertia[3 * i + j], 1e-15) << i << j;
    }
  }
}

TEST(MassRoot, TimesItsTransposeIsTheInverseMass) {
  Body body;
  body.inverse_mass = {2, 2, 2};
  body.inverse_inertia = {4, 1, 0.5, 1, 3, -0.25, 0.5, -0.25, 2};
  ExpectRootOf(body);
  EXPECT_TRUE(RootOf(body).movable);
  EXPECT_TRUE(RootOf(body).isotropic);
}

// An axis that cannot turn, and a matrix of rank one: zero pivots, no division by zero.
TEST(MassRoot, LockedAxesHaveZeroColumns) {
  Body body;
  body.inverse_mass = {1, 0, 1};
  body.inverse_inertia = {0, 0, 0, 0, 3, 0, 0, 0, 2};
  ExpectRootOf(body);
  EXPECT_FALSE(RootOf(body).isotropic);
  body.inverse_inertia = {1, 2, 3, 2, 4, 6, 3, 6, 9};
  ExpectRootOf(body);
}

TEST(MassRoot, FixedBodiesDoNotMove) { EXPECT_FALSE(RootOf(Body()).movable); }

}  // namespace
}  // namespace nonsmooth
