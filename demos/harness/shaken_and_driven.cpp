// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "demos/harness/worlds.h"
#include "demos/scenes/random.h"

namespace nonsmooth::demo {

World Shaker(const WorldOptions& options) {
  constexpr double kPi = 3.14159265358979323846;
  constexpr double kRadius = 0.01, kDensity = 7850, kFriction = 0.2, kWall = 0.02;  // steel, SI
  const int count = options.bodies > 0 ? options.bodies : 1700;
  World world;
  world.name = "shaker";
  world.title = "a shaken box of steel spheres";
  world.dt = 0.002;
  world.steps = 500;
  // Along x, three times the weight at 5 Hz: ±30 mm.
  world.shake_acceleration = 30;
  world.shake_frequency = 5;
  const int cells = std::max(2, static_cast<int>(std::cbrt(static_cast<double>(count))));
  const double pitch = 2.1 * kRadius, half = 0.5 * cells * pitch, height = 4 * half;
  const auto wall = [&](const Vec3& size, const Vec3& position) {
    BodySpec body;
    body.size = size;
    body.pose.position = position;
    body.friction = kFriction;
    world.bodies.push_back(body);
  };
  wall({2 * half + 2 * kWall, 2 * half + 2 * kWall, kWall}, {0, 0, -0.5 * kWall});
  for (const double side : {-1.0, 1.0}) {
    wall({kWall, 2 * half + 2 * kWall, height}, {side * (half + 0.5 * kWall), 0, 0.5 * height});
    wall({2 * half, kWall, height}, {0, side * (half + 0.5 * kWall), 0.5 * height});
  }
  Random random(options.seed);
  const double play = 0.5 * pitch - kRadius;
  for (int i = 0; i < count; ++i) {
    const int layer = i / (cells * cells), place = i % (cells * cells);
    BodySpec sphere;
    sphere.shape = ShapeKind::kSphere;
    sphere.size = {kRadius, 0, 0};
    sphere.mass = kDensity * 4.0 / 3.0 * kPi * kRadius * kRadius * kRadius;
    sphere.friction = kFriction;
    const double jitter[3] = {random.Uniform(-play, play), random.Uniform(-play, play),
                              random.Uniform(-play, play)};
    sphere.pose.position = {(place % cells + 0.5) * pitch - half + jitter[0],
                            (place / cells + 0.5) * pitch - half + jitter[1],
                            (layer + 0.5) * pitch + jitter[2]};
    world.bodies.push_back(sphere);
  }
  world.standing = "every sphere is in the box";
  world.stands = [half](const World& w, const std::vector<Pose>& poses) {
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
      const Vec3& at = poses[i].position;
      if (w.bodies[i].mass == 0) continue;
      if (!(std::abs(at[0]) <= half && std::abs(at[1]) <= half && at[2] >= 0)) return false;
    }
    return true;
  };
  return world;
}

World SliderCrank(const WorldOptions& /*options*/) {
  constexpr double kCrank = 0.2, kRod = 0.6, kSlider = 0.1;  // [m]
  constexpr double kHeight = 0.3;                            // of the line of thrust [m]
  constexpr double kLimit = 0.35;                            // of a stroke of 0.4 [m]
  constexpr double kBlock = 0.2, kReach = 0.25;              // [m] of the block; until it is hit
  World world;
  world.name = "slider_crank";
  world.title = "a motor drives a slider-crank against a block held by friction, then a limit";
  world.dt = 0.002;
  world.steps = 1000;
  BodySpec ground;
  ground.size = {20, 20, 1};
  ground.pose.position = {0, 0, -0.5};
  ground.friction = 0.4;
  world.bodies.push_back(ground);

  // The crank starts at its inner dead centre but for 0.1 rad, the rod in one line with it.
  const double angle = 0.1;
  const Vec3 shaft{0, 0, kHeight};
  const Vec3 pin{-kCrank * std::cos(angle), 0, kHeight + kCrank * std::sin(angle)};
  const double reach = std::sqrt(kRod * kRod - kCrank * kCrank * std::sin(angle) * std::sin(angle));
  const Vec3 wrist{pin[0] + reach, 0, kHeight};
  const auto bar = [&](const Vec3& from, const Vec3& to, double mass, double side) {
    const double dx = to[0] - from[0], dz = to[2] - from[2];
    const double length = std::sqrt(dx * dx + dz * dz), turn = -std::atan2(dz, dx);
    BodySpec body;
    body.size = {length, 0.02, 0.04};
    body.mass = mass;
    // Bars lie side by side, so that they pass each other.
    body.pose.position = {0.5 * (from[0] + to[0]), side, 0.5 * (from[2] + to[2])};
    body.pose.rotation = {std::cos(0.5 * turn), 0, std::sin(0.5 * turn), 0};
    world.bodies.push_back(body);
    return static_cast<int>(world.bodies.size()) - 1;
  };
  const int crank = bar(shaft, pin, 1, -0.1);
  const int rod = bar(pin, wrist, 2, -0.07);
  BodySpec slider;
  slider.size = {kSlider, kSlider, kSlider};
  slider.mass = 3;
  slider.friction = 0.4;
  slider.pose.position = wrist;
  world.bodies.push_back(slider);
  const int slider_index = rod + 1;
  BodySpec block;
  block.size = {kBlock, kBlock, 2 * kHeight};
  block.mass = 10;
  block.friction = 0.4;
  block.pose.position = {wrist[0] + 0.5 * kSlider + kReach + 0.5 * kBlock, slider.pose.position[1],
                         kHeight};
  world.bodies.push_back(block);
  const int block_index = slider_index + 1;

  const auto hinge = [&](int a, int b, const Vec3& point) {
    JointSpec joint;
    joint.kind = JointKind::kHinge;
    joint.body_a = a;
    joint.body_b = b;
    joint.point = point;
    joint.axis = {0, 1, 0};
    world.joints.push_back(joint);
  };
  hinge(0, crank, shaft);
  world.joints.back().motor_speed = 2;  // [rad/s]
  world.joints.back().motor_most = 50;  // [N m]
  hinge(crank, rod, pin);
  hinge(rod, slider_index, wrist);
  JointSpec guide;
  guide.kind = JointKind::kSlider;
  guide.body_a = 0;
  guide.body_b = slider_index;
  guide.point = slider.pose.position;
  guide.axis = {1, 0, 0};
  guide.lower = -0.1;
  guide.upper = kLimit;
  world.joints.push_back(guide);

  world.standing = "joints hold, the slider is at its limit and has pushed the block there";
  world.stands = [=](const World& w, const std::vector<Pose>& poses) {
    const double stroke = poses[slider_index].position[0] - w.bodies[slider_index].pose.position[0];
    const double pushed = poses[block_index].position[0] - w.bodies[block_index].pose.position[0];
    return WorstJointGap(w, poses) < 1e-3 && std::abs(stroke - kLimit) < 2e-3 &&
           std::abs(pushed - (kLimit - kReach)) < 1e-2;
  };
  return world;
}

}  // namespace nonsmooth::demo
