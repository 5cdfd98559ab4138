// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/contact_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/law/cone.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kFrictions[] = {0.05, 0.3, 1.0, 2.0};

struct Local {
  std::vector<double> a;
  double mu = 0;
  double q[3] = {0, 0, 0};
  double x[3] = {0, 0, 0};
  double w[3] = {0, 0, 0};

  void Solve(bool convexified) {
    ContactBlock block;
    block.Prepare(a.data(), mu, convexified);
    block.Solve(q, x);
    for (int i = 0; i < 3; ++i) {
      w[i] = q[i] + a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
    }
  }

  /// ‖x − Π_K(x − ŵ)‖ relative to ‖x‖ + ‖q‖.
  double Residual(bool convexified) const {
    double y[3] = {x[0] - w[0], x[1] - w[1], x[2] - w[2]};
    if (!convexified) y[0] -= mu * std::hypot(w[1], w[2]);
    ProjectOntoCone(mu, 1, 1, 2, y);
    double sum = 0;
    double size = 0;
    for (int i = 0; i < 3; ++i) {
      sum += (x[i] - y[i]) * (x[i] - y[i]);
      size += x[i] * x[i] + q[i] * q[i];
    }
    return size > 0 ? std::sqrt(sum / size) : 0;
  }
};

/// Random blocks; axes differ in stiffness by up to 100^decades.
Local RandomLocal(test::Random& random, double mu, double decades = 1.5) {
  Local local;
  local.mu = mu;
  local.a = test::RandomPositiveDefinite(3, random);
  double scale[3];
  for (double& s : scale) s = std::pow(10.0, random.Uniform(-decades, decades));
  for (int i = 0; i < 9; ++i) local.a[i] *= scale[i / 3] * scale[i % 3];
  for (double& value : local.q) value = random.Uniform(-1, 1);
  return local;
}

// The natural map vanishes at a solution and nowhere else: of 4000 random blocks under either law,
// whichever of the cases applies, its residual is the rounding of blocks whose condition number
// goes up to some 10⁶.
TEST(ContactBlock, NaturalMapOfTheSolutionVanishes) {
  test::Random random(1);
  int counts[3] = {0, 0, 0};
  for (double mu : kFrictions) {
    for (int k = 0; k < 1000; ++k) {
      for (bool convexified : {false, true}) {
        Local local = RandomLocal(random, mu);
        local.Solve(convexified);
        EXPECT_LE(local.Residual(convexified), 1e-10) << "mu " << mu << ", number " << k;
        const double slip = std::hypot(local.w[1], local.w[2]);
        ++counts[local.x[0] == 0 ? 0 : slip < 1e-10 ? 1 : 2];
      }
    }
  }
  for (int count : counts) EXPECT_GT(count, 500);  // take-off, stick and slide all occurred
}

// Convexified, x minimises ½ xᵀA x + qᵀx over the cone: no ray of a grid of 64 × 720 through it
// does better, and the best of them is almost as good.
TEST(ContactBlock, ConvexifiedSolutionIsTheMinimumOverAGridOfRays) {
  test::Random random(2);
  for (int k = 0; k < 40; ++k) {
    Local local = RandomLocal(random, kFrictions[k % 4], 0);
    local.Solve(true);
    double value = 0;
    for (int i = 0; i < 3; ++i) value += 0.5 * local.x[i] * (local.w[i] + local.q[i]);
    double least = 0;
    for (int r = 0; r <= 64; ++r) {
      for (int s = 0; s < 720; ++s) {
        const double radius = local.mu * r / 64;
        const double p[3] = {1, radius * std::cos(s * kPi / 360), radius * std::sin(s * kPi / 360)};
        double linear = 0;
        double quadratic = 0;
        for (int i = 0; i < 3; ++i) {
          linear += local.q[i] * p[i];
          for (int j = 0; j < 3; ++j) quadratic += p[i] * local.a[3 * i + j] * p[j];
        }
        if (linear < 0) least = std::min(least, -0.5 * linear * linear / quadratic);
      }
    }
    EXPECT_LE(value, least + 1e-14);
    EXPECT_LE(least - value, 0.02 * std::abs(value) + 1e-14);
  }
}

// Coulomb: where x slides, its direction is one of those that a search over the circle finds, for
// w_n = 0 and w_t opposite to x_t.
TEST(ContactBlock, SlidingDirectionIsFoundByASearchOverTheCircle) {
  test::Random random(3);
  int slides = 0;
  for (int k = 0; k < 400; ++k) {
    Local local = RandomLocal(random, kFrictions[k % 4]);
    local.Solve(false);
    if (local.x[0] == 0 || std::hypot(local.w[1], local.w[2]) < 1e-8) continue;
    ++slides;
    const double* a = local.a.data();
    double speed = 0;  // −w_t · d
    const auto across = [&](double angle) {
      const double d[2] = {std::cos(angle), std::sin(angle)};
      const double p[3] = {1, local.mu * d[0], local.mu * d[1]};
      const double normal = -local.q[0] / (a[0] * p[0] + a[1] * p[1] + a[2] * p[2]);
      double w[2];
      for (int i = 0; i < 2; ++i) {
        const double* row = a + 3 * (i + 1);
        w[i] = local.q[i + 1] + normal * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
      }
      speed = normal > 0 ? -(w[0] * d[0] + w[1] * d[1]) : -1;
      return w[0] * d[1] - w[1] * d[0];
    };
    const double found = std::atan2(local.x[2], local.x[1]);
    double nearest = 10;
    constexpr int kSteps = 3600;
    for (int s = 0; s < kSteps; ++s) {
      double low = 2 * kPi * s / kSteps;
      double high = 2 * kPi * (s + 1) / kSteps;
      const double at_low = across(low);
      if (at_low * across(high) > 0) continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (at_low * across(middle) > 0 ? low : high) = middle;
      }
      across(low);
      if (speed < 0) continue;
      nearest = std::min(nearest, std::abs(std::remainder(low - found, 2 * kPi)));
    }
    EXPECT_LE(nearest, 1e-7) << "number " << k;
  }
  EXPECT_GT(slides, 80);
}

