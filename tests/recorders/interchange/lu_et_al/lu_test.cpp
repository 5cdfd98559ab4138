// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"
#include "recorders/hdf5/file.h"
#include "recorders/interchange/lu_et_al/lu_convert.h"
#include "recorders/interchange/lu_et_al/lu_file.h"
#include "recorders/interchange/problem_source.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kStep = 0.01;

/// Two balls of 2 kg and 1 kg on top of each other on fixed ground, the upper one joined to the
/// world by one bounded row and one free one; all of it turned out of the axes.
CapturedStep TwoBalls() {
  ProblemBuilder builder;
  CapturedStep step;
  step.info.h = kStep;
  const auto add = [&](std::int64_t id, double mass, const Vector3& position) {
    const int body = builder.AddSphere(mass, 0.5, {0, 0, -9.81 * mass * kStep});
    BodyState state;
    state.id = id;
    state.mass = mass;
    state.position = position;
    step.bodies.push_back(state);
    return body;
  };
  const int ground = add(10, 0, {0, 0, -1});
  const int low = add(7, 2, {0.1, 0.2, 0.5});
  const int high = add(3, 1, {0.1, 0.5, 1.4});
  builder.body(high).velocity = {1, -2, 0.5, 0.1, 0.2, 0.3};
  const auto touch = [&](int a, int b, const Vector3& point, const Vector3& normal, double gap) {
    ContactPoint contact;
    contact.body_a = a;
    contact.body_b = b;
    for (int k = 0; k < 3; ++k) {
      contact.lever_a[k] = a < 0 ? point[k] : point[k] - step.bodies[a].position[k];
      contact.lever_b[k] = point[k] - step.bodies[b].position[k];
    }
    contact.normal = normal;
    contact.bias = gap / kStep;
    ContactMaterial material;
    material.friction = 0.3;
    builder.AddContact(contact, material);
  };
  TwoBodyRow row;
  row.body_a = high;
  row.jacobian = {1, 0, 0, 0, 0.5, 0};
  row.bias = 0.02;
  builder.AddBounded(row, -3, 4);
  row.jacobian = {0, 1, 0, 0, 0, 0.25};
  builder.AddEquality(row);
  touch(ground, low, {0.1, 0.2, 0}, {0, 0, 1}, -0.001);
  touch(low, high, {0.1, 0.35, 0.95}, {0, 0.316227766016838, 0.948683298050514}, 0.002);
  touch(-1, high, {0.6, 0.5, 1.4}, {-1, 0, 0}, 0);
  step.problem = builder.Build();
  for (int i = 0; i < step.problem.rows(); ++i) step.x.push_back(0.1 * i - 0.2);
  return step;
}

void ExpectSameBound(double a, double b) {
  if (std::isinf(a)) {
    EXPECT_EQ(a, b);
  } else {
    EXPECT_NEAR(a, b, 1e-12);
  }
}

/// A, b and bounds agree to rounding, friction exactly.
void ExpectSameProblem(const Problem& a, const Problem& b) {
  ASSERT_EQ(a.rows(), b.rows());
  const CsrMatrix& first = a.dynamics().Assembled();
  const CsrMatrix& second = b.dynamics().Assembled();
  ASSERT_EQ(first.column, second.column);
  for (int k = 0; k < first.nonzeros(); ++k) EXPECT_NEAR(first.value[k], second.value[k], 1e-12);
  for (int i = 0; i < a.rows(); ++i) {
    EXPECT_NEAR(a.dynamics().bias()[i], b.dynamics().bias()[i], 1e-12) << "row " << i;
    ExpectSameBound(a.lower()[i], b.lower()[i]);
    ExpectSameBound(a.upper()[i], b.upper()[i]);
  }
  ASSERT_EQ(a.groups().size(), b.groups().size());
  for (std::size_t g = 0; g < a.groups().size(); ++g) {
    EXPECT_EQ(a.groups()[g].kind, b.groups()[g].kind);
    EXPECT_EQ(a.groups()[g].friction, b.groups()[g].friction);
  }
}

class LuDialects : public testing::TestWithParam<LuDialect> {};

