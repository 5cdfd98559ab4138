// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet's collision shapes as a capture keeps them.
#include "bullet_plugin/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "bullet_plugin/recording_solver.h"
#include "recorders/capture/capture_reader.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

btScalar S(double value) { return static_cast<btScalar>(value); }

std::vector<BodyShape> Read(btCollisionShape* shape) {
  btCollisionObject object;
  object.setCollisionFlags(0);  // not static
  object.setCollisionShape(shape);
  return ShapesOf(object);
}

/// The world's direction of a shape's z axis.
std::array<double, 3> Upright(const BodyShape& shape) {
  const auto& [w, x, y, z] = shape.quaternion;
  return {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

// Sizes as Bullet's constructors were given them, lengths along z whatever Bullet's axis is.
TEST(BulletShapes, SizesAndAxes) {
  btBoxShape box(btVector3(S(0.1), S(0.2), S(0.3)));
  const BodyShape a = Read(&box).at(0);
  EXPECT_EQ(a.kind, ShapeKind::kBox);
  EXPECT_NEAR(a.size[1], 0.4, 1e-6);
  EXPECT_FALSE(a.fixed);

  btCapsuleShapeX capsule(S(0.25), 2);
  const BodyShape b = Read(&capsule).at(0);
  EXPECT_EQ(b.kind, ShapeKind::kCapsule);
  EXPECT_NEAR(b.size[0], 0.25, 1e-6);
  EXPECT_NEAR(b.size[1], 2, 1e-6);
  EXPECT_NEAR(Upright(b)[0], 1, 1e-6);

  btCylinderShape cylinder(btVector3(S(0.3), 1, S(0.3)));  // stands along y
  const BodyShape c = Read(&cylinder).at(0);
  EXPECT_EQ(c.kind, ShapeKind::kCylinder);
  EXPECT_NEAR(c.size[0], 0.3, 1e-6);
  EXPECT_NEAR(c.size[1], 2, 1e-6);
  EXPECT_NEAR(Upright(c)[1], 1, 1e-6);

  btConeShapeZ cone(S(0.5), 3);
  const BodyShape d = Read(&cone).at(0);
  EXPECT_EQ(d.kind, ShapeKind::kCone);
  EXPECT_NEAR(d.size[1], 3, 1e-6);
  EXPECT_NEAR(Upright(d)[2], 1, 1e-6);
}

// A plane's half-space is below its z; a compound's parts are where it puts them; meshes and hulls
// keep their points, scaled.
TEST(BulletShapes, PlanesCompoundsHullsAndMeshes) {
  btStaticPlaneShape plane(btVector3(0, 1, 0), 2);
  const BodyShape ground = Read(&plane).at(0);
  EXPECT_EQ(ground.kind, ShapeKind::kPlane);
  EXPECT_NEAR(ground.position[1], 2, 1e-6);
  EXPECT_NEAR(Upright(ground)[1], 1, 1e-6);

  btSphereShape sphere(S(0.5));
  btConvexHullShape hull;
  for (int k = 0; k < 4; ++k) hull.addPoint(btVector3(S(k == 1), S(k == 2), S(k == 3)));
  hull.setLocalScaling(btVector3(2, 2, 2));
  btCompoundShape compound;
  compound.addChildShape(btTransform(btQuaternion(0, 0, 0, 1), btVector3(1, 0, 0)), &sphere);
  compound.addChildShape(btTransform(btQuaternion(0, 0, 0, 1), btVector3(0, 3, 0)), &hull);
  const std::vector<BodyShape> parts = Read(&compound);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].kind, ShapeKind::kSphere);
  EXPECT_NEAR(parts[0].position[0], 1, 1e-6);
  EXPECT_EQ(parts[1].kind, ShapeKind::kConvexHull);
  ASSERT_EQ(parts[1].points.size(), 4u);
  EXPECT_NEAR(parts[1].points[2][1], 2, 1e-6);

  btTriangleMesh triangles;
  triangles.addTriangle(btVector3(0, 0, 0), btVector3(1, 0, 0), btVector3(0, 1, 0));
  triangles.addTriangle(btVector3(0, 0, 1), btVector3(1, 0, 1), btVector3(0, 1, 1));
  btBvhTriangleMeshShape mesh(&triangles, true);
  const BodyShape landscape = Read(&mesh).at(0);
  EXPECT_EQ(landscape.kind, ShapeKind::kTriangleMesh);
  EXPECT_EQ(landscape.triangles.size(), 2u);
  EXPECT_EQ(landscape.points.size(), 6u);
  EXPECT_NO_THROW(CheckShape(landscape));
}

// A recorded world has each body's shape once, the static ground's where it stands, and bodies are
// found by the identifiers of the steps.
TEST(BulletShapes, ARecordingHasThemAll) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) /
                            ("bullet_shapes" + std::to_string(sizeof(btScalar)) + ".h5"))
                               .string();
  RecordingSolver<btSequentialImpulseConstraintSolver> solver(path.c_str());
  BulletScene scene(&solver);
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), 3, btVector3(0, 0, S(0.5)));
  scene.AddSphere(S(0.5), 2, btVector3(5, 0, S(0.5)));
  scene.Step(5);
  solver.Close();
  const CaptureReader reader(path);
  const std::vector<BodyShape> shapes = reader.Shapes();
  ASSERT_EQ(shapes.size(), 3u);
  int fixed = 0;
  for (const BodyShape& shape : shapes) {
    if (!shape.fixed) continue;
    ++fixed;
    EXPECT_NEAR(shape.position[2], -1, 1e-6);
    EXPECT_NEAR(shape.size[0], 200, 1e-3);
  }
  EXPECT_EQ(fixed, 1);
  for (const BodyState& body : reader.Read(0).bodies) {
    const auto found = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const BodyShape& s) { return s.body == body.id; });
    ASSERT_NE(found, shapes.end());
    EXPECT_FALSE(found->fixed);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace nonsmooth::bullet
