// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Recording: it changes nothing, and what is in the file is what Bullet posed and computed.
#include "bullet_plugin/recording_solver.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "recorders/capture/capture_reader.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

/// A capture's name that no other test process has.
std::string TemporaryCapture(const std::string& name) {
  const auto folder = std::filesystem::path(::testing::TempDir());
  return (folder / ("nonsmooth_bullet" + std::to_string(sizeof(btScalar)) + "_" + name + ".h5"))
      .string();
}

/// Contacts, friction, restitution, rolling friction, a motor, a limit, and two islands.
class Playground {
 public:
  explicit Playground(btConstraintSolver* solver) : scene_(solver) {
    scene_.info().m_minimumSolverBatchSize = 1;
    scene_.AddGround().setRollingFriction(btScalar(0.1));
    for (int i = 0; i < 3; ++i) {
      scene_.AddBox(btVector3(1, 1, 1), btScalar(1 + i),
                    btVector3(btScalar(0.1 * i), 0, btScalar(1.1 * i + 0.5)));
    }
    btRigidBody& ball = scene_.AddSphere(btScalar(0.5), 2, btVector3(10, 0, 2));
    ball.setRestitution(btScalar(0.5));
    ball.setRollingFriction(btScalar(0.1));
    ball.setSpinningFriction(btScalar(0.1));
    ball.setLinearVelocity(btVector3(2, 1, 0));
    btRigidBody& arm =
        scene_.AddBox(btVector3(1, btScalar(0.2), btScalar(0.2)), 1, btVector3(0, 10, 3));
    hinge_ = std::make_unique<btHingeConstraint>(arm, btVector3(btScalar(-0.5), 0, 0),
                                                 btVector3(0, 1, 0));
    hinge_->setLimit(btScalar(-0.3), btScalar(0.3));
    hinge_->enableAngularMotor(true, 2, btScalar(0.05));
    scene_.world().addConstraint(hinge_.get());
  }

  void Step(int count) { scene_.Step(count); }

  /// Every bit of every pose and velocity.
  std::vector<btScalar> State() {
    std::vector<btScalar> state;
    for (int i = 0; i < scene_.bodies(); ++i) {
      const btRigidBody& body = scene_.body(i);
      const btQuaternion turn = body.getWorldTransform().getRotation();
      for (int k = 0; k < 3; ++k) {
        state.push_back(body.getWorldTransform().getOrigin()[k]);
        state.push_back(turn[k]);
        state.push_back(body.getLinearVelocity()[k]);
        state.push_back(body.getAngularVelocity()[k]);
      }
    }
    return state;
  }

 private:
  std::unique_ptr<btHingeConstraint> hinge_;
  BulletScene scene_;
};

/// 300 steps with `plain`, the same with `recorded`: bit-identical, and a file that is in order.
template <class Base>
void ExpectRecordingChangesNothing(Base& plain, RecordingSolver<Base>& recorded,
                                   const std::string& path) {
  std::vector<btScalar> expected;
  {
    Playground playground(&plain);
    playground.Step(300);
    expected = playground.State();
  }
  std::vector<btScalar> actual;
  {
    Playground playground(&recorded);
    playground.Step(300);
    actual = playground.State();
  }
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_EQ(std::memcmp(actual.data(), expected.data(), actual.size() * sizeof(btScalar)), 0);

  recorded.Close();
  EXPECT_EQ(recorded.recorder()->status().trouble, "");
  for (const CaptureFinding& finding : ValidateCapture(path)) {
    ADD_FAILURE() << finding.object << " step " << finding.step << ": " << finding.what;
  }
  const CaptureReader reader(path);
  EXPECT_EQ(reader.info().engine, "bullet");
  EXPECT_GE(reader.steps(), 300);
  const CapturedStep last = reader.Read(reader.steps() - 1);
  EXPECT_EQ(last.info.step, 299);
  EXPECT_NEAR(last.info.h, 1.0 / 60, 1e-6);
  EXPECT_NEAR(last.info.time, 299.0 / 60, 1e-4);
  EXPECT_NEAR(last.info.gravity[2], -9.81, 1e-5);
  EXPECT_GT(last.problem.rows(), 0);
  std::filesystem::remove(path);
}

TEST(RecordingSolver, SequentialImpulseIsBitIdentical) {
  const std::string path = TemporaryCapture("si");
  btSequentialImpulseConstraintSolver plain;
  RecordingSolver<btSequentialImpulseConstraintSolver> recorded(path);
  ExpectRecordingChangesNothing(plain, recorded, path);
}

TEST(RecordingSolver, NncgIsBitIdentical) {
  const std::string path = TemporaryCapture("nncg");
  btNNCGConstraintSolver plain;
  RecordingSolver<btNNCGConstraintSolver> recorded(path);
  ExpectRecordingChangesNothing(plain, recorded, path);
}

