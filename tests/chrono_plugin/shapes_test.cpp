// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Chrono's collision and visual shapes as a capture keeps them.
#include "chrono_plugin/shapes.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "chrono/assets/ChVisualShapes.h"
#include "chrono/collision/ChCollisionShapes.h"
#include "chrono/physics/ChBodyAuxRef.h"
#include "chrono_plugin/recording_solver.h"
#include "recorders/capture/capture_reader.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

namespace ch = ::chrono;

// Sizes as Chrono's constructors were given them; a shape is placed from the centre of mass, which
// is 1 m beside the reference frame that Chrono places it in.
TEST(ChronoShapes, SizesAndFrames) {
  Scene scene;
  auto body = chrono_types::make_shared<ch::ChBodyAuxRef>();
  body->SetFrameCOMToRef(ch::ChFramed(ChVector3d(1, 0, 0)));
  body->AddCollisionShape(
      chrono_types::make_shared<ch::ChCollisionShapeBox>(scene.material, 0.2, 0.4, 0.6),
      ch::ChFramed(ChVector3d(0, 0, 3)));
  body->AddCollisionShape(
      chrono_types::make_shared<ch::ChCollisionShapeCapsule>(scene.material, 0.25, 2));
  body->AddCollisionShape(chrono_types::make_shared<ch::ChCollisionShapeConvexHull>(
      scene.material, std::vector<ChVector3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  const std::vector<BodyShape> shapes = chrono::ShapesOf(*body);
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0].kind, ShapeKind::kBox);
  EXPECT_NEAR(shapes[0].size[2], 0.6, 1e-12);
  EXPECT_NEAR(shapes[0].position[0], -1, 1e-12);
  EXPECT_NEAR(shapes[0].position[2], 3, 1e-12);
  EXPECT_EQ(shapes[1].kind, ShapeKind::kCapsule);
  EXPECT_NEAR(shapes[1].size[1], 2, 1e-12);
  EXPECT_EQ(shapes[2].points.size(), 4u);
}

// Without a collision shape the visual ones are taken, and say so.
TEST(ChronoShapes, VisualShapesStandInForCollisionShapes) {
  auto body = chrono_types::make_shared<ChBody>();
  EXPECT_TRUE(chrono::ShapesOf(*body).empty());
  body->AddVisualShape(chrono_types::make_shared<ch::ChVisualShapeSphere>(0.3));
  const std::vector<BodyShape> shapes = chrono::ShapesOf(*body);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].kind, ShapeKind::kSphere);
  EXPECT_EQ(shapes[0].source, ShapeSource::kVisual);
  EXPECT_NEAR(shapes[0].size[0], 0.3, 1e-12);
}

// A recorded system has each body's shape once, the fixed ground's where it stands.
TEST(ChronoShapes, ARecordingHasThemAll) {
  const std::string path = testing::TempDir() + "chrono_shapes.h5";
  Scene scene;
  const auto ground = scene.Ground();
  const auto box = scene.Box(ChVector3d(0.4, 0.3, 0.2), 1, ChVector3d(0, 0, 0.1));
  auto recorder = std::make_shared<Recorder>(path, chrono::MakeCaptureInfo("test"));
  scene.system.SetSolver(chrono_types::make_shared<chrono::RecordingSolver>(
      scene.system, scene.system.GetSolver(), recorder));
  for (int k = 0; k < 5; ++k) scene.Step();
  recorder->Close();
  const CaptureReader reader(path);
  const std::vector<BodyShape> shapes = reader.Shapes();
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].body, ground->GetIdentifier());
  EXPECT_TRUE(shapes[0].fixed);
  EXPECT_NEAR(shapes[0].position[2], -1, 1e-12);
  EXPECT_EQ(shapes[1].body, box->GetIdentifier());
  EXPECT_FALSE(shapes[1].fixed);
  EXPECT_NEAR(shapes[1].size[1], 0.3, 1e-12);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace nonsmooth::test
