// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

/// One shape of every kind, the last two on one body; numbers are exact in float32.
std::vector<BodyShape> EveryKind() {
  std::vector<BodyShape> shapes;
  for (int kind = 1; kind <= 8; ++kind) {
    BodyShape& shape = shapes.emplace_back();
    shape.body = std::min(kind, 7);
    shape.kind = static_cast<ShapeKind>(kind);
    shape.source = static_cast<ShapeSource>(kind % 3);
    shape.fixed = kind == 8;
    shape.size = {0.5 * kind, 0.25, 0.125};
    shape.position = {1, -2, 0.5};
    shape.quaternion = {0.5, 0.5, -0.5, 0.5};
  }
  shapes[5].points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  shapes[6].points = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  shapes[6].triangles = {{0, 1, 2}, {2, 1, 0}};
  return shapes;
}

void ExpectSameShapes(const std::vector<BodyShape>& a, const std::vector<BodyShape>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(a[i].body, b[i].body);
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].source, b[i].source);
    EXPECT_EQ(a[i].fixed, b[i].fixed);
    EXPECT_EQ(a[i].size, b[i].size);
    EXPECT_EQ(a[i].position, b[i].position);
    EXPECT_EQ(a[i].quaternion, b[i].quaternion);
    EXPECT_EQ(a[i].points, b[i].points);
    EXPECT_EQ(a[i].triangles, b[i].triangles);
  }
}

CaptureInfo Info(ScalarType scalar) {
  CaptureInfo info;
  info.scalar = scalar;
  return info;
}

// Shapes come back as they were, in both precisions, packed or not; those that are added later are
// there too, and a body that has some gets no others.
TEST(Shapes, ComeBackAndAreKeptOncePerBody) {
  for (ScalarType scalar : {ScalarType::kFloat32, ScalarType::kFloat64}) {
    for (bool compress : {true, false}) {
      const TemporaryDirectory directory;
      const std::string path = directory.File("shapes.h5");
      CaptureWriterOptions options;
      options.compress = compress;
      CaptureWriter writer(path, Info(scalar), options);
      const std::vector<BodyShape> shapes = EveryKind();
      const bool single = scalar == ScalarType::kFloat32;
      writer.AddShapes({shapes.begin(), shapes.begin() + 3});
      writer.Append(ContactStep(2, 1, single));
      writer.AddShapes(shapes);  // three of them are there already
      writer.Append(ContactStep(2, 2, single));
      writer.Append(ContactStep(2, 3, single));
      writer.Close();
      const CaptureReader reader(path);
      EXPECT_EQ(reader.info().version, "1.1");
      ExpectSameShapes(reader.Shapes(), shapes);
      ExpectSame(ContactStep(2, 3, single), reader.Read(2));
      EXPECT_TRUE(ValidateCapture(path).empty());
    }
  }
}

// A file of version 1.0, which has no /shapes, is read as before.
TEST(Shapes, OlderFilesHaveNone) {
  const CaptureReader reader(DataFile("balls.h5"));
  ASSERT_EQ(reader.info().version, "1.0");
  EXPECT_TRUE(reader.Shapes().empty());
  EXPECT_EQ(reader.Read(0).info.step, 0);
  EXPECT_TRUE(ValidateCapture(DataFile("balls.h5")).empty());
}

// A recorder that leaves the first steps out still hands their shapes to the file.
TEST(Shapes, SurviveStepsThatAreLeftOut) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("every.h5");
  RecorderOptions options;
  options.every = 5;
  Recorder recorder(path, Info(ScalarType::kFloat64), options);
  for (int k = 1; k <= 5; ++k) {
    CapturedStep step = ContactStep(1, k);
    step.info.step = k;
    if (k == 2) recorder.AddShapes(EveryKind());
    recorder.Record(step);
  }
  recorder.Close();
  const CaptureReader reader(path);
  EXPECT_EQ(reader.steps(), 1);
  ExpectSameShapes(reader.Shapes(), EveryKind());
}

// What cannot be a shape is refused where it is handed over.
TEST(Shapes, WrongOnesAreRefused) {
  const auto expect_refused = [](auto&& spoil) {
    std::vector<BodyShape> shapes = EveryKind();
    spoil(shapes);
    bool refused = false;
    for (const BodyShape& shape : shapes) {
      try {
        CheckShape(shape);
      } catch (const std::invalid_argument&) {
        refused = true;
      }
    }
    EXPECT_TRUE(refused);
  };
  expect_refused([](auto& s) { s[0].kind = static_cast<ShapeKind>(9); });
  expect_refused([](auto& s) { s[0].size[0] = -1; });
  expect_refused([](auto& s) { s[1].position[2] = std::nan(""); });
  expect_refused([](auto& s) { s[1].quaternion[0] = INFINITY; });
  expect_refused([](auto& s) { s[5].points[0][0] = std::nan(""); });
  expect_refused([](auto& s) { s[6].triangles[0][1] = 3; });
  expect_refused([](auto& s) { s[6].triangles[0][1] = -1; });
}

// A cuboid of edges a, b, c and mass m has I = m/12 (b² + c², a² + c², a² + b²): the box of that
// inertia is the cuboid, whichever way it is turned.
TEST(Shapes, StandInHasTheBodysInertia) {
  BodyState body;
  body.mass = 3;
  const double a = 0.2, b = 0.5, c = 1.5;
  const double i[3] = {(b * b + c * c) / 4, (a * a + c * c) / 4, (a * a + b * b) / 4};
  body.inertia = {i[0], 0, 0, 0, i[1], 0, 0, 0, i[2]};
  BodyShape box = StandInShape(body);
  EXPECT_EQ(box.source, ShapeSource::kStandIn);
  EXPECT_NEAR(box.size[0], a, 1e-12);
  EXPECT_NEAR(box.size[1], b, 1e-12);
  EXPECT_NEAR(box.size[2], c, 1e-12);
  // A quarter turn about z: what was along x is along the world's y.
  body.quaternion = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  body.inertia = {i[1], 0, 0, 0, i[0], 0, 0, 0, i[2]};
  box = StandInShape(body);
  EXPECT_NEAR(box.size[0], a, 1e-12);
  EXPECT_NEAR(box.size[1], b, 1e-12);
}

// A step that says it brought shapes which are not those of its checksum: found by Shapes() and by
// validate, while the step itself is read.
TEST(Shapes, DamageIsFound) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("damaged.h5");
  CaptureWriter writer(path, Info(ScalarType::kFloat64));
  writer.AddShapes(EveryKind());
  writer.Append(ContactStep(1, 1));
  writer.Close();
  EditRow(path, 0, false, [](schema::StepRow& row) { ++row.shape_checksum; });
  const CaptureReader reader(path);
  EXPECT_NO_THROW(reader.Read(0));
  EXPECT_THROW(reader.Shapes(), FileError);
  const std::vector<CaptureFinding> findings = ValidateCapture(path);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].object, "/shapes");
}

}  // namespace
}  // namespace nonsmooth
