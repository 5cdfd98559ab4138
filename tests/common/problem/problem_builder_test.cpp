// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem_builder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_refusal.h"
#include "tests/support/random.h"

namespace nonsmooth {
namespace {

Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector3 RandomVector(test::Random& random) {
  return {random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)};
}

Vector3 RandomDirection(test::Random& random) {
  Vector3 n = RandomVector(random);
  const double length = std::sqrt(Dot(n, n));
  for (double& value : n) value /= length;
  return n;
}

/// n, t₁, t₂ of unit length, at right angles, right-handed.
void ExpectFrame(const Vector3& n, const Vector3& t1, const Vector3& t2) {
  EXPECT_NEAR(Dot(t1, t1), 1, 1e-14);
  EXPECT_NEAR(Dot(t2, t2), 1, 1e-14);
  EXPECT_NEAR(Dot(n, t1), 0, 1e-14);
  EXPECT_NEAR(Dot(n, t2), 0, 1e-14);
  const Vector3 cross = Cross(t1, t2);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(cross[k], n[k], 1e-14);
}

TEST(TangentBasis, IsARightHandedFrameEverywhere) {
  test::Random random(1);
  std::vector<Vector3> normals{{0, 0, 1}, {0, 0, -1}, {0, 0, -1 + 1e-16},
                               {1, 0, 0}, {0, -1, 0}, {1, 0, -0.0}};
  for (int i = 0; i < 100; ++i) normals.push_back(RandomDirection(random));
  for (const Vector3& n : normals) {
    Vector3 t1;
    Vector3 t2;
    TangentBasis(n, &t1, &t2);
    ExpectFrame(n, t1, t2);
  }
}

// Rows of a contact are the velocity of b against a at the point, v + ω × lever, along n, t₁ and
// t₂; those of spinning and rolling the relative angular velocity about the same axes.
TEST(ProblemBuilder, ContactRowsAreRelativeVelocities) {
  test::Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    ProblemBuilder builder;
    Vector3 linear[2], angular[2];
    for (int i = 0; i < 2; ++i) {
      Body body;
      body.inverse_mass = {1, 1, 1};
      linear[i] = RandomVector(random);
      angular[i] = RandomVector(random);
      for (int k = 0; k < 3; ++k) {
        body.velocity[k] = linear[i][k];
        body.velocity[3 + k] = angular[i][k];
      }
      builder.AddBody(body);
    }
    ContactPoint point;
    point.body_a = 0;
    point.body_b = 1;
    point.lever_a = RandomVector(random);
    point.lever_b = RandomVector(random);
    point.normal = RandomDirection(random);
    point.bias = 0.25;
    point.compliance = 0.5;
    ContactMaterial material;
    material.friction = 0.3;
    material.spinning_friction = 0.02;
    material.rolling_friction = 0.01;
    material.key = 77;
    builder.AddContact(point, material);
    const Problem problem = builder.Build();
    EXPECT_EQ(builder.bodies(), 0);

    ASSERT_EQ(problem.rows(), 6);
    const RowGroup& group = problem.groups()[0];
    EXPECT_EQ(group.friction, 0.3);
    EXPECT_EQ(group.spinning_friction, 0.02);
    EXPECT_EQ(group.rolling_friction, 0.01);
    EXPECT_EQ(group.key, 77U);
    Vector3 axes[3] = {point.normal, {}, {}};
    TangentBasis(point.normal, &axes[1], &axes[2]);
    const Vector3 at_a = Cross(angular[0], point.lever_a);
    const Vector3 at_b = Cross(angular[1], point.lever_b);
    Vector3 slip, turn;
    for (int k = 0; k < 3; ++k) {
      slip[k] = linear[1][k] + at_b[k] - linear[0][k] - at_a[k];
      turn[k] = angular[1][k] - angular[0][k];
    }
    const std::vector<double>& b = problem.dynamics().bias();
    EXPECT_NEAR(b[0], Dot(axes[0], slip) + 0.25, 1e-14);
    EXPECT_NEAR(b[1], Dot(axes[1], slip), 1e-14);
    EXPECT_NEAR(b[2], Dot(axes[2], slip), 1e-14);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(b[3 + k], Dot(axes[k], turn), 1e-14);
    // No inertia: linear motion alone, twice 1/m, and the compliance of the normal row.
    EXPECT_NEAR(problem.dynamics().diagonal()[0], 2.5, 1e-14);
    EXPECT_NEAR(problem.dynamics().diagonal()[1], 2, 1e-14);
    EXPECT_EQ(problem.dynamics().diagonal()[3], 0);
  }
}

