// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "captured_step.h"

namespace nonsmooth {

/// What a body looks like: for those who look at a capture, no solver needs it. The codes stand in
/// the file.
enum class ShapeKind : std::uint8_t {
  kSphere = 1,        ///< size: radius
  kBox = 2,           ///< size: edges along x, y, z
  kCapsule = 3,       ///< size: radius, length of the cylinder along z, without the caps
  kCylinder = 4,      ///< size: radius, length along z
  kCone = 5,          ///< size: radius, height along z; the tip is at z = height / 2
  kConvexHull = 6,    ///< of `points`
  kTriangleMesh = 7,  ///< `points` and `triangles`
  kPlane = 8,         ///< half-space below z = 0
};

/// Where a shape comes from.
enum class ShapeSource : std::uint8_t {
  kCollision = 0,  ///< what the engine finds contacts with
  kVisual = 1,     ///< what the engine draws
  kStandIn = 2,    ///< a box of the body's inertia, since nothing else is known
};

std::string_view ToString(ShapeKind kind);

/// A shape of a body, which may have several: a compound.
struct BodyShape {
  std::int64_t body = 0;  ///< the engine's identifier, BodyState::id
  ShapeKind kind = ShapeKind::kBox;
  ShapeSource source = ShapeSource::kCollision;

  /// The frame below is in the world and the body stands still: one that takes no part in solving,
  /// and so is not among the bodies of any step.
  bool fixed = false;

  std::array<double, 3> size{};                  ///< [m], see ShapeKind; 0 where it has no meaning
  std::array<double, 3> position{};              ///< [m] in axes of the body at its centre of mass
  std::array<double, 4> quaternion{1, 0, 0, 0};  ///< shape to body, (w, x, y, z)
  std::vector<std::array<double, 3>> points;     ///< [m] in axes of the shape
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< indices into `points`
};

/// Throws std::invalid_argument naming what is wrong with a shape: numbers that are not finite,
/// negative sizes, indices of points that are not there.
void CheckShape(const BodyShape& shape);

/// The box with the mass and inertia of a body, for those without a shape; a point mass and a fixed
/// body get a small cube.
BodyShape StandInShape(const BodyState& body);

}  // namespace nonsmooth
