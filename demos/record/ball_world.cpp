// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/record/ball_world.h"

#include <cmath>
#include <utility>

namespace nonsmooth {
namespace {

constexpr double kGravity = 9.81;       // [m/s²]
constexpr double kStabilisation = 0.2;  // part of a position error that is to vanish in one step
constexpr double kMargin = 0.01;        // [m] contacts open by less take part
constexpr int kGround = 0;              // the first body: ground and walls, fixed

Vector3 Plus(const Vector3& a, const Vector3& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// q v q*, q a unit quaternion (w, x, y, z).
Vector3 Rotate(const std::array<double, 4>& q, const Vector3& v) {
  const auto cross = [](const Vector3& a, const Vector3& b) {
    return Vector3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Vector3 axis{q[1], q[2], q[3]};
  Vector3 twice = cross(axis, v);
  for (double& c : twice) c *= 2;
  return Plus(Plus(v, twice, q[0]), cross(axis, twice));
}

/// q turned by the angular velocity w (world) for h.
void Turn(const double* w, double h, std::array<double, 4>* q) {
  const auto [a, b, c, d] = *q;
  *q = {a - 0.5 * h * (w[0] * b + w[1] * c + w[2] * d),
        b + 0.5 * h * (w[0] * a + w[1] * d - w[2] * c),
        c + 0.5 * h * (w[1] * a + w[2] * b - w[0] * d),
        d + 0.5 * h * (w[2] * a + w[0] * c - w[1] * b)};
  const double length =
      std::sqrt((*q)[0] * (*q)[0] + (*q)[1] * (*q)[1] + (*q)[2] * (*q)[2] + (*q)[3] * (*q)[3]);
  for (double& component : *q) component /= length;
}

/// Velocity of b against a along world axis `k` at a point given by its arms.
TwoBodyRow PointRow(int a, int b, const Vector3& arm_a, const Vector3& arm_b, int k) {
  TwoBodyRow row;
  row.body_a = a;
  row.body_b = b;
  const int next = (k + 1) % 3;
  const int last = (k + 2) % 3;
  row.jacobian[k] = -1;
  row.jacobian[3 + next] = -arm_a[last];
  row.jacobian[3 + last] = arm_a[next];
  row.jacobian[6 + k] = 1;
  row.jacobian[9 + next] = arm_b[last];
  row.jacobian[9 + last] = -arm_b[next];
  return row;
}

/// A call on purpose: inlined, GCC 12.2 drops the rounding of neighbouring fields.
[[gnu::noinline]] void Round(double* number) { *number = static_cast<float>(*number); }

template <class Numbers>
void RoundAll(Numbers* numbers) {
  for (double& number : *numbers) Round(&number);
}

/// The problem as an engine in single precision would have it.
Problem Rounded(const Problem& problem) {
  const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(problem.dynamics());
  std::vector<Body> bodies = dynamics.bodies();
  for (Body& body : bodies) {
    RoundAll(&body.inverse_mass);
    RoundAll(&body.inverse_inertia);
    RoundAll(&body.velocity);
    RoundAll(&body.applied_impulse);
  }
  std::vector<TwoBodyRow> rows = dynamics.body_rows();
  for (TwoBodyRow& row : rows) {
    RoundAll(&row.jacobian);
    Round(&row.bias);
  }
  std::vector<RowGroup> groups = problem.groups();
  for (RowGroup& group : groups) {
    Round(&group.friction);
    Round(&group.spinning_friction);
    Round(&group.rolling_friction);
  }
  std::vector<double> lower = problem.lower();
  std::vector<double> upper = problem.upper();
  RoundAll(&lower);
  RoundAll(&upper);
  return {std::make_shared<TwoBodyDynamics>(std::move(bodies), std::move(rows)), std::move(groups),
          std::move(lower), std::move(upper)};
}

}  // namespace

int BallWorld::AddBall(double mass, double radius, const Vector3& position) {
  Ball ball;
  ball.mass = mass;
  ball.radius = radius;
  ball.position = position;
  balls_.push_back(ball);
  return static_cast<int>(balls_.size()) - 1;
}

void BallWorld::AddJoint(int a, int b, const Vector3& anchor) {
  Joint joint;
  joint.a = a;
  joint.b = b;
  joint.arm_a = a < 0 ? anchor : Plus(anchor, balls_[a].position, -1);
  joint.arm_b = Plus(anchor, balls_[b].position, -1);
  joints_.push_back(joint);
}

void BallWorld::AddMotor(int b, double speed, double torque) {
  motors_.push_back({b, speed, torque});
}

/// Body 0 stands at the origin; ball k is body k + 1.
Vector3 BallWorld::Centre(int body) const {
  return body == kGround ? Vector3{} : balls_[body - 1].position;
}

CapturedStep BallWorld::Pose() const {
  CapturedStep step;
  step.info.step = steps_;
  step.info.h = options_.h;
  step.info.time = static_cast<double>(steps_) * options_.h;
  step.info.gravity = {0, 0, -kGravity};
  ProblemBuilder builder;
  builder.AddBody(Body());
  step.bodies.emplace_back();
  for (const Ball& ball : balls_) {
    const int body = builder.AddSphere(ball.mass, ball.radius, {0, 0, -kGravity * options_.h});
    builder.body(body).velocity = ball.velocity;
    BodyState state;
    state.id = body;
    state.mass = ball.mass;
    for (int k = 0; k < 3; ++k) state.inertia[4 * k] = 0.4 * ball.mass * ball.radius * ball.radius;
    state.position = ball.position;
    state.quaternion = ball.quaternion;
    step.bodies.push_back(state);
  }
  PoseJoints(&builder, &step);
  PoseContacts(&builder, &step);
  step.problem = builder.Build();
  if (options_.float32 && step.problem.rows() > 0) step.problem = Rounded(step.problem);
  return step;
}

void BallWorld::PoseJoints(ProblemBuilder* builder, CapturedStep* step) const {
  for (const Joint& joint : joints_) {
    const int a = joint.a + 1;  // the world is the ground
    const int b = joint.b + 1;
    const Vector3 arm_a =
        joint.a < 0 ? joint.arm_a : Rotate(balls_[joint.a].quaternion, joint.arm_a);
    const Vector3 arm_b = Rotate(balls_[joint.b].quaternion, joint.arm_b);
    const Vector3 apart = Plus(Plus(Centre(b), arm_b), Plus(Centre(a), arm_a), -1);
    for (int k = 0; k < 3; ++k) {
      TwoBodyRow row = PointRow(a, b, arm_a, arm_b, k);
      row.bias = kStabilisation * apart[k] / options_.h;
      builder->AddEquality(row);
      step->violation.push_back(apart[k]);
    }
  }
  for (const Motor& motor : motors_) {
    TwoBodyRow row;
    row.body_b = motor.b + 1;
    row.jacobian[11] = 1;
    row.bias = -motor.speed;
    builder->AddBounded(row, -motor.torque * options_.h, motor.torque * options_.h);
    step->violation.push_back(0);
  }
}

void BallWorld::PoseContacts(ProblemBuilder* builder, CapturedStep* step) const {
  const int bodies = static_cast<int>(balls_.size()) + 1;
  // Walls are planes of the ground body, told apart by their number in the key.
  const Vector3 normals[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const std::uint64_t planes = options_.half_width > 0 ? 5 : 1;
  for (int b = 1; b < bodies; ++b) {
    const Vector3 centre = Centre(b);
    const double radius = balls_[b - 1].radius;
    for (std::uint64_t p = 0; p < planes; ++p) {
      const Vector3& n = normals[p];
      const double height = n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2] +
                            (p > 0 ? options_.half_width : 0);
      const std::uint64_t key = 1 + p + 8 * static_cast<std::uint64_t>(b);
      Touch(kGround, b, key, Plus(centre, n, -height), n, height - radius, builder, step);
    }
    for (int a = 1; a < b; ++a) {
      Vector3 n = Plus(centre, Centre(a), -1);
      const double distance = std::hypot(n[0], n[1], n[2]);
      if (distance == 0) continue;
      for (double& component : n) component /= distance;
      const double gap = distance - radius - balls_[a - 1].radius;
      const auto key = static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
      Touch(a, b, key, Plus(Centre(a), n, balls_[a - 1].radius), n, gap, builder, step);
    }
  }
}

void BallWorld::Touch(int a, int b, std::uint64_t key, const Vector3& point, const Vector3& normal,
                      double gap, ProblemBuilder* builder, CapturedStep* step) const {
  if (gap > kMargin) return;
  for (const Joint& joint : joints_) {
    if (joint.a + 1 == a && joint.b + 1 == b && a != kGround) return;  // neighbours overlap
  }
  ContactPoint contact;
  contact.body_a = a;
  contact.body_b = b;
  contact.normal = normal;
  contact.lever_a = Plus(point, Centre(a), -1);
  contact.lever_b = Plus(point, Centre(b), -1);
  contact.bias = (gap > 0 ? gap : kStabilisation * gap) / options_.h;
  ContactMaterial material;
  material.friction = options_.friction;
  material.rolling_friction = options_.rolling_friction;
  material.spinning_friction = options_.spinning_friction;
  material.law = options_.law;
  material.key = key;
  builder->AddContact(contact, material);

  ContactGeometry geometry;
  geometry.pair = {a, b};
  geometry.point = point;
  geometry.normal = normal;
  Vector3 first;
  Vector3 second;
  TangentBasis(normal, &first, &second);
  for (int k = 0; k < 3; ++k) {
    geometry.tangents[k] = first[k];
    geometry.tangents[3 + k] = second[k];
  }
  geometry.gap = gap;
  step->contacts.push_back(geometry);
  const std::size_t more =
      (options_.spinning_friction > 0 ? 1 : 0) + (options_.rolling_friction > 0 ? 2 : 0);
  step->violation.push_back(gap);
  step->violation.resize(step->violation.size() + 2 + more, 0.0);
}

void BallWorld::Advance(const std::vector<double>& v) {
  ++steps_;
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    Ball& ball = balls_[k];
    if (!v.empty()) {
      for (int c = 0; c < 6; ++c) ball.velocity[c] = v[6 * (k + 1) + c];
    } else {
      ball.velocity[2] -= kGravity * options_.h;
    }
    for (int c = 0; c < 3; ++c) ball.position[c] += options_.h * ball.velocity[c];
    Turn(&ball.velocity[3], options_.h, &ball.quaternion);
  }
}

}  // namespace nonsmooth
