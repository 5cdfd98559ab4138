// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "demos/harness/worlds.h"
#include "demos/scenes/random.h"

namespace nonsmooth::demo {
namespace {

constexpr double kPi = 3.14159265358979323846;

BodySpec Box(const Vec3& size, double mass, const Vec3& position) {
  BodySpec body;
  body.shape = ShapeKind::kBox;
  body.size = size;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

/// A fixed slab whose upper face is z = 0.
BodySpec Ground(double friction) {
  BodySpec ground = Box({20, 20, 1}, 0, {0, 0, -0.5});
  ground.friction = friction;
  return ground;
}

/// True if all moving bodies are over the rectangle |x| ≤ half[0], |y| ≤ half[1], above −sink.
bool Inside(const World& world, const std::vector<Pose>& poses, std::array<double, 2> half,
            double sink) {
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].mass == 0) continue;
    const Vec3& at = poses[i].position;
    if (!(std::abs(at[0]) <= half[0] && std::abs(at[1]) <= half[1] && at[2] >= -sink)) return false;
  }
  return true;
}

}  // namespace

World BrickWall(const WorldOptions& options) {
  constexpr double kDensity = 1800;             // [kg/m³]
  constexpr double kGap = 0.002;                // [m]
  constexpr double kFriction = 0.6;             // brick on brick
  const Vec3 whole{0.24, 0.115, 0.071};         // [m] German standard brick
  const double width = 2 * whole[0] + kGap;     // of every row
  const double half = 0.5 * (whole[0] - kGap);  // length of a half brick: rows are equally wide
  World world;
  world.name = "brick_wall";
  world.title = "a wall of bricks, 12 rows of 2 and 3 in turn, with small lateral gaps";
  world.steps = 500;
  world.bodies.push_back(Ground(kFriction));
  const int bricks = options.bodies > 0 ? options.bodies : 30;
  for (int row = 0, placed = 0; placed < bricks; ++row) {
    const int count = row % 2 == 0 ? 2 : 3;
    double x = -0.5 * width;
    for (int i = 0; i < count; ++i, ++placed) {
      const double length = count == 3 && i != 1 ? half : whole[0];
      BodySpec brick = Box({length, whole[1], whole[2]}, kDensity * length * whole[1] * whole[2],
                           {x + 0.5 * length, 0, (row + 0.5) * whole[2]});
      brick.friction = kFriction;
      world.bodies.push_back(brick);
      x += length + kGap;
    }
  }
  world.standing = "no brick is more than half its height away from its place";
  world.stands = [whole](const World& w, const std::vector<Pose>& poses) {
    return StayedWithin(w, poses, 0.5 * whole[2]);
  };
  return world;
}

World SpheresInBox(const WorldOptions& options) {
  constexpr double kRadius = 0.1, kDensity = 1000, kFriction = 0.4, kWall = 0.1;
  const int count = options.bodies > 0 ? options.bodies : 15;
  World world;
  world.name = "spheres_in_box";
  world.title = "spheres fall from random positions into an open box";
  // A floor of about a sphere a cell for small numbers, as high as wide for large ones.
  const int cells = std::max(4, static_cast<int>(std::cbrt(static_cast<double>(count))) + 1);
  const double pitch = 2.5 * kRadius;
  const double half = 0.5 * cells * pitch;
  const double height = 2 * half + 4 * kRadius;
  world.bodies.push_back(Ground(kFriction));
  for (const double side : {-1.0, 1.0}) {
    BodySpec wall = Box({kWall, 2 * half + 2 * kWall, height}, 0,
                        {side * (half + 0.5 * kWall), 0, 0.5 * height});
    wall.friction = kFriction;
    world.bodies.push_back(wall);
    wall = Box({2 * half, kWall, height}, 0, {0, side * (half + 0.5 * kWall), 0.5 * height});
    wall.friction = kFriction;
    world.bodies.push_back(wall);
  }
  // One sphere a cell of a lattice, moved about in it, so that no two touch at the start.
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
                            (layer + 0.5) * pitch + 4 * kRadius + jitter[2]};
    world.bodies.push_back(sphere);
  }
  world.standing = "every sphere is in the box";
  world.stands = [half](const World& w, const std::vector<Pose>& poses) {
    return Inside(w, poses, {half, half}, 0);
  };
  return world;
}

World LogPile(const WorldOptions& options) {
  constexpr double kRadius = 0.15, kLength = 2, kDensity = 600, kFriction = 0.6;
  constexpr int kAcross = 5;
  const int count = options.bodies > 0 ? options.bodies : 40;
  World world;
  world.name = "log_pile";
  world.title = "cylindrical logs fall between four posts and pile up";
  world.steps = 400;
  world.bodies.push_back(Ground(kFriction));
  const double pitch = 2.3 * kRadius;
  const double half = 0.5 * kAcross * pitch;
  const double height = (count / kAcross + 4) * 2 * kRadius;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      BodySpec post =
          Box({0.2, 0.2, height}, 0, {x * (half + 0.1), y * 0.35 * kLength, 0.5 * height});
      post.friction = kFriction;
      world.bodies.push_back(post);
    }
  }
  Random random(options.seed);
  for (int i = 0; i < count; ++i) {
    BodySpec log;
    log.shape = ShapeKind::kCylinder;
    log.size = {kRadius, kLength, 0};
    log.mass = kDensity * kPi * kRadius * kRadius * kLength;
    log.friction = kFriction;
    const int layer = i / kAcross, place = i % kAcross;
    log.pose.position = {(place + 0.5) * pitch - half + random.Uniform(-0.02, 0.02),
                         random.Uniform(-0.05, 0.05), (layer + 0.5) * 2.6 * kRadius + kRadius};
    world.bodies.push_back(log);
  }
  world.standing = "every log lies between the posts";
  world.stands = [half](const World& w, const std::vector<Pose>& poses) {
    return Inside(w, poses, {half, 0.5 * kLength}, 0);
  };
  return world;
}

World MassRatio(const WorldOptions& options) {
  constexpr double kEdge = 0.5, kRatio = 1000;
  const int count = std::max(2, options.bodies > 0 ? options.bodies : 5);
  World world;
  world.name = "mass_ratio";
  world.title = "a cube of 1000 kg on a stack of cubes of 1 kg";
  world.bodies.push_back(Ground(0.5));
  for (int i = 0; i < count; ++i) {
    world.bodies.push_back(
        Box({kEdge, kEdge, kEdge}, i + 1 == count ? kRatio : 1, {0, 0, (i + 0.5) * kEdge}));
  }
  world.standing = "no cube is more than a quarter of its edge away from its place";
  world.stands = [](const World& w, const std::vector<Pose>& poses) {
    return StayedWithin(w, poses, 0.25 * kEdge);
  };
  return world;
}

}  // namespace nonsmooth::demo
