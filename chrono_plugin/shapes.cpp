// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/shapes.h"

#include <algorithm>
#include <cmath>

#include "chrono/assets/ChVisualModel.h"
#include "chrono/assets/ChVisualShapes.h"
#include "chrono/collision/ChCollisionModel.h"
#include "chrono/collision/ChCollisionShapes.h"
#include "chrono/physics/ChBody.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using ::chrono::ChCollisionShape;
using ::chrono::ChFramed;
using ::chrono::ChVector3d;

/// More triangles than this are landscape that nobody looks at closely; the rest is left out.
constexpr unsigned kMostTriangles = 200000;

std::array<double, 3> ToArray(const ChVector3d& v) { return {v.x(), v.y(), v.z()}; }

template <class Shape>
Shape& As(ChCollisionShape& shape) {
  return static_cast<Shape&>(shape);
}

/// All shapes of one body.
class ShapeReader {
 public:
  explicit ShapeReader(const ::chrono::ChBody& body)
      : body_(body.GetIdentifier()),
        fixed_(body.IsFixed()),
        // Shapes are placed in the body's reference frame, a capture has its centre of mass.
        base_(fixed_ ? ChFramed(body.GetFrameRefToAbs())
                     : body.GetFrameCOMToAbs().TransformParentToLocal(body.GetFrameRefToAbs())) {}

  void ReadCollision(ChCollisionShape& shape, const ChFramed& frame) {
    source_ = ShapeSource::kCollision;
    switch (shape.GetType()) {
      case ChCollisionShape::SPHERE:
        Add(ShapeKind::kSphere, frame, {As<::chrono::ChCollisionShapeSphere>(shape).GetRadius()});
        break;
      case ChCollisionShape::ELLIPSOID:
        AddEllipsoid(frame, As<::chrono::ChCollisionShapeEllipsoid>(shape).GetSemiaxes());
        break;
      case ChCollisionShape::BOX:
        Add(ShapeKind::kBox, frame, ToArray(As<::chrono::ChCollisionShapeBox>(shape).GetLengths()));
        break;
      case ChCollisionShape::ROUNDEDBOX:
        Add(ShapeKind::kBox, frame,
            ToArray(As<::chrono::ChCollisionShapeRoundedBox>(shape).GetLengths()));
        break;
      case ChCollisionShape::CYLINDER: {
        auto& cylinder = As<::chrono::ChCollisionShapeCylinder>(shape);
        Add(ShapeKind::kCylinder, frame, {cylinder.GetRadius(), cylinder.GetHeight()});
        break;
      }
      case ChCollisionShape::CYLSHELL: {
        auto& shell = As<::chrono::ChCollisionShapeCylindricalShell>(shape);
        Add(ShapeKind::kCylinder, frame, {shell.GetRadius(), shell.GetHeight()});
        break;
      }
      case ChCollisionShape::ROUNDEDCYL: {
        auto& cylinder = As<::chrono::ChCollisionShapeRoundedCylinder>(shape);
        Add(ShapeKind::kCylinder, frame, {cylinder.GetRadius(), cylinder.GetHeight()});
        break;
      }
      case ChCollisionShape::CAPSULE: {
        auto& capsule = As<::chrono::ChCollisionShapeCapsule>(shape);
        Add(ShapeKind::kCapsule, frame, {capsule.GetRadius(), capsule.GetHeight()});
        break;
      }
      case ChCollisionShape::CONE: {
        auto& cone = As<::chrono::ChCollisionShapeCone>(shape);
        Add(ShapeKind::kCone, frame, {cone.GetRadius(), cone.GetHeight()});
        break;
      }
      case ChCollisionShape::CONVEXHULL: {
        BodyShape& hull = Add(ShapeKind::kConvexHull, frame, {});
        for (const ChVector3d& point :
             As<::chrono::ChCollisionShapeConvexHull>(shape).GetPoints()) {
          hull.points.push_back(ToArray(point));
        }
        break;
      }
      case ChCollisionShape::TRIANGLEMESH: {
        const auto mesh = As<::chrono::ChCollisionShapeTriangleMesh>(shape).GetMesh();
        if (mesh) AddMesh(frame, *mesh);
        break;
      }
      default:  // points, segments, paths: nothing that has a volume
        break;
    }
  }

