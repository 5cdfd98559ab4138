// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/capture/body_shape.h"

#include <algorithm>
#include <cmath>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// [m] edge of what stands for a body of which nothing is known.
constexpr double kUnknownEdge = 0.1;

template <std::size_t N>
void RequireFinite(const BodyShape& shape, const char* what, const std::array<double, N>& values) {
  for (double value : values) {
    Require(std::isfinite(value), "shape of body ", shape.body, ": ", what, " is not finite");
  }
}

/// R of a unit quaternion, row-major.
std::array<double, 9> RotationOf(const std::array<double, 4>& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

}  // namespace

std::string_view ToString(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return "sphere";
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kCylinder:
      return "cylinder";
    case ShapeKind::kCone:
      return "cone";
    case ShapeKind::kConvexHull:
      return "convex hull";
    case ShapeKind::kTriangleMesh:
      return "triangle mesh";
    case ShapeKind::kPlane:
      return "plane";
  }
  return "unknown";
}

void CheckShape(const BodyShape& shape) {
  Require(ToString(shape.kind) != "unknown", "shape of body ", shape.body, ": kind ",
          static_cast<int>(shape.kind), " is not known");
  RequireFinite(shape, "size", shape.size);
  RequireFinite(shape, "position", shape.position);
  RequireFinite(shape, "quaternion", shape.quaternion);
  for (double size : shape.size) {
    Require(size >= 0, "shape of body ", shape.body, ": size ", size, " is negative");
  }
  for (const auto& point : shape.points) RequireFinite(shape, "a point", point);
  const auto points = static_cast<std::int64_t>(shape.points.size());
  for (const auto& triangle : shape.triangles) {
    for (std::int32_t index : triangle) {
      Require(index >= 0 && index < points, "shape of body ", shape.body, ": a triangle has point ",
              index, " of ", points);
    }
  }
}

BodyShape StandInShape(const BodyState& body) {
  BodyShape shape;
  shape.body = body.id;
  shape.source = ShapeSource::kStandIn;
  shape.size.fill(kUnknownEdge);
  if (!(body.mass > 0)) return shape;
  // The inertia is given in the world; edges are along the body's axes, products are left out.
  const std::array<double, 9> r = RotationOf(body.quaternion);
  std::array<double, 3> inertia{};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        inertia[k] += r[3 * i + k] * body.inertia[3 * i + j] * r[3 * j + k];
    }
  }
  const double sum = inertia[0] + inertia[1] + inertia[2];
  if (!(sum > 0) || !std::isfinite(sum)) return shape;
  for (int k = 0; k < 3; ++k) {
    // I_k = m/12 (l_i² + l_j²), hence l_k² = 6/m (ΣI − 2 I_k); rods and discs keep some thickness.
    const double square = 6 / body.mass * (sum - 2 * inertia[k]);
    const double least = 1e-4 * 6 / body.mass * sum;
    shape.size[k] = std::sqrt(std::max(square, least));
  }
  return shape;
}

}  // namespace nonsmooth
