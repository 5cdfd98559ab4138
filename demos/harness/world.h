// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace nonsmooth::demo {

/// A scene as data that any engine can build: z is up, all in SI units, at rest unless said.

using Vec3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  ///< (w, x, y, z), body to world

struct Pose {
  Vec3 position{};
  Quaternion rotation{1, 0, 0, 0};
};

enum class ShapeKind {
  kBox,       ///< `size`: edges along x, y, z
  kSphere,    ///< `size[0]`: radius
  kCylinder,  ///< `size[0]`: radius, `size[1]`: length along the body's y
  kCapsule,   ///< `size[0]`: radius, `size[1]`: length of its cylinder along the body's y
  kHull,      ///< convex hull of `points`, with the inertia of its bounding box `size`
};

struct BodySpec {
  ShapeKind shape = ShapeKind::kBox;
  Vec3 size{1, 1, 1};        ///< [m]
  std::vector<Vec3> points;  ///< [m] of a hull, from its centre of mass
  double mass = 0;           ///< [kg]; 0: fixed
  Pose pose;
  Vec3 velocity{};        ///< [m/s]
  Vec3 force{};           ///< [N] at the centre of mass, in world axes, in every step
  double friction = 0.5;  ///< of a pair: the geometric mean
  double restitution = 0;
};

enum class JointKind {
  kBall,    ///< the two bodies share a point
  kHinge,   ///< they turn about an axis through it
  kSlider,  ///< they slide along an axis, without turning
};

/// A joint between `body_a` and `body_b`, given in world axes at the start. Coordinate, speed and
/// limits count the motion of b relative to a along or about `axis`; both start at 0.
struct JointSpec {
  JointKind kind = JointKind::kBall;
  int body_a = -1;  ///< index into World::bodies
  int body_b = -1;
  Vec3 point{};
  Vec3 axis{0, 0, 1};
  double lower = -std::numeric_limits<double>::infinity();  ///< [m or rad]
  double upper = std::numeric_limits<double>::infinity();
  double motor_speed = 0;  ///< [m/s or rad/s]
  double motor_most = 0;   ///< [N or N m]; 0: no motor
  double motor_start = 0;  ///< [s] the motor holds still until then
  bool collide = false;    ///< the two bodies may touch each other
};

struct World {
  std::string name;
  std::string title;  ///< one line for --help
  Vec3 gravity{0, 0, -9.81};
  double dt = 1.0 / 60;  ///< [s] where --dt is not given
  int steps = 300;       ///< where --steps is not given

  /// Fixed bodies are shaken along x; the scene is told in their axes, where gravity has
  /// a sin(2π f t) added along x.
  double shake_acceleration = 0;  ///< a [m/s²]
  double shake_frequency = 0;     ///< f [Hz]
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;

  /// Whether what was built is still as it should be, by the poses of all bodies at the end.
  std::function<bool(const World&, const std::vector<Pose>&)> stands;
  std::string standing;  ///< what that means, in words
};

/// Gravity at a time, shaking included.
Vec3 GravityAt(const World& world, double time);

/// `v` turned by `rotation`.
Vec3 Rotate(const Quaternion& rotation, const Vec3& v);

/// Largest distance [m] between the two images of a joint's point over all joints that hold it
/// (ball and hinge): how far the engine lets them come apart.
double WorstJointGap(const World& world, const std::vector<Pose>& poses);

/// True if every moving body is within `distance` [m] of where it started.
bool StayedWithin(const World& world, const std::vector<Pose>& poses, double distance);

}  // namespace nonsmooth::demo
