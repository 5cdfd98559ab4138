// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kFall = kSceneGravity * kSceneStep;  // g h [m/s]
constexpr Vector3 kGravityImpulse{0, 0, -kFall};
constexpr double kMass = 2;  // [kg]
constexpr double kFriction = 0.4;

TestProblem Exact(ProblemBuilder& builder, std::vector<double> x, std::vector<double> w) {
  return {builder.Build(), std::move(x), std::move(w), true, true};
}

/// m g h: under law `box` the bounds of friction are frozen at the right normal impulse.
ContactMaterial Material(double friction, double normal_impulse = kMass * kFall) {
  ContactMaterial material;
  material.friction = friction;
  material.normal_estimate = normal_impulse;
  return material;
}

ContactPoint OnGround(int ground, int body, double height) {
  ContactPoint point;
  point.body_a = ground;
  point.body_b = body;
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -height};
  return point;
}

/// x = (m g h, 0, 0), w = 0.
TestProblem SphereAtRest(const Law&) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(kMass, 0.5, kGravityImpulse);
  builder.AddContact(OnGround(ground, ball, 0.5), Material(kFriction));
  return Exact(builder, {kMass * kFall, 0, 0}, {0, 0, 0});
}

/// A block whose contact lies at its centre of mass, so that A = 1/m, with free velocity `speed`
/// along the first tangent. It sticks where speed ≤ μ g h. Otherwise Coulomb: x = m g h (1, −μ, 0),
/// w = (0, speed − μ g h, 0). Convexified: x = s (1, −μ, 0) and w ⟂ x on the boundary of the dual
/// cone, s = m (g h + μ speed) / (1 + μ²): the block takes off with w_n = μ w_t.
TestProblem Block(const Law& law, double speed, bool pulled) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int block = builder.AddBox(kMass, {1, 1, 1}, kGravityImpulse);
  if (pulled) {
    builder.body(block).applied_impulse[0] = kMass * speed;
  } else {
    builder.body(block).velocity[0] = speed;
  }
  builder.AddContact(OnGround(ground, block, 0), Material(kFriction));
  if (speed <= kFriction * kFall) {
    return Exact(builder, {kMass * kFall, -kMass * speed, 0}, {0, 0, 0});
  }
  double s = kMass * kFall;
  if (law.kind == LawKind::kCcp) {
    s = kMass * (kFall + kFriction * speed) / (1 + kFriction * kFriction);
  }
  const double w_t = speed - kFriction * s / kMass;
  return Exact(builder, {s, -kFriction * s, 0}, {s / kMass - kFall, w_t, 0});
}

/// The rod of Enzenhöfer et al. with the numbers the paper states, m = l = 1.5, T = 10, h = 0.01,
/// without friction: x = m g h / 2 ± T h / l = (0.140242, 0.006908), w = 0.
TestProblem RodOnBothEnds(const Law&) {
  const double mass = 1.5, length = 1.5, torque = 10;
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  Body rod;
  for (int k = 0; k < 3; ++k) {
    rod.inverse_mass[k] = 1 / mass;
    rod.inverse_inertia[4 * k] = 12 / (mass * length * length);
  }
  rod.applied_impulse = {0, 0, -mass * kFall, 0, torque * kSceneStep, 0};
  const int body = builder.AddBody(rod);
  for (double side : {0.5, -0.5}) {
    ContactPoint point = OnGround(ground, body, 0);
    point.lever_b[0] = side * length;
    builder.AddContact(point, Material(0));
  }
  const double half = 0.5 * mass * kFall;
  const double couple = torque * kSceneStep / length;
  return Exact(builder, {half + couple, 0, 0, half - couple, 0, 0}, std::vector<double>(6, 0.0));
}

/// A ball between two planes inclined by α without friction: x_n = m g h / (2 cos α) each.
TestProblem Wedge(const Law&) {
  const double angle = 0.6;
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(kMass, 0.5, kGravityImpulse);
  for (double side : {1.0, -1.0}) {
    ContactPoint point;
    point.body_a = ground;
    point.body_b = ball;
    point.normal = {side * std::sin(angle), 0, std::cos(angle)};
    for (int k = 0; k < 3; ++k) point.lever_b[k] = -0.5 * point.normal[k];
    builder.AddContact(point, Material(0));
  }
  const double x = kMass * kFall / (2 * std::cos(angle));
  return Exact(builder, {x, 0, 0, x, 0, 0}, std::vector<double>(6, 0.0));
}

/// Two balls head-on at relative speed u, restitution ε as bias −ε u of the normal row:
/// x = (1 + ε) u m₁ m₂ / (m₁ + m₂), w = 0.
TestProblem HeadOnCollision(const Law&) {
  const double m1 = 2, m2 = 3, speed = 5, restitution = 0.6;
  ProblemBuilder builder;
  const int left = builder.AddSphere(m1, 0.1, {});
  const int right = builder.AddSphere(m2, 0.1, {});
  builder.body(left).velocity[0] = 0.4 * speed;
  builder.body(right).velocity[0] = -0.6 * speed;
  ContactPoint point;
  point.body_a = left;
  point.body_b = right;
  point.normal = {1, 0, 0};
  point.lever_a = {0.1, 0, 0};
  point.lever_b = {-0.1, 0, 0};
  point.bias = -restitution * speed;
  builder.AddContact(point, Material(kFriction, 1));
  const double x = (1 + restitution) * speed * m1 * m2 / (m1 + m2);
  return Exact(builder, {x, 0, 0}, {0, 0, 0});
}

