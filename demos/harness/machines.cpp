// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/harness/worlds.h"

namespace nonsmooth::demo {

World Chain(const WorldOptions& options) {
  constexpr double kLink = 0.2, kThickness = 0.04, kLinkMass = 0.1;  // [m], [m], [kg]
  constexpr double kRadius = 0.2, kBallMass = 100, kHeight = 4;
  const int links = options.bodies > 0 ? options.bodies : 10;
  World world;
  world.name = "chain";
  world.title = "a ball of 100 kg on a chain of links of 0.1 kg swings from the horizontal";
  // A taut chain of light links swings sideways at some 10³ rad/s, which engines integrate
  // explicitly; longer steps blow up whoever solves the contacts.
  world.dt = 0.001;
  world.steps = 2000;
  BodySpec hook;
  hook.size = {0.1, 0.1, 0.1};
  hook.pose.position = {0, 0, kHeight};
  world.bodies.push_back(hook);
  JointSpec joint;
  joint.body_a = 0;
  joint.point = hook.pose.position;
  for (int i = 0; i < links; ++i) {
    BodySpec link;
    link.size = {kLink, kThickness, kThickness};
    link.mass = kLinkMass;
    link.pose.position = {(i + 0.5) * kLink, 0, kHeight};
    joint.body_b = static_cast<int>(world.bodies.size());
    world.bodies.push_back(link);
    world.joints.push_back(joint);
    joint.body_a = joint.body_b;
    joint.point[0] += kLink;
  }
  BodySpec ball;
  ball.shape = ShapeKind::kSphere;
  ball.size = {kRadius, 0, 0};
  ball.mass = kBallMass;
  ball.pose.position = {links * kLink + kRadius, 0, kHeight};
  joint.body_b = static_cast<int>(world.bodies.size());
  world.bodies.push_back(ball);
  world.joints.push_back(joint);
  world.standing = "no joint gapes by more than a hundredth of a link";
  world.stands = [](const World& w, const std::vector<Pose>& poses) {
    return WorstJointGap(w, poses) <= 0.01 * kLink;
  };
  return world;
}

World Gripper(const WorldOptions& /*options*/) {
  constexpr double kFriction = 0.5;
  constexpr double kEdge = 0.2, kMass = 1;  // of the box [m], [kg]
  constexpr double kOpening = 0.05;         // [m] between a finger and the box at the start
  constexpr double kGrip = 40;              // [N]; 2 μ N = 40 N hold 9.81 N four times over
  constexpr double kClosing = 0.2, kLifting = 0.25;  // [m/s]
  constexpr double kStroke = 0.5;                    // [m]
  World world;
  world.name = "gripper";
  world.title = "two fingers on motors grip a box and lift it by friction";
  world.steps = 300;
  BodySpec ground;
  ground.size = {20, 20, 1};
  ground.pose.position = {0, 0, -0.5};
  world.bodies.push_back(ground);

  BodySpec box;
  box.size = {kEdge, kEdge, kEdge};
  box.mass = kMass;
  box.friction = kFriction;
  box.pose.position = {0, 0, 0.5 * kEdge};
  world.bodies.push_back(box);

  BodySpec hand;
  hand.size = {0.6, 0.2, 0.1};
  hand.mass = 5;
  hand.pose.position = {0, 0, 0.5};
  const int hand_index = static_cast<int>(world.bodies.size());
  world.bodies.push_back(hand);
  JointSpec lift;
  lift.kind = JointKind::kSlider;
  lift.body_a = 0;
  lift.body_b = hand_index;
  lift.point = hand.pose.position;
  lift.axis = {0, 0, 1};
  lift.lower = 0;
  lift.upper = kStroke;
  lift.motor_speed = kLifting;
  lift.motor_most = 500;
  lift.motor_start = 1;
  world.joints.push_back(lift);

  for (const double side : {-1.0, 1.0}) {
    BodySpec finger;
    finger.size = {0.04, 0.12, 0.3};
    finger.mass = 0.5;
    finger.friction = kFriction;
    finger.pose.position = {side * (0.5 * kEdge + kOpening + 0.02), 0, 0.25};
    JointSpec slide;
    slide.kind = JointKind::kSlider;
    slide.body_a = hand_index;
    slide.body_b = static_cast<int>(world.bodies.size());
    slide.point = finger.pose.position;
    slide.axis = {-side, 0, 0};  // inwards
    slide.lower = 0;
    slide.upper = 0.1;
    slide.motor_speed = kClosing;
    slide.motor_most = kGrip;
    world.bodies.push_back(finger);
    world.joints.push_back(slide);
  }
  world.standing = "the box hangs between the fingers, lifted by the whole stroke";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    return poses[1].position[2] >= 0.5 * kEdge + 0.9 * kStroke;
  };
  return world;
}

}  // namespace nonsmooth::demo