// Without coefficients for them, spinning and rolling rows are left out.
TEST(ProblemBuilder, ContactHasThreeRowsWithoutRollingFriction) {
  ProblemBuilder builder;
  const int ball = builder.AddSphere(1, 0.5, {0, 0, -0.1});
  ContactPoint point;
  point.body_b = ball;
  point.normal = {0, 0, 1};
  builder.AddContact(point, ContactMaterial());
  const Problem problem = builder.Build();
  EXPECT_EQ(problem.rows(), 3);
  EXPECT_EQ(problem.contacts(), 1);
}

// Solid sphere: I = ⅖ m r² = 0.4 · 5 · 4 = 8; solid box: I_x = m (y² + z²) / 12 = (9 + 16) = 25 for
// m = 12 and edges 2, 3, 4; gravity gives m g h; mass 0 is a fixed body.
TEST(ProblemBuilder, SolidsHaveTheirInertia) {
  ProblemBuilder builder;
  const int sphere = builder.AddSphere(5, 2, {0, 0, -0.1});
  const int box = builder.AddBox(12, {2, 3, 4}, {0, 0, -0.1});
  const int fixed = builder.AddBox(0, {2, 3, 4}, {0, 0, -0.1});
  EXPECT_DOUBLE_EQ(builder.body(sphere).inverse_mass[1], 1.0 / 5);
  EXPECT_DOUBLE_EQ(builder.body(sphere).inverse_inertia[4], 1.0 / 8);
  EXPECT_DOUBLE_EQ(builder.body(sphere).applied_impulse[2], -0.5);
  EXPECT_DOUBLE_EQ(builder.body(box).inverse_inertia[0], 1.0 / 25);
  EXPECT_DOUBLE_EQ(builder.body(box).inverse_inertia[4], 1.0 / 20);
  EXPECT_DOUBLE_EQ(builder.body(box).inverse_inertia[8], 1.0 / 13);
  EXPECT_EQ(builder.body(fixed).inverse_mass[0], 0);
  EXPECT_EQ(builder.body(fixed).inverse_inertia[0], 0);
  EXPECT_EQ(builder.body(fixed).applied_impulse[2], 0);
}

TEST(ProblemBuilder, NormalMustHaveUnitLength) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vector3& normal : {Vector3{0, 0, 2}, Vector3{0, 0, 0}, Vector3{0, nan, 1}}) {
    ProblemBuilder builder;
    ContactPoint point;
    point.body_b = builder.AddSphere(1, 1, {});
    point.normal = normal;
    test::ExpectRefusal([&] { builder.AddContact(point, ContactMaterial()); },
                        {"contact 0", "normal has length", "expected 1"});
  }
}

// Impossible solids are refused when the problem is made, with the body they belong to.
TEST(ProblemBuilder, SolidsWithoutSizeOrOfNegativeMassAreRefused) {
  ProblemBuilder negative;
  negative.AddSphere(1, 1, {});
  negative.AddSphere(-1, 1, {});
  test::ExpectRefusal([&] { negative.Build(); }, {"body 1", "inverse_mass[0] = -1", "negative"});
  ProblemBuilder flat;
  flat.AddSphere(1, 0, {});
  test::ExpectRefusal([&] { flat.Build(); }, {"body 0", "inverse_inertia", "not finite"});
}

// An engine's inertia is symmetric up to rounding; A must be symmetric to the bit all the same, so
// that every form of it is the same matrix.
TEST(TwoBodyDynamics, RoundingInTheInertiaIsEvenedOut) {
  Body body;
  body.inverse_inertia = {1, 0.1, 0, 0.1000001, 1, 0, 0, 0, 1};
  TwoBodyRow about_x, about_y;
  about_x.body_b = about_y.body_b = 0;
  about_x.jacobian[9] = 1;
  about_y.jacobian[10] = 1;
  const TwoBodyDynamics dynamics({body}, {about_x, about_y});
  double product[2][2];
  OperatorWorkspace workspace;
  for (int j = 0; j < 2; ++j) {
    const double unit[2] = {j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0};
    dynamics.Multiply(unit, product[j], workspace);
  }
  EXPECT_EQ(product[0][1], product[1][0]);
  EXPECT_DOUBLE_EQ(product[0][1], 0.10000005);
  const CsrMatrix& a = dynamics.Assembled();
  EXPECT_EQ(a.value, (std::vector<double>{1, product[0][1], product[0][1], 1}));
}

}  // namespace
}  // namespace nonsmooth