TEST(RecordingSolver, MlcpIsBitIdentical) {
  const std::string path = TemporaryCapture("mlcp");
  btDantzigSolver pivoting;
  btMLCPSolver plain(&pivoting);
  RecordingSolver<btMLCPSolver> recorded(path, &pivoting);
  ExpectRecordingChangesNothing(plain, recorded, path);
}

TEST(RecordingSolver, OurSolverIsBitIdentical) {
  const std::string path = TemporaryCapture("psor");
  Solver plain("psor");
  RecordingSolver<Solver> recorded(path, "psor");
  ExpectRecordingChangesNothing(plain, recorded, path);
  EXPECT_EQ(plain.fallbacks(), 0) << plain.trouble();
}

// A box of 3 kg at rest: four contacts with two directions make 12 rows; normals point from
// a to b, one of which is the ground, no body of the problem; the engine's impulses add up to m g
// h, and its velocities are those of the problem, v = v_free + M⁻¹ Jᵀ x.
TEST(RecordingSolver, HoldsContactsGeometryAndSolution) {
  const std::string path = TemporaryCapture("box");
  {
    RecordingSolver<btSequentialImpulseConstraintSolver> solver(path);
    BulletScene scene(&solver);
    scene.info().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    scene.info().m_numIterations = 100;
    scene.AddGround();
    scene.AddBox(btVector3(1, 1, 1), 3, btVector3(0, 0, btScalar(0.5)));
    scene.Step(30);
    solver.Close();
  }
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), 30);
  const CapturedStep step = reader.Read(29);
  EXPECT_EQ(step.info.solver, "sequential_impulse");
  EXPECT_GT(step.info.iterations, 1);
  EXPECT_LE(step.info.iterations, 100);
  ASSERT_EQ(step.problem.rows(), 12);
  ASSERT_EQ(step.contacts.size(), 4u);
  double sum = 0;
  for (int c = 0; c < 4; ++c) {
    const ContactGeometry& contact = step.contacts[c];
    EXPECT_EQ(std::min(contact.pair[0], contact.pair[1]), -1);
    EXPECT_EQ(std::max(contact.pair[0], contact.pair[1]), 0);
    EXPECT_NEAR(contact.normal[2], contact.pair[1] == 0 ? 1 : -1, 1e-6);
    EXPECT_NEAR(contact.point[2], 0, 1e-3);
    EXPECT_NEAR(std::abs(contact.point[0]), 0.5, 1e-3);
    EXPECT_NEAR(step.problem.groups()[c].friction, 0.25, 1e-6);  // 0.5 · 0.5
    sum += step.x[3 * c];
  }
  EXPECT_NEAR(sum, 3 * 9.81 / 60, 1e-4);
  EXPECT_NEAR(step.bodies[0].mass, 3, 1e-6);
  EXPECT_NEAR(step.bodies[0].inertia[0], 0.5, 1e-6);  // m (a² + b²) / 12

  OperatorWorkspace workspace;
  std::vector<double> w(12), v(6);
  step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(v[k], step.v[k], kRounding) << "velocity " << k;
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(w[i], 0, 1e-3) << "row " << i;
  std::filesystem::remove(path);
}

// A group whose velocity is not a number cannot be kept: it is counted by the solver and by the
// recorder, which says so once; the steps before it are in the file.
TEST(RecordingSolver, AGroupThatCannotBeReadIsCounted) {
  const std::string path = TemporaryCapture("unread");
  Recording recording(path);
  int messages = 0;
  recording.options.on_trouble = [&messages](const std::string&) { ++messages; };
  RecordingSolver<btSequentialImpulseConstraintSolver> solver(recording);
  BulletScene scene(&solver);
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), 3, btVector3(0, 0, btScalar(0.5)));
  scene.Step(5);
  scene.body(1).setLinearVelocity(btVector3(std::numeric_limits<btScalar>::quiet_NaN(), 0, 0));
  scene.Step();
  EXPECT_EQ(solver.skipped(), 1);
  EXPECT_EQ(messages, 1);
  solver.Close();
  const RecorderStatus status = solver.recorder()->status();
  EXPECT_EQ(status.offered, 6);
  EXPECT_EQ(status.written, 5);
  EXPECT_EQ(status.dropped, 1);
  EXPECT_NE(status.trouble.find("step 5"), std::string::npos) << status.trouble;
  std::filesystem::remove(path);
}

// A path that cannot be written: the simulation goes on, and the recorder says why.
TEST(RecordingSolver, TroubleWithTheFileDoesNotReachTheSimulation) {
  Recording recording("/nonexistent/folder/capture.h5");
  int messages = 0;
  recording.options.on_trouble = [&messages](const std::string&) { ++messages; };
  RecordingSolver<btSequentialImpulseConstraintSolver> solver(recording);
  Playground playground(&solver);
  playground.Step(3);
  EXPECT_FALSE(solver.recorder()->status().recording);
  EXPECT_GE(messages, 1);
}

}  // namespace
}  // namespace nonsmooth::bullet