  void ReadVisual(const ::chrono::ChVisualShape& shape, const ChFramed& frame) {
    namespace ch = ::chrono;
    source_ = ShapeSource::kVisual;
    if (const auto* sphere = dynamic_cast<const ch::ChVisualShapeSphere*>(&shape)) {
      Add(ShapeKind::kSphere, frame, {sphere->GetRadius()});
    } else if (const auto* box = dynamic_cast<const ch::ChVisualShapeBox*>(&shape)) {
      Add(ShapeKind::kBox, frame, ToArray(box->GetLengths()));
    } else if (const auto* cylinder = dynamic_cast<const ch::ChVisualShapeCylinder*>(&shape)) {
      Add(ShapeKind::kCylinder, frame, {cylinder->GetRadius(), cylinder->GetHeight()});
    } else if (const auto* capsule = dynamic_cast<const ch::ChVisualShapeCapsule*>(&shape)) {
      Add(ShapeKind::kCapsule, frame, {capsule->GetRadius(), capsule->GetHeight()});
    } else if (const auto* cone = dynamic_cast<const ch::ChVisualShapeCone*>(&shape)) {
      Add(ShapeKind::kCone, frame, {cone->GetRadius(), cone->GetHeight()});
    } else if (const auto* ellipsoid = dynamic_cast<const ch::ChVisualShapeEllipsoid*>(&shape)) {
      AddEllipsoid(frame, ellipsoid->GetSemiaxes());
    } else if (const auto* mesh = dynamic_cast<const ch::ChVisualShapeTriangleMesh*>(&shape)) {
      if (mesh->GetMesh()) AddMesh(frame, *mesh->GetMesh());
    }
  }

  std::vector<BodyShape> shapes_;

 private:
  void AddMesh(const ChFramed& frame, const ::chrono::ChTriangleMesh& mesh) {
    BodyShape& shape = Add(ShapeKind::kTriangleMesh, frame, {});
    const unsigned triangles = std::min(mesh.GetNumTriangles(), kMostTriangles);
    for (unsigned i = 0; i < triangles; ++i) {
      const ::chrono::ChTriangle triangle = mesh.GetTriangle(i);
      const auto first = static_cast<std::int32_t>(shape.points.size());
      for (const ChVector3d& corner : {triangle.p1, triangle.p2, triangle.p3}) {
        shape.points.push_back(ToArray(corner));
      }
      shape.triangles.push_back({first, first + 1, first + 2});
    }
  }

  /// A capture has no ellipsoids: the hull of points on it, every 18 degrees.
  void AddEllipsoid(const ChFramed& frame, const ChVector3d& semiaxes) {
    BodyShape& hull = Add(ShapeKind::kConvexHull, frame, {});
    for (int i = 0; i <= 10; ++i) {
      const double latitude = ::chrono::CH_PI * (i / 10.0 - 0.5);
      for (int j = 0; j < 20; ++j) {
        const double longitude = ::chrono::CH_PI * j / 10.0;
        hull.points.push_back({semiaxes.x() * std::cos(latitude) * std::cos(longitude),
                               semiaxes.y() * std::cos(latitude) * std::sin(longitude),
                               semiaxes.z() * std::sin(latitude)});
        if (i == 0 || i == 10) break;  // a pole
      }
    }
  }

  BodyShape& Add(ShapeKind kind, const ChFramed& frame, std::array<double, 3> size) {
    BodyShape& shape = shapes_.emplace_back();
    shape.body = body_;
    shape.fixed = fixed_;
    shape.kind = kind;
    shape.source = source_;
    shape.size = size;
    const ChFramed placed = base_.TransformLocalToParent(frame);
    shape.position = ToArray(placed.GetPos());
    const ::chrono::ChQuaterniond& q = placed.GetRot();
    shape.quaternion = {q.e0(), q.e1(), q.e2(), q.e3()};
    return shape;
  }

  std::int64_t body_;
  bool fixed_;
  ChFramed base_;
  ShapeSource source_ = ShapeSource::kCollision;
};

}  // namespace

std::vector<BodyShape> ShapesOf(const ::chrono::ChBody& body) {
  ShapeReader reader(body);
  if (const auto& model = body.GetCollisionModel()) {
    for (const auto& instance : model->GetShapeInstances()) {
      reader.ReadCollision(*instance.shape, instance.frame);
    }
  }
  if (!reader.shapes_.empty()) return std::move(reader.shapes_);
  if (const auto model = body.GetVisualModel()) {
    for (const auto& instance : model->GetShapeInstances()) {
      reader.ReadVisual(*instance.shape, instance.frame);
    }
  }
  return std::move(reader.shapes_);
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
