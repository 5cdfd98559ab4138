// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/harness/world.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth::demo {
namespace {

Vec3 Minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double Norm(const Vec3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/// Where a point fixed to a body has gone, given in world axes at the start.
Vec3 Carried(const BodySpec& body, const Pose& now, const Vec3& point) {
  const Quaternion& q = body.pose.rotation;
  const Vec3 local = Rotate({q[0], -q[1], -q[2], -q[3]}, Minus(point, body.pose.position));
  const Vec3 turned = Rotate(now.rotation, local);
  return {now.position[0] + turned[0], now.position[1] + turned[1], now.position[2] + turned[2]};
}

}  // namespace

Vec3 GravityAt(const World& world, double time) {
  constexpr double kTwoPi = 6.28318530717958647693;
  Vec3 gravity = world.gravity;
  gravity[0] += world.shake_acceleration * std::sin(kTwoPi * world.shake_frequency * time);
  return gravity;
}

Vec3 Rotate(const Quaternion& q, const Vec3& v) {
  // v + 2 q × (q × v + w v), with q the vector part.
  const Vec3 t{q[2] * v[2] - q[3] * v[1] + q[0] * v[0], q[3] * v[0] - q[1] * v[2] + q[0] * v[1],
               q[1] * v[1] - q[2] * v[0] + q[0] * v[2]};
  return {v[0] + 2 * (q[2] * t[2] - q[3] * t[1]), v[1] + 2 * (q[3] * t[0] - q[1] * t[2]),
          v[2] + 2 * (q[1] * t[1] - q[2] * t[0])};
}

double WorstJointGap(const World& world, const std::vector<Pose>& poses) {
  double worst = 0;
  for (const JointSpec& joint : world.joints) {
    if (joint.kind == JointKind::kSlider) continue;
    const Vec3 a = Carried(world.bodies[joint.body_a], poses[joint.body_a], joint.point);
    const Vec3 b = Carried(world.bodies[joint.body_b], poses[joint.body_b], joint.point);
    const double gap = Norm(Minus(a, b));
    // Written so that a pose that is not a number counts as apart.
    if (!(gap <= worst)) worst = std::isfinite(gap) ? gap : HUGE_VAL;
  }
  return worst;
}

bool StayedWithin(const World& world, const std::vector<Pose>& poses, double distance) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].mass == 0) continue;
    if (!(Norm(Minus(poses[i].position, world.bodies[i].pose.position)) <= distance)) return false;
  }
  return true;
}

}  // namespace nonsmooth::demo
