// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/fischer_burmeister.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// φ(3, 4) = 3 + 4 − 5, φ(−3, 4) = −4, φ(−3, −4) = −12, φ(5, 0) = 0.
TEST(FischerBurmeister, HasItsClosedForm) {
  EXPECT_DOUBLE_EQ(FischerBurmeister(3, 4), 2);
  EXPECT_DOUBLE_EQ(FischerBurmeister(-3, 4), -4);
  EXPECT_DOUBLE_EQ(FischerBurmeister(-3, -4), -12);
  EXPECT_EQ(FischerBurmeister(5, 0), 0);
  EXPECT_EQ(FischerBurmeister(0, 0), 0);
}

// φ(a, b) → b for a → ∞, and the large finite values lead there.
TEST(FischerBurmeister, TakesInfiniteArgumentsAsLimits) {
  for (double b : {-2.0, 0.0, 0.7}) {
    EXPECT_EQ(FischerBurmeister(kInfinity, b), b);
    EXPECT_EQ(FischerBurmeister(b, kInfinity), b);
    EXPECT_NEAR(FischerBurmeister(1e12, b), b, 1e-11);
    EXPECT_EQ(PenalisedFischerBurmeister(kInfinity, b, 0.9), 0.9 * b);
  }
}

// φ(a, b) = ab/(a + b) to first order where b is tiny: 1 · 1e-20 is not lost beside 1.
TEST(FischerBurmeister, KeepsTheDigitsOfSmallErrors) {
  EXPECT_DOUBLE_EQ(FischerBurmeister(1, 1e-20), 1e-20);
  EXPECT_DOUBLE_EQ(FischerBurmeister(1e-20, 1), 1e-20);
}

// λ φ + (1 − λ) a₊ b₊: 0.95 · 2 + 0.05 · 12 at (3, 4); the product counts only where both are
// positive.
TEST(FischerBurmeister, PenaltyAddsTheProductOfThePositiveParts) {
  EXPECT_DOUBLE_EQ(PenalisedFischerBurmeister(3, 4), 0.95 * 2 + 0.05 * 12);
  EXPECT_DOUBLE_EQ(PenalisedFischerBurmeister(-3, 4), -0.95 * 4);
  EXPECT_DOUBLE_EQ(PenalisedFischerBurmeister(3, 4, 1), 2);
}

/// ‖x + w − s‖ where s∘s = x∘x + w∘w is solved component by component.
double ReferenceCone(const double* x, const double* w) {
  const double z0 =
      x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  const double z1 = 2 * (x[0] * x[1] + w[0] * w[1]);
  const double z2 = 2 * (x[0] * x[2] + w[0] * w[2]);
  // s∘s = z: s₀² + ‖s̄‖² = z₀ and 2 s₀ s̄ = z̄, so s₀² solves a quadratic; the larger root.
  const double z = std::hypot(z1, z2);
  const double s0 = std::sqrt(0.5 * (z0 + std::sqrt(std::max(0.0, z0 * z0 - z * z))));
  const double s1 = s0 > 0 ? z1 / (2 * s0) : 0;
  const double s2 = s0 > 0 ? z2 / (2 * s0) : 0;
  return std::hypot(x[0] + w[0] - s0, x[1] + w[1] - s1, x[2] + w[2] - s2);
}

// Against the square root by its defining equations s∘s = x∘x + w∘w.
TEST(ConeFischerBurmeister, AgreesWithTheDefinition) {
  test::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> x = random.Vector(3, -2, 2);
    const std::vector<double> w = random.Vector(3, -2, 2);
    EXPECT_NEAR(ConeFischerBurmeister(3, x.data(), w.data(), 1), ReferenceCone(x.data(), w.data()),
                1e-7);
  }
}

// On the axis the algebra is the reals twice over: x = (a, 0), w = (b, 0) gives φ(a, b), and for
// one tangent the cone is a quadrant turned by 45°: eigenvalues x₀ ± x₁ are independent.
TEST(ConeFischerBurmeister, ReducesToTheScalarFunction) {
  const double x[3] = {3, 0, 0}, w[3] = {4, 0, 0};
  EXPECT_NEAR(ConeFischerBurmeister(3, x, w, 1), 2, 1e-15);
  EXPECT_NEAR(ConeFischerBurmeister(3, x, w, 0.95), 0.95 * 2 + 0.05 * 12, 1e-15);
  test::Random random(2);
  for (int i = 0; i < 200; ++i) {
    const double a[2] = {random.Uniform(-2, 2), random.Uniform(-2, 2)};
    const double b[2] = {random.Uniform(-2, 2), random.Uniform(-2, 2)};
    const double p[2] = {0.5 * (a[0] + a[1]), 0.5 * (a[0] - a[1])};
    const double q[2] = {0.5 * (b[0] + b[1]), 0.5 * (b[0] - b[1])};
    const double expected = std::hypot(PenalisedFischerBurmeister(a[0], b[0], 0.9),
                                       PenalisedFischerBurmeister(a[1], b[1], 0.9)) /
                            std::sqrt(2);
    EXPECT_NEAR(ConeFischerBurmeister(2, p, q, 0.9), expected, 1e-13);
  }
}

// x on the face, w = 0 or on the opposite face: zero to rounding, where the textbook formula
// leaves 1e-8.
TEST(ConeFischerBurmeister, VanishesToRoundingOnTheFace) {
  test::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double angle = random.Uniform(-3, 3);
    const double length = random.Uniform(0.1, 10);
    const double speed = i % 2 == 0 ? 0.0 : random.Uniform(0.1, 10);
    const double x[3] = {length, length * std::cos(angle), length * std::sin(angle)};
    const double w[3] = {speed, -speed * std::cos(angle), -speed * std::sin(angle)};
    EXPECT_LT(ConeFischerBurmeister(3, x, w, 1), 2e-14);
    EXPECT_LT(ConeFischerBurmeister(3, x, w, 0.95), 2e-14);
  }
}

}  // namespace
}  // namespace nonsmooth