/// Two bodies hang one below the other: the joints carry (m₁ + m₂) g h and m₂ g h.
TestProblem EqualityJoints(const Law&) {
  const double m1 = 1, m2 = 4;
  ProblemBuilder builder;
  const int ceiling = builder.AddBody(Body());
  const int upper = builder.AddSphere(m1, 0.1, kGravityImpulse);
  const int lower = builder.AddSphere(m2, 0.1, kGravityImpulse);
  for (int joint = 0; joint < 2; ++joint) {
    for (int k = 0; k < 3; ++k) {
      TwoBodyRow row;
      row.body_a = joint == 0 ? ceiling : upper;
      row.body_b = joint == 0 ? upper : lower;
      row.jacobian[k] = -1;
      row.jacobian[6 + k] = 1;
      builder.AddEquality(row);
    }
  }
  return Exact(builder, {0, 0, (m1 + m2) * kFall, 0, 0, m2 * kFall}, std::vector<double>(6, 0.0));
}

/// The flywheel of 4 kg and 0.5 kg m² needs 0.5 · 2 N m s for 2 rad/s. The motor has them at
/// 150 N m; at 50 N m it gives 0.5 N m s and misses the speed by 1 rad/s.
TestProblem MotorAt(double torque) {
  const double need = 0.5 * 2;
  const double have = std::min(need, torque * kSceneStep);
  return {
      Motor(2, torque), {0, 0, 4 * kFall, 0, 0, have}, {0, 0, 0, 0, 0, have / 0.5 - 2}, true, true};
}

constexpr double kRadius = 0.25;
constexpr double kRollingFriction = 0.01;  // [m]

/// A ball on the ground with rolling friction, angular velocity ω about the second tangent.
int AddBall(ProblemBuilder& builder) {
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(kMass, kRadius, kGravityImpulse);
  ContactMaterial material = Material(kFriction);
  material.rolling_friction = kRollingFriction;
  builder.AddContact(OnGround(ground, ball, kRadius), material);
  return ball;
}

/// A torque below μ_r m g is held by the rolling row alone: w = 0.
TestProblem HeldByRollingFriction(const Law&) {
  ProblemBuilder builder;
  const int ball = AddBall(builder);
  const double impulse = 0.7 * kRollingFriction * kMass * kFall;
  builder.body(ball).applied_impulse[4] = impulse;
  return Exact(builder, {kMass * kFall, 0, 0, 0, -impulse}, std::vector<double>(5, 0.0));
}

/// A ball that rolls without sliding, v = ω r: the rolling row is at its bound, x_r = −μ_r m g h;
/// the tangent keeps it from sliding, x_t (1/m + r²/I) = r x_r / I; what is left of ω is w_r.
TestProblem RollingBall(const Law&) {
  ProblemBuilder builder;
  const int ball = AddBall(builder);
  const double omega = 3;
  builder.body(ball).velocity = {omega * kRadius, 0, 0, 0, omega, 0};
  const double inertia = 0.4 * kMass * kRadius * kRadius;
  const double x_r = -kRollingFriction * kMass * kFall;
  const double x_t = kRadius * x_r / inertia / (1 / kMass + kRadius * kRadius / inertia);
  const double w_r = omega - kRadius * x_t / inertia + x_r / inertia;
  return Exact(builder, {kMass * kFall, x_t, 0, 0, x_r}, {0, 0, 0, 0, w_r});
}

}  // namespace

std::vector<CollectionEntry> ClosedFormProblems() {
  const double stick_limit = kFriction * kFall;
  std::vector<LawKind> not_ccp;
  for (LawKind kind : AllLaws()) {
    if (kind != LawKind::kCcp) not_ccp.push_back(kind);
  }
  return {
      {"SphereAtRest", SphereAtRest, AllLaws()},
      {"SlidingBlock", [](const Law& law) { return Block(law, 2.0, false); }, AllLaws()},
      {"BlockPulledBelowFriction",
       [=](const Law& law) { return Block(law, 0.9 * stick_limit, true); }, AllLaws()},
      {"BlockPulledAboveFriction",
       [=](const Law& law) { return Block(law, 1.1 * stick_limit, true); }, AllLaws()},
      {"RodOnBothEnds", RodOnBothEnds, AllLaws()},
      {"Wedge", Wedge, AllLaws()},
      {"HeadOnCollision", HeadOnCollision, AllLaws()},
      {"EqualityJoints", EqualityJoints, AllLaws()},
      {"MotorNotSaturated", [](const Law&) { return MotorAt(150); }, AllLaws()},
      {"MotorSaturated", [](const Law&) { return MotorAt(50); }, AllLaws()},
      {"HeldByRollingFriction", HeldByRollingFriction, AllLaws()},
      {"RollingBall", RollingBall, not_ccp},
  };
}

}  // namespace nonsmooth