// A problem goes through a file and comes back: the format has all that this one is made of.
TEST_P(LuDialects, ProblemSurvivesAFile) {
  const TemporaryDirectory folder;
  const CapturedStep step = TwoBalls();
  std::vector<std::string> remarks;
  WriteLu(folder.File("f.h5"), GetParam(), {ToLuFrame(step, GetParam(), &remarks)});
  const std::unique_ptr<ProblemSource> source = OpenSource(folder.File("f.h5"));
  EXPECT_EQ(source->format(), GetParam() == LuDialect::kOde ? FileFormat::kOde : FileFormat::kLu);
  ASSERT_EQ(source->steps(), 1);
  const CapturedStep back = source->Read(0).step;
  ExpectSameProblem(step.problem, back.problem);
  EXPECT_DOUBLE_EQ(back.info.h, kStep);
  ASSERT_EQ(back.x.size(), step.x.size());
  for (std::size_t i = 0; i < back.x.size(); ++i) EXPECT_NEAR(back.x[i], step.x[i], 1e-14);
  EXPECT_EQ(back.bodies[1].id, 7);
  EXPECT_EQ(back.contacts[1].pair, (std::array<std::int32_t, 2>{1, 2}));
  EXPECT_NEAR(back.contacts[1].gap, 0.002, 1e-15);
}

// What the file holds is what the frame had, to the bit.
TEST_P(LuDialects, FrameSurvivesAFileToTheBit) {
  const TemporaryDirectory folder;
  std::vector<std::string> remarks;
  const LuFrame frame = ToLuFrame(TwoBalls(), GetParam(), &remarks);
  WriteLu(folder.File("f.h5"), GetParam(), {frame, frame});
  const LuFile file(folder.File("f.h5"));
  EXPECT_TRUE(file.own());
  ASSERT_EQ(file.frames(), 2);
  const LuFrame back = file.Read(1);
  EXPECT_EQ(back.name, GetParam() == LuDialect::kOde ? "mbs_frame000002" : "frame000002");
  EXPECT_EQ(back.ids, frame.ids);
  EXPECT_EQ(back.masses, frame.masses);
  EXPECT_EQ(back.inertia, frame.inertia);
  EXPECT_EQ(back.positions, frame.positions);
  EXPECT_EQ(back.quaternions, frame.quaternions);
  EXPECT_EQ(back.velocities, frame.velocities);
  EXPECT_EQ(back.forces, frame.forces);
  EXPECT_EQ(back.constraint_rows, frame.constraint_rows);
  EXPECT_EQ(back.constraint_pairs, frame.constraint_pairs);
  EXPECT_EQ(back.jacobian, frame.jacobian);
  EXPECT_EQ(back.bounds, frame.bounds);
  EXPECT_EQ(back.violation, frame.violation);
  EXPECT_EQ(back.contact_pairs, frame.contact_pairs);
  EXPECT_EQ(back.points, frame.points);
  EXPECT_EQ(back.normals, frame.normals);
  EXPECT_EQ(back.gap, frame.gap);
  EXPECT_EQ(back.mu, frame.mu);
  EXPECT_EQ(back.z, frame.z);
  EXPECT_EQ(back.slide_or_stick, frame.slide_or_stick);
}

INSTANTIATE_TEST_SUITE_P(Both, LuDialects, testing::Values(LuDialect::kPaper, LuDialect::kOde),
                         [](const testing::TestParamInfo<LuDialect>& dialect) {
                           return dialect.param == LuDialect::kOde ? "Ode" : "Paper";
                         });

// The paper's points start at body 1's centre of mass, ODE's at the world's origin: the contact
// between the balls at (0.1, 0.35, 0.95), the lower centre at (0.1, 0.2, 0.5).
TEST(LuFrameTest, PointsStartWhereTheDialectSays) {
  std::vector<std::string> remarks;
  const LuFrame paper = ToLuFrame(TwoBalls(), LuDialect::kPaper, &remarks);
  EXPECT_NEAR(paper.points[3], 0.0, 1e-15);
  EXPECT_NEAR(paper.points[4], 0.15, 1e-15);
  EXPECT_NEAR(paper.points[5], 0.45, 1e-15);
  const LuFrame ode = ToLuFrame(TwoBalls(), LuDialect::kOde, &remarks);
  EXPECT_NEAR(ode.points[3], 0.1, 1e-15);
  EXPECT_NEAR(ode.points[4], 0.35, 1e-15);
  EXPECT_NEAR(ode.points[5], 0.95, 1e-15);
  // Bounds are impulses in the paper, forces in ODE: 4 N s / 0.01 s = 400 N.
  EXPECT_DOUBLE_EQ(paper.bounds[1], 4);
  EXPECT_DOUBLE_EQ(ode.bounds[1], 400);
}

