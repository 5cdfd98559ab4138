// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "demos/harness/worlds.h"

namespace nonsmooth::demo {
namespace {

constexpr double kWheel = 0.15;                  // [m] radius
constexpr double kAxle = 0.4;                    // [m] of the rockers' pivots above the ground
constexpr double kTop = 0.66;                    // [m] of the differential
constexpr double kSpeed = 3, kTorque = 8;        // [rad/s], [N m] of each wheel
constexpr double kSwing = 0.5;                   // [rad] of a bogie, either way
constexpr double kRocks = 1.4, kRocksEnd = 3.6;  // [m] where they lie
constexpr int kChassis = 1;                      // its index

int Add(World& world, const Vec3& size, double mass, const Vec3& position) {
  BodySpec body;
  body.size = size;
  body.mass = mass;
  body.pose.position = position;
  body.friction = 0.8;
  world.bodies.push_back(body);
  return static_cast<int>(world.bodies.size()) - 1;
}

JointSpec& Join(World& world, JointKind kind, int a, int b, const Vec3& point, const Vec3& axis) {
  JointSpec joint;
  joint.kind = kind;
  joint.body_a = a;
  joint.body_b = b;
  joint.point = point;
  joint.axis = axis;
  world.joints.push_back(joint);
  return world.joints.back();
}

void AddWheel(World& world, int on, double x, double y) {
  BodySpec wheel;
  wheel.shape = ShapeKind::kCylinder;
  wheel.size = {kWheel, 0.1, 0};
  wheel.mass = 2;
  wheel.pose.position = {x, y, kWheel};
  wheel.friction = 0.8;
  world.bodies.push_back(wheel);
  JointSpec& joint = Join(world, JointKind::kHinge, on, static_cast<int>(world.bodies.size()) - 1,
                          wheel.pose.position, {0, 1, 0});
  joint.motor_speed = kSpeed;
  joint.motor_most = kTorque;
  joint.motor_start = 0.3;
}

/// A rocker with a wheel in front and a bogie of two behind.
int AddSide(World& world, double y) {
  const double wheel = std::copysign(std::abs(y) + 0.11, y);
  const int rocker = Add(world, {0.8, 0.04, 0.06}, 3, {0.1, y, kAxle});
  Join(world, JointKind::kHinge, kChassis, rocker, {0, y, kAxle}, {0, 1, 0});
  const int bogie =
      Add(world, {0.5, 0.04, 0.05}, 2, {-0.3, std::copysign(std::abs(y) + 0.045, y), 0.3});
  JointSpec& pivot = Join(world, JointKind::kHinge, rocker, bogie, {-0.3, y, 0.3}, {0, 1, 0});
  pivot.lower = -kSwing;
  pivot.upper = kSwing;
  AddWheel(world, rocker, 0.5, wheel);
  AddWheel(world, bogie, -0.08, wheel);
  AddWheel(world, bogie, -0.52, wheel);
  return rocker;
}

/// A bar across the chassis whose ends hold the rockers by rods: one goes up as the other goes
/// down.
void AddDifferential(World& world, const int (&rocker)[2], double side) {
  const int bar = Add(world, {0.04, 2 * side, 0.04}, 1, {0, 0, kTop});
  Join(world, JointKind::kHinge, kChassis, bar, {0, 0, kTop}, {0, 0, 1});
  for (int k = 0; k < 2; ++k) {
    const double y = k == 0 ? side : -side;
    const int rod = Add(world, {0.3, 0.03, 0.03}, 0.2, {0.15, y, kTop});
    Join(world, JointKind::kBall, bar, rod, {0, y, kTop}, {0, 0, 1});
    Join(world, JointKind::kBall, rod, rocker[k], {0.3, y, kTop}, {0, 0, 1});
  }
}

void AddRocks(World& world, int count) {
  for (int i = 0; i < count; ++i) {
    BodySpec rock;
    rock.shape = ShapeKind::kSphere;
    rock.size = {0.3, 0, 0};
    rock.friction = 0.8;
    const double along = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
    // Left and right in turn, 4 to 7 cm high.
    rock.pose.position = {kRocks + along * (kRocksEnd - kRocks), i % 2 == 0 ? 0.44 : -0.44,
                          -0.26 + 0.01 * (i % 4)};
    world.bodies.push_back(rock);
  }
}

}  // namespace

World Rover(const WorldOptions& options) {
  World world;
  world.name = "rover";
  world.title = "a rover on six wheels, rockers, bogies and a differential drives over rocks";
  world.dt = 0.002;
  world.steps = 5000;
  BodySpec ground;
  ground.size = {40, 40, 2};
  ground.pose.position = {0, 0, -1};
  ground.friction = 0.8;
  world.bodies.push_back(ground);
  Add(world, {0.7, 0.5, 0.2}, 20, {0, 0, 0.5});
  const int rocker[2] = {AddSide(world, 0.33), AddSide(world, -0.33)};
  AddDifferential(world, rocker, 0.33);
  AddRocks(world, options.bodies > 0 ? options.bodies : 8);
  world.standing = "joints are closed to 1e-6 m, it is upright and beyond the rocks";
  world.stands = [](const World& w, const std::vector<Pose>& poses) {
    const Pose& chassis = poses[kChassis];
    return WorstJointGap(w, poses) <= 1e-6 && Rotate(chassis.rotation, {0, 0, 1})[2] > 0.8 &&
           chassis.position[0] > kRocksEnd;
  };
  return world;
}

}  // namespace nonsmooth::demo