// A = a 1, sliding: x_n = −q_n / a and x_t = −μ x_n q_t / ‖q_t‖; convexified, x is the projection
// of −q / a onto the cone. Here a = 2, μ = ½, q = (−4, 3, 4).
TEST(ContactBlock, IsotropicBlockMatchesClosedForm) {
  Local local{{2, 0, 0, 0, 2, 0, 0, 0, 2}, 0.5, {-4, 3, 4}, {}, {}};
  local.Solve(false);
  EXPECT_NEAR(local.x[0], 2, 1e-15);
  EXPECT_NEAR(local.x[1], -0.6, 1e-15);
  EXPECT_NEAR(local.x[2], -0.8, 1e-15);
  local.Solve(true);
  // y = (2, −1.5, −2): x_n = (2 + ½ · 2.5) / 1.25 = 2.6, ‖x_t‖ = 1.3.
  EXPECT_NEAR(local.x[0], 2.6, 1e-15);
  EXPECT_NEAR(local.x[1], -0.78, 1e-15);
  EXPECT_NEAR(local.x[2], -1.04, 1e-15);
}

// μ = 0: x = (max(0, −q_n / a_nn), 0, 0), whatever the coupling.
TEST(ContactBlock, WithoutFrictionOnlyTheNormalActs) {
  test::Random random(4);
  for (int k = 0; k < 50; ++k) {
    for (bool convexified : {false, true}) {
      Local local = RandomLocal(random, 0);
      local.Solve(convexified);
      EXPECT_DOUBLE_EQ(local.x[0], std::max(0.0, -local.q[0] / local.a[0]));
      EXPECT_EQ(local.x[1], 0);
      EXPECT_EQ(local.x[2], 0);
    }
  }
}

// Between stick and slide: w = 0 with x on the cone. Between take-off and the rest: q on the border
// of the dual cone (convexified), or q_n = 0 (Coulomb); and q = 0.
TEST(ContactBlock, BordersBetweenTheCasesAreMet) {
  test::Random random(5);
  for (int k = 0; k < 100; ++k) {
    for (bool convexified : {false, true}) {
      Local local = RandomLocal(random, kFrictions[k % 4]);
      const double angle = random.Uniform(0, 2 * kPi);
      const double mu = local.mu;
      const double x[3] = {2, 2 * mu * std::cos(angle), 2 * mu * std::sin(angle)};
      double size = 0;
      for (int i = 0; i < 3; ++i) {
        local.q[i] = 0;
        for (int j = 0; j < 3; ++j) local.q[i] -= local.a[3 * i + j] * x[j];
        size = std::max(size, std::abs(x[i]));
      }
      local.Solve(convexified);
      EXPECT_LE(local.Residual(convexified), 1e-10);
      // Strong friction and coupling can make take-off a second solution of Coulomb's law.
      if (convexified || local.q[0] < 0) {
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(local.x[i], x[i], 1e-8 * size);
      }

      local.q[0] = convexified ? mu : 0.0;
      local.q[1] = std::cos(angle);
      local.q[2] = std::sin(angle);
      local.Solve(convexified);
      for (double value : local.x) EXPECT_NEAR(value, 0, 1e-12);

      std::fill(local.q, local.q + 3, 0.0);
      local.Solve(convexified);
      for (double value : local.x) EXPECT_EQ(value, 0);
    }
  }
}

// A block of rank one gives way along one axis only. Raised by what rounding needs, the solution is
// finite, in the cone, and annihilates w in the direction that can move.
TEST(ContactBlock, SingularBlockHasASolutionInTheCone) {
  for (bool convexified : {false, true}) {
    Local local{{1, 1, 0, 1, 1, 0, 0, 0, 0}, 0.5, {-1, -1, 0}, {}, {}};
    local.Solve(convexified);
    ASSERT_TRUE(std::isfinite(local.x[0]));
    EXPECT_GT(local.x[0], 0);
    EXPECT_LE(std::hypot(local.x[1], local.x[2]), 0.5 * local.x[0] * (1 + 1e-9));
    EXPECT_NEAR(local.x[0] + local.x[1], 1, 1e-6);
  }
}

// A NaN that comes in goes out: nothing that has overflowed may look like a take-off.
TEST(ContactBlock, NanStaysOne) {
  Local local{{2, 0, 0, 0, 2, 0, 0, 0, 2}, 0.5, {std::nan(""), 0, 0}, {}, {}};
  for (bool convexified : {false, true}) {
    local.Solve(convexified);
    EXPECT_TRUE(std::isnan(local.x[0]));
  }
}

}  // namespace
}  // namespace nonsmooth
