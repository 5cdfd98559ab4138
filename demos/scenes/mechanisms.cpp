// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

constexpr Vector3 kGravityImpulse{0, 0, -kSceneGravity* kSceneStep};

/// Velocity of b against a along axis `k` at a point given by its lever arms.
TwoBodyRow PointRow(int a, int b, const Vector3& lever_a, const Vector3& lever_b, int k) {
  TwoBodyRow row;
  row.body_a = a;
  row.body_b = b;
  const int next = (k + 1) % 3;
  const int last = (k + 2) % 3;
  row.jacobian[k] = -1;
  row.jacobian[6 + k] = 1;
  // lever × e_k
  row.jacobian[3 + next] = -lever_a[last];
  row.jacobian[3 + last] = lever_a[next];
  row.jacobian[9 + next] = lever_b[last];
  row.jacobian[9 + last] = -lever_b[next];
  return row;
}

/// Angular velocity of b against a about axis `k`.
TwoBodyRow AxisRow(int a, int b, int k) {
  TwoBodyRow row;
  row.body_a = a;
  row.body_b = b;
  row.jacobian[3 + k] = -1;
  row.jacobian[9 + k] = 1;
  return row;
}

}  // namespace

Problem Chain(int links, double ball_mass) {
  ProblemBuilder builder;
  int previous = builder.AddBody(Body());
  const Vector3 half{0.12, 0, -0.09};  // from a link's centre to its end
  const Vector3 back{-half[0], -half[1], -half[2]};
  Vector3 lever_previous{};
  for (int i = 0; i < links; ++i) {
    const int link = builder.AddBox(1.0, {0.05, 0.05, 0.3}, kGravityImpulse);
    for (int k = 0; k < 3; ++k) {
      builder.AddEquality(PointRow(previous, link, lever_previous, back, k));
    }
    previous = link;
    lever_previous = half;
  }
  const double radius = 0.1;
  const int ball = builder.AddSphere(ball_mass, radius, kGravityImpulse);
  for (int k = 0; k < 3; ++k) {
    builder.AddEquality(PointRow(previous, ball, lever_previous, {0, 0, radius}, k));
  }
  return builder.Build();
}

Problem Motor(double target_speed, double most_torque) {
  ProblemBuilder builder;
  const int frame = builder.AddBody(Body());
  Body wheel;
  wheel.inverse_mass = {0.25, 0.25, 0.25};
  wheel.inverse_inertia = {4, 0, 0, 0, 4, 0, 0, 0, 2};
  for (int k = 0; k < 3; ++k) wheel.applied_impulse[k] = 4 * kGravityImpulse[k];
  const int flywheel = builder.AddBody(wheel);
  for (int k = 0; k < 3; ++k) builder.AddEquality(PointRow(frame, flywheel, {}, {}, k));
  builder.AddEquality(AxisRow(frame, flywheel, 0));
  builder.AddEquality(AxisRow(frame, flywheel, 1));
  TwoBodyRow drive = AxisRow(frame, flywheel, 2);
  drive.bias = -target_speed;
  builder.AddBounded(drive, -most_torque * kSceneStep, most_torque * kSceneStep);
  return builder.Build();
}

Problem RollingSphere(double speed) {
  ProblemBuilder builder;
  const double radius = 0.25;
  const int ground = builder.AddBody(Body());
  const int ball = builder.AddSphere(3.0, radius, kGravityImpulse);
  builder.body(ball).velocity = {speed, 0, 0, 0, speed / radius, 0};
  ContactPoint point;
  point.body_a = ground;
  point.body_b = ball;
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -radius};
  ContactMaterial material;
  material.friction = 0.5;
  material.rolling_friction = 0.01;
  material.spinning_friction = 0.005;
  material.key = 1;
  builder.AddContact(point, material);
  return builder.Build();
}

}  // namespace nonsmooth
