// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/nt_scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

using test::Random;

/// A point of the cone with least eigenvalue `inside`.
void RandomInside(Random& random, int size, double inside, double* u) {
  double tail = 0;
  for (int i = 1; i < size; ++i) {
    u[i] = random.Uniform(-1, 1);
    tail += u[i] * u[i];
  }
  u[0] = std::sqrt(tail) + inside;
}

// W z = W⁻¹ s defines the scaling; W⁻¹ W = I; W² and W⁻² in closed form are W applied twice. All to
// rounding, which the condition number of W, the root of 1 / inside here, multiplies.
TEST(NtScaling, TakesBothPointsToTheSameOne) {
  Random random(1);
  for (int size = 1; size <= 3; ++size) {
    for (double inside : {1.0, 1e-3, 1e-6}) {
      double s[3], z[3], a[3], b[3], back[3], square[9];
      RandomInside(random, size, inside, s);
      RandomInside(random, size, 0.5, z);
      NtScaling scaling;
      ASSERT_TRUE(scaling.Reset(size, s, z));
      scaling.Apply(z, a);
      scaling.ApplyInverse(s, b);
      const double rounding = 1e-14 / inside;
      for (int i = 0; i < size; ++i) EXPECT_NEAR(a[i], b[i], rounding);
      scaling.ApplyInverse(a, back);
      for (int i = 0; i < size; ++i) EXPECT_NEAR(back[i], z[i], rounding);
      scaling.Apply(a, back);
      scaling.Square(square);
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += square[i * size + j] * z[j];
        EXPECT_NEAR(sum, s[i], rounding) << "W² z = s";
        EXPECT_NEAR(sum, back[i], rounding);
      }
      scaling.InverseSquare(square);
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += square[i * size + j] * s[j];
        EXPECT_NEAR(sum, z[i], rounding / inside) << "W⁻² s = z";
      }
    }
  }
}

TEST(NtScaling, RefusesPointsThatAreNotInside) {
  const double inside[3] = {1, 0.3, 0.2};
  const double edge[3] = {5, 3, 4};
  const double outside[3] = {-1, 0.1, 0};
  NtScaling scaling;
  EXPECT_TRUE(scaling.Reset(3, inside, inside));
  EXPECT_FALSE(scaling.Reset(3, edge, inside));
  EXPECT_FALSE(scaling.Reset(3, inside, edge));
  EXPECT_FALSE(scaling.Reset(3, outside, inside));
  EXPECT_FALSE(scaling.Reset(1, inside, outside));
}

// (2, 1, 0)∘(3, 0, 4) = (6, 3, 8), and dividing takes it back.
TEST(JordanAlgebra, DivisionUndoesTheProduct) {
  const double u[3] = {2, 1, 0};
  const double v[3] = {3, 0, 4};
  double product[3], back[3];
  JordanProduct(3, u, v, product);
  EXPECT_EQ(product[0], 6);
  EXPECT_EQ(product[1], 3);
  EXPECT_EQ(product[2], 8);
  JordanDivide(3, u, product, back);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(back[i], v[i], 1e-15);
  const double four = 4, twelve = 12;
  JordanDivide(1, &four, &twelve, back);
  EXPECT_EQ(back[0], 3);
}

// s − z = p and s∘z = τ e for any p and τ; both lie inside.
TEST(JordanAlgebra, CentralPairIsOnTheCentralPath) {
  Random random(2);
  for (int size = 1; size <= 3; ++size) {
    for (double tau : {1.0, 1e-4, 1e-12}) {
      double p[3], s[3], z[3], product[3];
      for (double& value : p) value = random.Uniform(-2, 2);
      CentralPair(size, tau, p, s, z);
      EXPECT_GT(LeastEigenvalue(size, s), 0);
      EXPECT_GT(LeastEigenvalue(size, z), 0);
      JordanProduct(size, s, z, product);
      for (int i = 0; i < size; ++i) {
        EXPECT_NEAR(s[i] - z[i], p[i], 1e-15);
        EXPECT_NEAR(product[i], i == 0 ? tau : 0.0, 2e-15);
      }
    }
  }
}

// u = (1, 0, 0), d = (−1, 1, 0): 1 − t = t at t = ½. Without an end, `most` is returned; half-lines
// end where they cross zero.
TEST(JordanAlgebra, LongestStepEndsOnTheBoundary) {
  const double u[3] = {1, 0, 0};
  const double d[3] = {-1, 1, 0};
  EXPECT_NEAR(LongestStep(3, u, d, 10), 0.5, 1e-15);
  EXPECT_EQ(LongestStep(3, u, d, 0.25), 0.25);
  const double up[3] = {1, 1, 0};
  EXPECT_EQ(LongestStep(3, u, up, 10), 10);
  const double steep[3] = {1, 3, 0};
  EXPECT_NEAR(LongestStep(2, u, steep, 10), 0.5, 1e-15);  // 1 + t = 3 t
  EXPECT_EQ(LongestStep(1, u, d, 10), 1);
  const double along[3] = {1, 0, 1e-16};
  const double back[3] = {-3, 0, -5e-16};
  EXPECT_NEAR(LongestStep(3, along, back, 10), 1 / 3.0, 1e-7) << "a double root, lost in rounding";
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    double a[3], b[3], end[3];
    RandomInside(random, 3, 0.1, a);
    for (double& value : b) value = random.Uniform(-1, 1);
    const double t = LongestStep(3, a, b, 1e6);
    if (t == 1e6) continue;
    for (int i = 0; i < 3; ++i) end[i] = a[i] + t * b[i];
    EXPECT_NEAR(LeastEigenvalue(3, end), 0, 1e-12 * (1 + t));
  }
}

// Eigenvalues −3 and 1 become 3 and 1; both below the floor, the floor.
TEST(JordanAlgebra, PushInsideTakesAbsoluteEigenvalues) {
  double u[3] = {-1, 0, 2};
  PushInside(3, 0.5, u);
  EXPECT_NEAR(u[0], 2, 1e-15);
  EXPECT_NEAR(std::abs(u[2]), 1, 1e-15);
  EXPECT_NEAR(LeastEigenvalue(3, u), 1, 1e-15);
  double small[3] = {0.1, 0, 0.2};
  PushInside(3, 0.5, small);
  EXPECT_NEAR(small[0], 0.5, 1e-15);
  EXPECT_NEAR(small[2], 0, 1e-15);
}

// Eigenvalues −3 and 1 clamped to [−1, 0.5] are −1 and 0.5: u₀ = −0.25, ‖ū‖ = 0.75.
TEST(JordanAlgebra, ClampedEigenvaluesKeepTheirVectors) {
  const double u[3] = {-1, 0, 2};
  double out[3];
  ClampEigenvalues(3, u, -1, 0.5, out);
  EXPECT_NEAR(out[0], -0.25, 1e-15);
  EXPECT_NEAR(out[1], 0, 1e-15);
  EXPECT_NEAR(out[2], 0.75, 1e-15);
  double line = 3;
  ClampEigenvalues(1, &line, -1, 0.5, &line);
  EXPECT_EQ(line, 0.5);
}

}  // namespace
}  // namespace nonsmooth
