// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/outcomes/outcome.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "demos/scenes/random.h"

namespace nonsmooth::demo {

std::vector<Outcome> Outcomes() {
  std::vector<Outcome> outcomes;
  AddTowers(outcomes);
  AddChains(outcomes);
  AddCardsAndArches(outcomes);
  AddFriction(outcomes);
  AddPyramid(outcomes);
  return outcomes;
}

World Displaced(const World& world, unsigned seed) {
  constexpr double kNoise = 10e-6;  // [m]
  World displaced = world;
  Random random(seed);
  std::vector<bool> held(world.bodies.size(), false);
  for (const JointSpec& joint : world.joints) held[joint.body_a] = held[joint.body_b] = true;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    BodySpec& body = displaced.bodies[i];
    if (body.mass == 0 || held[i]) continue;
    for (double& x : body.pose.position) x += random.Uniform(-kNoise, kNoise);
  }
  return displaced;
}

BodySpec BoxBody(const Vec3& size, double mass, const Vec3& position, double friction) {
  BodySpec body;
  body.size = size;
  body.mass = mass;
  body.pose.position = position;
  body.friction = friction;
  return body;
}

BodySpec GroundBody(double friction) { return BoxBody({100, 100, 10}, 0, {0, 0, -5}, friction); }

double Distance(const Vec3& a, const Vec3& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                   (a[2] - b[2]) * (a[2] - b[2]));
}

double Drift(const World& world, const Trace& trace) {
  double farthest = 0;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].mass == 0) continue;
    const double way = Distance(trace.back()[i].position, trace.front()[i].position);
    farthest = std::max(farthest, way);
  }
  return 1e3 * farthest;
}

Outcome Standing(World world, double limit) {
  Outcome outcome;
  outcome.world = std::move(world);
  outcome.what = "drift";
  outcome.unit = "mm";
  outcome.limit = limit;
  outcome.measure = Drift;
  return outcome;
}

}  // namespace nonsmooth::demo