// ODE's writer forgets `timestep` on some frames: the nearest frame's is used, and that is said.
TEST(LuFrameTest, MissingTimeStepComesFromAnotherFrame) {
  const TemporaryDirectory folder;
  std::vector<std::string> remarks;
  LuFrame frame = ToLuFrame(TwoBalls(), LuDialect::kOde, &remarks);
  LuFrame without = frame;
  without.has_step = false;
  WriteLu(folder.File("f.h5"), LuDialect::kOde, {without, frame, without});
  const std::unique_ptr<ProblemSource> source = OpenSource(folder.File("f.h5"));
  for (int k : {0, 2}) {
    const SourceStep read = source->Read(k);
    EXPECT_EQ(read.step.info.h, kStep);
    EXPECT_NE(read.remarks.back().find("has no time step"), std::string::npos);
  }
  WriteLu(folder.File("none.h5"), LuDialect::kOde, {without});
  EXPECT_THROW(OpenSource(folder.File("none.h5"))->Read(0), FileError);
}

/// A frame as ODE's own writer fills it: a ball of 2 kg at height 1 m, id 1, held by a joint of two
/// rows along z (off by 1 cm, ODE's c = −60 · 0.01) and x (a motor for 7 m/s with at most 5 N),
/// and touching the world, all of it turned round as ODE does.
LuFrame FrameByOde() {
  const double infinity = std::numeric_limits<double>::infinity();
  LuFrame frame;
  frame.dialect = LuDialect::kOde;
  frame.name = "mbs_frame000001";
  frame.has_step = true;
  frame.step = kStep;
  frame.ids = {1};
  frame.states = {1};
  frame.masses = {2};
  frame.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  frame.positions = {0, 0, 1};
  frame.quaternions = {1, 0, 0, 0};
  frame.velocities = {4, 0, 3, 0, 0, 0};
  frame.forces = {0, 0, 0, 0, 0, 0};
  frame.constraint_rows = {2};
  frame.constraint_pairs = {-1, 1};
  frame.jacobian = {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  frame.violation = {-0.6, 7};
  frame.time_derivative = {0, 0};
  frame.bounds = {-infinity, -5, 5, infinity};  // the motor's, at places 1 and 2
  frame.contact_pairs = {-1, 1};
  frame.points = {0, 0, 0.5};
  frame.normals = {0, 0, -1};
  frame.gap = {-0.002};
  frame.mu = {0.4};
  return frame;
}

// w = v_z + 0.01 m / h = 3 + 1 along the joint, v_x − 7 = −3 along the motor with ±5 N · h, and at
// the contact the ball moves away at 3 m/s less 0.002 m / h = 0.2.
TEST(OdeFrames, MeanWhatOdeMeans) {
  std::vector<std::string> remarks;
  const CapturedStep step = FromLuFrame(FrameByOde(), kStep, &remarks);
  const Problem& problem = step.problem;
  ASSERT_EQ(problem.rows(), 5);
  const std::vector<double>& b = problem.dynamics().bias();
  EXPECT_DOUBLE_EQ(b[0], 4);
  EXPECT_DOUBLE_EQ(b[1], -3);
  EXPECT_DOUBLE_EQ(b[2], 2.8);
  EXPECT_EQ(problem.groups()[0].kind, GroupKind::kEquality);
  EXPECT_EQ(problem.groups()[1].kind, GroupKind::kBox);
  EXPECT_DOUBLE_EQ(problem.lower()[1], -0.05);
  EXPECT_DOUBLE_EQ(problem.upper()[1], 0.05);
  EXPECT_DOUBLE_EQ(problem.dynamics().diagonal()[0], 0.5);
  EXPECT_DOUBLE_EQ(problem.dynamics().diagonal()[2], 0.5);
  EXPECT_EQ(step.contacts[0].point, (std::array<double, 3>{0, 0, 0.5}));
  EXPECT_EQ(step.contacts[0].normal, (std::array<double, 3>{0, 0, 1}));
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_NE(remarks[0].find("turned"), std::string::npos);
  EXPECT_NE(remarks[1].find("constraint force mixing"), std::string::npos);
}

// A limit in row 0 of two: l = 0 stands at place 0, u = ∞ at place 1, where it already was.
TEST(OdeFrames, OneSidedBoundsAreFound) {
  std::vector<std::string> remarks;
  const double infinity = std::numeric_limits<double>::infinity();
  LuFrame frame = FrameByOde();
  frame.bounds = {0, infinity, -infinity, infinity};
  Problem problem = FromLuFrame(frame, kStep, &remarks).problem;
  EXPECT_EQ(problem.lower()[0], 0);
  EXPECT_EQ(problem.upper()[0], infinity);
  EXPECT_EQ(problem.groups()[1].kind, GroupKind::kEquality);
  // −∞ ≤ x ≤ 0 in row 1: both places were other than before.
  frame.bounds = {-infinity, -infinity, 0, infinity};
  problem = FromLuFrame(frame, kStep, &remarks).problem;
  EXPECT_EQ(problem.groups()[0].kind, GroupKind::kEquality);
  EXPECT_EQ(problem.lower()[1], -infinity);
  EXPECT_EQ(problem.upper()[1], 0);
  // Both rows bounded: u of the first is overwritten by l of the second, and nobody can tell.
  frame.bounds = {-1, -5, 5, infinity};
  EXPECT_THROW(FromLuFrame(frame, kStep, &remarks), std::invalid_argument);
}

// ODE counts the rows of disabled joints and leaves them zero at the end.
TEST(OdeFrames, RowsOfDisabledJointsAreDropped) {
  std::vector<std::string> remarks;
  LuFrame frame = FrameByOde();
  frame.constraint_rows.push_back(0);
  frame.constraint_pairs.insert(frame.constraint_pairs.end(), {-1, -1});
  frame.jacobian.resize(12 * 5);
  frame.violation.resize(5);
  frame.time_derivative.resize(5);
  frame.bounds.resize(2 * 5, 0.0);
  EXPECT_EQ(FromLuFrame(frame, kStep, &remarks).problem.rows(), 5);
}

// Frames are taken in the order of their numbers, not of their letters.
TEST(LuFrameTest, UnpaddedNumbersAreInOrder) {
  const TemporaryDirectory folder;
  std::vector<std::string> remarks;
  LuFrame frame = ToLuFrame(TwoBalls(), LuDialect::kPaper, &remarks);
  {
    const hdf5::File file = hdf5::File::Create(folder.File("f.h5"));
    for (int number : {10, 9, 1}) {
      const hdf5::Group group = file.CreateGroup("frame" + std::to_string(number));
      group.Write<double>("step", std::vector<double>{0.001 * number});
      const hdf5::Group bodies = group.CreateGroup("bodies");
      bodies.Write<double>("masses", std::vector<double>{1});
      bodies.Write<double>("inertia", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}, {3, 3});
      bodies.Write<double>("positions", std::vector<double>{0, 0, 0}, {1, 3});
      bodies.Write<double>("velocities", std::vector<double>(6));
      bodies.Write<double>("forces", std::vector<double>(6));
    }
  }
  const std::unique_ptr<ProblemSource> source = OpenSource(folder.File("f.h5"));
  ASSERT_EQ(source->steps(), 3);
  EXPECT_DOUBLE_EQ(source->Read(0).step.info.h, 0.001);
  EXPECT_DOUBLE_EQ(source->Read(1).step.info.h, 0.009);
  EXPECT_DOUBLE_EQ(source->Read(2).step.info.h, 0.01);
}

