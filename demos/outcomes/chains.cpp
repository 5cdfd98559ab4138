// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "demos/outcomes/outcome.h"

namespace nonsmooth::demo {
namespace {

constexpr int kLinks = 32;
constexpr double kLink = 1;  // [m] between two joints
constexpr double kLinkRadius = 0.125;
constexpr double kBallRadius = 2;
constexpr double kDensity = 20;  // [kg/m³] of links and ball
constexpr double kPi = 3.14159265358979323846;

/// [%] The most that the way from the hook to the ball's joint has been longer than the chain.
/// Bodies turn about joints, so that the chain may be bent but never longer.
double Stretch(const World& world, const Trace& trace) {
  double longest = 0;
  const double length = kLinks * kLink;
  for (const std::vector<Pose>& poses : trace) {
    const Vec3& hook = world.joints.front().point;
    const Pose& ball = poses.back();
    const Vec3 start = world.bodies.back().pose.position;
    const Vec3& joint = world.joints.back().point;
    const Vec3 arm =
        Rotate(ball.rotation, {joint[0] - start[0], joint[1] - start[1], joint[2] - start[2]});
    const Vec3 end{ball.position[0] + arm[0], ball.position[1] + arm[1], ball.position[2] + arm[2]};
    longest = std::max(longest, Distance(hook, end));
  }
  return 100 * std::max(0.0, longest / length - 1);
}

/// Capsules from the hook along `along`, with a ball of 585 times their mass at the end. The chain
/// that hangs does so along its capsules' own y, as a body that is turned is so but for rounding: a
/// taut chain of light links swings sideways faster than 1/60 s can follow, and doubles the least
/// deflection with every step.
Outcome BallAndChain(const std::string& name, bool hangs) {
  Outcome outcome;
  World& world = outcome.world;
  world.name = name;
  world.steps = 600;
  const double half = 0.70710678118654752440;
  const Quaternion turn = hangs ? Quaternion{1, 0, 0, 0} : Quaternion{half, 0, 0, half};
  if (hangs) world.gravity = {0, -9.81, 0};
  const auto at = [hangs](double s) { return hangs ? Vec3{0, -s, 0} : Vec3{s, 0, 0}; };
  world.bodies.push_back(BoxBody({0.1, 0.1, 0.1}, 0, at(-0.1), 0.6));
  for (int i = 0; i < kLinks; ++i) {
    BodySpec link;
    link.shape = ShapeKind::kCapsule;
    link.size = {kLinkRadius, kLink, 0};
    link.mass = kDensity * kPi * kLinkRadius * kLinkRadius * (kLink + 4.0 / 3.0 * kLinkRadius);
    link.friction = 0.6;
    link.pose = {at((i + 0.5) * kLink), turn};
    world.bodies.push_back(link);
  }
  BodySpec ball;
  ball.shape = ShapeKind::kSphere;
  ball.size = {kBallRadius, 0, 0};
  ball.mass = kDensity * 4.0 / 3.0 * kPi * kBallRadius * kBallRadius * kBallRadius;
  ball.friction = 0.6;
  ball.pose.position = at(kLinks * kLink + kBallRadius);
  world.bodies.push_back(ball);
  for (int i = 0; i <= kLinks; ++i) {
    JointSpec joint;
    joint.body_a = i;
    joint.body_b = i + 1;
    joint.point = at(i * kLink);
    world.joints.push_back(joint);
  }
  outcome.what = "stretch";
  outcome.unit = "%";
  outcome.limit = 1;
  outcome.measure = Stretch;
  return outcome;
}

}  // namespace

void AddChains(std::vector<Outcome>& outcomes) {
  outcomes.push_back(BallAndChain("S5", false));
  outcomes.back().world.title = "a heavy ball on a chain of 32 links swings from the horizontal";
  outcomes.push_back(BallAndChain("S5h", true));
  outcomes.back().world.title = "a heavy ball hangs on a chain of 32 links";
}

}  // namespace nonsmooth::demo
