// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "demos/harness/worlds.h"
#include "demos/outcomes/outcome.h"

namespace nonsmooth::demo {
namespace {

/// Cubes upon each other, the first of `masses` on the ground.
World Tower(const std::string& name, double edge, const std::vector<double>& masses) {
  World world;
  world.name = name;
  world.bodies.push_back(GroundBody(0.5));
  double z = 0.5 * edge;
  for (const double mass : masses) {
    world.bodies.push_back(BoxBody({edge, edge, edge}, mass, {0, 0, z}, 0.5));
    z += edge;
  }
  return world;
}

/// [mm] By how much cubes on each other have got closer than their edge, and the lowest to the
/// ground, at the end.
double Overlap(const World& world, const Trace& trace) {
  const std::vector<Pose>& poses = trace.back();
  const double edge = world.bodies.back().size[2];
  double below = -0.5 * edge, overlap = 0;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    overlap = std::max(overlap, edge - (poses[i].position[2] - below));
    below = poses[i].position[2];
  }
  return 1e3 * overlap;
}

/// A cube of `ratio` kg on one of 1 kg.
Outcome HeavyOnLight(int ratio) {
  Outcome outcome;
  outcome.world = Tower("S1 " + std::to_string(ratio), 1, {1, static_cast<double>(ratio)});
  outcome.world.title = "a cube on one of 1 kg, " + std::to_string(ratio) + " times as heavy";
  outcome.world.steps = 300;
  outcome.what = "overlap";
  outcome.unit = "mm";
  outcome.limit = 10;
  outcome.measure = Overlap;
  return outcome;
}

/// Cubes of 1 m and 1 kg side by side, `base` of them in the lowest row.
World Pyramid(int base) {
  World world;
  world.name = "S11";
  world.title = "a pyramid of cubes, " + std::to_string(base) + " in the lowest row";
  world.steps = 600;
  world.bodies.push_back(GroundBody(0.5));
  for (int row = 0; row < base; ++row) {
    for (int i = 0; i < base - row; ++i) {
      world.bodies.push_back(
          BoxBody({1, 1, 1}, 1, {i - 0.5 * (base - row - 1), 0, row + 0.5}, 0.5));
    }
  }
  return world;
}

}  // namespace

void AddTowers(std::vector<Outcome>& outcomes) {
  for (const int ratio : {1, 10, 100, 1000}) outcomes.push_back(HeavyOnLight(ratio));

  World alternating = Tower("S2", 0.4, {0.1, 10, 0.1, 10, 0.1});
  alternating.title = "a tower of cubes of 0.1 and 10 kg in turn";
  alternating.dt = 0.01;
  alternating.steps = 1000;
  outcomes.push_back(Standing(std::move(alternating), 100));

  World growing = Tower("S3", 0.2, {4, 16, 64, 256});
  growing.title = "a tower of cubes, each four times as heavy as the one below";
  growing.gravity = {0, 0, -10};
  growing.steps = 600;
  outcomes.push_back(Standing(std::move(growing), 50));

  World wall = BrickWall({});
  wall.name = "S4";
  wall.steps = 600;
  outcomes.push_back(Standing(std::move(wall), 35.5));
}

void AddPyramid(std::vector<Outcome>& outcomes) { outcomes.push_back(Standing(Pyramid(20), 250)); }

}  // namespace nonsmooth::demo
