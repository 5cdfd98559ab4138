// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/shapes.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btShapeHull.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include "bullet_plugin/identity.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

/// More triangles than this are landscape that nobody looks at closely; the rest is left out.
constexpr std::size_t kMostTriangles = 200000;

std::array<double, 3> ToArray(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Turns z into the axis along which Bullet's capsules, cylinders and cones lie.
btTransform UprightAlong(int axis) {
  btTransform turn = btTransform::getIdentity();
  if (axis == 0) turn.setRotation(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
  if (axis == 1) turn.setRotation(btQuaternion(btVector3(1, 0, 0), -SIMD_HALF_PI));
  return turn;
}

class TriangleCollector : public btTriangleCallback {
 public:
  explicit TriangleCollector(BodyShape* shape) : shape_(shape) {}
  void processTriangle(btVector3* corners, int /*part*/, int /*index*/) override {
    if (shape_->triangles.size() >= kMostTriangles) return;
    const auto first = static_cast<std::int32_t>(shape_->points.size());
    for (int k = 0; k < 3; ++k) shape_->points.push_back(ToArray(corners[k]));
    shape_->triangles.push_back({first, first + 1, first + 2});
  }

 private:
  BodyShape* shape_;
};

class ShapeReader {
 public:
  ShapeReader(std::int64_t body, bool fixed) : body_(body), fixed_(fixed) {}

  void Read(const btCollisionShape& shape, const btTransform& frame) {
    switch (shape.getShapeType()) {
      case COMPOUND_SHAPE_PROXYTYPE: {
        const auto& compound = static_cast<const btCompoundShape&>(shape);
        for (int i = 0; i < compound.getNumChildShapes(); ++i) {
          Read(*compound.getChildShape(i), frame * compound.getChildTransform(i));
        }
        break;
      }
      case SPHERE_SHAPE_PROXYTYPE:
        Add(ShapeKind::kSphere, frame, {static_cast<const btSphereShape&>(shape).getRadius()});
        break;
      case BOX_SHAPE_PROXYTYPE:
        Add(ShapeKind::kBox, frame,
            ToArray(2 * static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin()));
        break;
      case CAPSULE_SHAPE_PROXYTYPE: {
        const auto& capsule = static_cast<const btCapsuleShape&>(shape);
        Add(ShapeKind::kCapsule, frame * UprightAlong(capsule.getUpAxis()),
            {capsule.getRadius(), 2 * capsule.getHalfHeight()});
        break;
      }
      case CYLINDER_SHAPE_PROXYTYPE: {
        const auto& cylinder = static_cast<const btCylinderShape&>(shape);
        const int axis = cylinder.getUpAxis();
        Add(ShapeKind::kCylinder, frame * UprightAlong(axis),
            {cylinder.getRadius(), 2 * cylinder.getHalfExtentsWithMargin()[axis]});
        break;
      }
      case CONE_SHAPE_PROXYTYPE: {
        const auto& cone = static_cast<const btConeShape&>(shape);
        Add(ShapeKind::kCone, frame * UprightAlong(cone.getConeUpIndex()),
            {cone.getRadius(), cone.getHeight()});
        break;
      }
      case STATIC_PLANE_PROXYTYPE: {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        const btVector3& normal = plane.getPlaneNormal();
        btTransform local(shortestArcQuat(btVector3(0, 0, 1), normal),
                          normal * plane.getPlaneConstant());
        Add(ShapeKind::kPlane, frame * local, {});
        break;
      }
      case MULTI_SPHERE_SHAPE_PROXYTYPE: {
        const auto& spheres = static_cast<const btMultiSphereShape&>(shape);
        for (int i = 0; i < spheres.getSphereCount(); ++i) {
          btTransform local = btTransform::getIdentity();
          local.setOrigin(spheres.getSpherePosition(i));
          Add(ShapeKind::kSphere, frame * local, {spheres.getSphereRadius(i)});
        }
        break;
      }
      case CONVEX_HULL_SHAPE_PROXYTYPE: {
        const auto& hull = static_cast<const btConvexHullShape&>(shape);
        BodyShape& added = Add(ShapeKind::kConvexHull, frame, {});
        for (int i = 0; i < hull.getNumPoints(); ++i) {
          added.points.push_back(ToArray(hull.getScaledPoint(i)));
        }
        break;
      }
      default:
        ReadOther(shape, frame);
    }
  }

  std::vector<BodyShape> shapes_;

 private:
  /// Any other kind by its triangles, or by the hull of its support points.
  void ReadOther(const btCollisionShape& shape, const btTransform& frame) {
    if (shape.isConcave()) {
      BodyShape& mesh = Add(ShapeKind::kTriangleMesh, frame, {});
      TriangleCollector collector(&mesh);
      const btVector3 far(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
      static_cast<const btConcaveShape&>(shape).processAllTriangles(&collector, -far, far);
    } else if (shape.isConvex()) {
      btShapeHull hull(static_cast<const btConvexShape*>(&shape));
      hull.buildHull(0);
      BodyShape& added = Add(ShapeKind::kConvexHull, frame, {});
      for (int i = 0; i < hull.numVertices(); ++i) {
        added.points.push_back(ToArray(hull.getVertexPointer()[i]));
      }
    }
  }

  BodyShape& Add(ShapeKind kind, const btTransform& frame, std::array<double, 3> size) {
    BodyShape& shape = shapes_.emplace_back();
    shape.body = body_;
    shape.fixed = fixed_;
    shape.kind = kind;
    shape.size = size;
    shape.position = ToArray(frame.getOrigin());
    const btQuaternion turn = frame.getRotation();
    shape.quaternion = {turn.w(), turn.x(), turn.y(), turn.z()};
    return shape;
  }

  std::int64_t body_;
  bool fixed_;
};

}  // namespace

std::vector<BodyShape> ShapesOf(const btCollisionObject& object) {
  const bool fixed = object.isStaticObject() && !object.isKinematicObject();
  ShapeReader reader(ObjectId(&object), fixed);
  if (object.getCollisionShape() != nullptr) {
    reader.Read(*object.getCollisionShape(),
                fixed ? object.getWorldTransform() : btTransform::getIdentity());
  }
  return std::move(reader.shapes_);
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