void ExpectRefused(const CapturedStep& step, const std::string& what) {
  std::vector<std::string> remarks;
  try {
    ToLuFrame(step, LuDialect::kPaper, &remarks);
    FAIL() << "taken, expected a refusal about '" << what << "'";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(LuFrameTest, WhatTheInterfaceCannotSayIsRefusedByName) {
  CapturedStep step = TwoBalls();
  step.bodies.clear();
  ExpectRefused(step, "positions");
  step = TwoBalls();
  step.info.h = kUnknown;
  ExpectRefused(step, "time step");
  step = TwoBalls();
  step.problem = AsMatrix(step.problem);
  ExpectRefused(step, "rigid bodies");
  step = CapturedStep();
  step.info.h = kStep;
  step.problem = RollingSphere(1);
  step.bodies.resize(dynamic_cast<const TwoBodyDynamics&>(step.problem.dynamics()).bodies().size());
  ExpectRefused(step, "rolling");
}

// Wrong frames, one defect each.
TEST(LuFrameTest, DefectsInAFrameAreNamed) {
  std::vector<std::string> remarks;
  const LuFrame good = ToLuFrame(TwoBalls(), LuDialect::kPaper, &remarks);
  ASSERT_NO_THROW(FromLuFrame(good, kStep, &remarks));
  const auto refused = [&](const LuFrame& frame, const std::string& what) {
    try {
      FromLuFrame(frame, kStep, &remarks);
      FAIL() << "taken, expected a refusal about '" << what << "'";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  LuFrame bad = good;
  bad.ids[1] = bad.ids[0];
  refused(bad, "occurs twice");
  bad = good;
  bad.contact_pairs[0] = 99;
  refused(bad, "no body of id 99");
  bad = good;
  bad.constraint_rows[0] = -1;
  refused(bad, "negative");
  bad = good;
  bad.normals[2] = 7;
  refused(bad, "length");
  bad = good;
  bad.gap[1] = std::nan("");
  refused(bad, "gap");
  bad = good;
  bad.velocities.pop_back();
  refused(bad, "velocities");
  bad = good;
  bad.inertia[9] = -1;
  refused(bad, "positive definite");
  bad = good;
  bad.step = 0;
  refused(bad, "time step");
}

}  // namespace
}  // namespace nonsmooth
