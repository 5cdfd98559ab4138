// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "demos/outcomes/outcome.h"

namespace nonsmooth::demo {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kGravity = 9.81;

/// SimBenchmark's `rolling`: a plate with 25 balls on it is pushed across the ground. The plate
/// slides against μ (M + Σ m) g, balls roll on it: 3.5 f = m a for each ball's friction f, so that
/// (M + 2/7 Σ m) a = F − μ (M + Σ m) g.
constexpr double kPlate = 10, kBall = 1, kBalls = 25, kPush = 150, kPlateOnGround = 0.4;
constexpr double kRollingTime = 4;  // [s]

/// [%] How far speeds along the push are off at the end: plate or ball, whichever is worst.
double RollingError(const World& world, const Trace& trace) {
  const double acceleration = (kPush - kPlateOnGround * (kPlate + kBalls * kBall) * kGravity) /
                              (kPlate + 2.0 / 7.0 * kBalls * kBall);
  const double plate = acceleration * kRollingTime;
  const Vec3& force = world.bodies[1].force;
  const Vec3 along{force[0] / kPush, force[1] / kPush, 0};
  // The second-order backward difference is exact under constant acceleration.
  const int frames = 100;
  const std::size_t last = trace.size() - 1;
  double worst = 0;
  for (std::size_t i = 1; i < world.bodies.size(); ++i) {
    double speed = 0, across = 0;
    for (int k = 0; k < 2; ++k) {
      const double v = (3 * trace[last][i].position[k] - 4 * trace[last - frames][i].position[k] +
                        trace[last - 2 * frames][i].position[k]) /
                       (2 * frames * world.dt);
      speed += v * along[k];
      across += v * along[1 - k] * (k == 0 ? -1 : 1);
    }
    const double expected = i == 1 ? plate : 2.0 / 7.0 * plate;
    worst = std::max(worst, std::hypot(speed - expected, across) / expected);
  }
  return 100 * worst;
}

Outcome Rolling() {
  Outcome outcome;
  World& world = outcome.world;
  world.name = "S8";
  world.title = "25 balls roll on a plate that is pushed across the ground";
  world.dt = 1e-3;
  world.steps = 4000;
  // Geometric means: 0.4 under the plate, 0.8 on it.
  world.bodies.push_back(GroundBody(0.16));
  BodySpec plate = BoxBody({20, 20, 1}, kPlate, {0, 0, 0.5}, 1);
  plate.force = {0.5 * kPush, std::sqrt(0.75) * kPush, 0};
  world.bodies.push_back(plate);
  for (int i = 0; i < 25; ++i) {
    BodySpec ball;
    ball.shape = ShapeKind::kSphere;
    ball.size = {0.5, 0, 0};
    ball.mass = kBall;
    ball.friction = 0.64;
    ball.pose.position = {2.0 * (i % 5) - 4, 2.0 * (i / 5) - 4, 1.5};
    world.bodies.push_back(ball);
  }
  outcome.what = "speed off";
  outcome.unit = "%";
  outcome.limit = 2;
  outcome.measure = RollingError;
  return outcome;
}

/// [µm/s] Mean speed of a body over the last second.
double Creep(const World& world, const Trace& trace, std::size_t body) {
  const auto frames = static_cast<std::size_t>(std::lround(1 / world.dt));
  const std::size_t last = trace.size() - 1;
  return 1e6 * Distance(trace[last][body].position, trace[last - frames][body].position) /
         (static_cast<double>(frames) * world.dt);
}

/// A capsule of 45 g between two pads that are pressed together by 12 N: friction can carry 38
/// times its weight. Ten times as large as reported, since Bullet does not find all contacts of
/// bodies of 4 mm. With one friction direction, which Bullet takes horizontal where nothing slides
/// yet, it falls in every other step.
Outcome PinchedCapsule() {
  constexpr double kRadius = 0.04, kLength = 0.2, kForce = 12, kFriction = 0.7;
  constexpr double kPad = 0.1;  // [m] thickness
  Outcome outcome;
  World& world = outcome.world;
  world.name = "S9";
  world.title = "a capsule hangs between two pads";
  world.dt = 0.002;
  world.steps = 2500;
  world.bodies.push_back(BoxBody({0.2, 0.2, 0.2}, 0, {0, 0, 1}, kFriction));
  BodySpec capsule;
  capsule.shape = ShapeKind::kCapsule;
  capsule.size = {kRadius, kLength, 0};
  capsule.mass = 0.045;
  capsule.friction = kFriction;
  world.bodies.push_back(capsule);
  for (const double side : {-1.0, 1.0}) {
    BodySpec pad = BoxBody({kPad, 0.4, 0.4}, 0.2, {side * (kRadius + 0.5 * kPad), 0, 0}, kFriction);
    pad.force = {-side * kForce, 0, 0};
    JointSpec rail;
    rail.kind = JointKind::kSlider;
    rail.body_a = 0;
    rail.body_b = static_cast<int>(world.bodies.size());
    rail.point = pad.pose.position;
    rail.axis = {1, 0, 0};
    world.bodies.push_back(pad);
    world.joints.push_back(rail);
  }
  outcome.what = "creep";
  outcome.unit = "um/s";
  outcome.limit = 10;
  outcome.measure = [](const World& w, const Trace& trace) {
    // Ten millimetres below its place it has been dropped.
    const double fallen = trace.front()[1].position[2] - trace.back()[1].position[2];
    return fallen < 0.01 ? Creep(w, trace, 1) : HUGE_VAL;
  };
  return outcome;
}

/// A block on a slope, μ 0.5, which holds up to 26.565°. The scene is told in the slope's axes, the
/// way down being `yaw` from x: block and friction directions are turned against it.
Outcome Slope(double degrees, int yaw) {
  constexpr double kFriction = 0.5;
  const double slope = degrees * kPi / 180, turn = yaw * kPi / 180;
  Outcome outcome;
  World& world = outcome.world;
  char name[40];
  std::snprintf(name, sizeof name, "S10 %.1f %d", degrees, yaw);
  world.name = name;
  world.title = "a block on a slope";
  world.steps = 240;
  world.gravity = {kGravity * std::sin(slope) * std::cos(turn),
                   kGravity * std::sin(slope) * std::sin(turn), -kGravity * std::cos(slope)};
  world.bodies.push_back(GroundBody(kFriction));
  world.bodies.push_back(BoxBody({0.4, 0.4, 0.2}, 10, {0, 0, 0.1}, kFriction));
  const double expected = kGravity * (std::sin(slope) - kFriction * std::cos(slope));
  if (expected < 0) {
    outcome.what = "creep";
    outcome.unit = "um/s";
    outcome.limit = 100;
    outcome.measure = [](const World& w, const Trace& trace) { return Creep(w, trace, 1); };
    return outcome;
  }
  outcome.what = "acceleration off";
  outcome.unit = "%";
  outcome.limit = 5;
  outcome.measure = [expected](const World& w, const Trace& trace) {
    // Ways gone in two equal times differ by a t², however it started.
    const std::size_t last = trace.size() - 1, half = last / 2;
    const double t = static_cast<double>(half) * w.dt;
    const double first = Distance(trace[half][1].position, trace[last - 2 * half][1].position);
    const double second = Distance(trace[last][1].position, trace[half][1].position);
    return 100 * std::abs((second - first) / (t * t) / expected - 1);
  };
  return outcome;
}

}  // namespace

void AddFriction(std::vector<Outcome>& outcomes) {
  outcomes.push_back(Rolling());
  outcomes.push_back(PinchedCapsule());
  for (const double degrees : {26.0, 27.2}) {
    for (const int yaw : {0, 30, 45}) outcomes.push_back(Slope(degrees, yaw));
  }
}

}  // namespace nonsmooth::demo
