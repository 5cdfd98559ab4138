// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "chrono/physics/ChLinkLock.h"
#include "chrono/physics/ChLoadContainer.h"
#include "chrono/physics/ChLoadsBody.h"
#include "chrono/physics/ChShaft.h"
#include "chrono/physics/ChShaftsGear.h"
#include "chrono/physics/ChSystemSMC.h"
#include "chrono/solver/ChSolverADMM.h"
#include "chrono_plugin/recording_solver.h"
#include "common/solve/driver.h"
#include "recorders/capture/capture_reader.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

using ::chrono::ChSolver;

/// A file that goes away with the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name) : path(testing::TempDir() + name) {}
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

/// Boxes that tumble onto the ground, a pendulum, and a ball with rolling friction.
void Fill(Scene& scene) {
  scene.Ground();
  for (int k = 0; k < 5; ++k) {
    auto box = scene.Box(ChVector3d(0.4, 0.3, 0.2), 1.0 + k, ChVector3d(0.1 * k, 0, 0.3 * k + 0.2));
    box->SetRot(::chrono::QuatFromAngleZ(0.4 * k) * ::chrono::QuatFromAngleX(0.2 * k));
    box->SetAngVelLocal(ChVector3d(1, -2, 0.5 * k));
  }
  auto frame = scene.Frame();
  auto bob = scene.Point(1.0, 0.1, ChVector3d(2, 0, 2));
  auto hinge = chrono_types::make_shared<::chrono::ChLinkLockRevolute>();
  hinge->Initialize(bob, frame,
                    ::chrono::ChFramed(ChVector3d(1, 0, 2), ::chrono::QuatFromAngleX(1)));
  scene.system.AddLink(hinge);
  scene.material->SetRollingFriction(0.01f);
  scene.Sphere(0.1, 1.0, ChVector3d(3, 0, 0.1))->SetPosDt(ChVector3d(1, 0.5, 0));
}

std::shared_ptr<chrono::RecordingSolver> Record(Scene& scene, const std::string& path) {
  auto recorder = std::make_shared<Recorder>(path, chrono::MakeCaptureInfo("test"));
  auto recording = chrono_types::make_shared<chrono::RecordingSolver>(
      scene.system, scene.system.GetSolver(), recorder);
  scene.system.SetSolver(recording);
  return recording;
}

/// Positions, rotations and velocities of all bodies.
std::vector<double> State(Scene& scene) {
  std::vector<double> state;
  for (const auto& body : scene.system.GetBodies()) {
    for (int k = 0; k < 3; ++k) state.push_back(body->GetPos()[k]);
    for (int k = 0; k < 4; ++k) state.push_back(body->GetRot()[k]);
    for (int k = 0; k < 3; ++k) state.push_back(body->GetPosDt()[k]);
    for (int k = 0; k < 3; ++k) state.push_back(body->GetAngVelLocal()[k]);
  }
  return state;
}

class Recording : public testing::TestWithParam<const char*> {
 protected:
  static void Choose(Scene& scene) {
    const std::string name = GetParam();
    if (name == "psor") scene.system.SetSolverType(ChSolver::Type::PSOR);
    if (name == "apgd") scene.system.SetSolverType(ChSolver::Type::APGD);
    if (name == "bb") scene.system.SetSolverType(ChSolver::Type::BARZILAIBORWEIN);
    if (name == "admm") {
      scene.system.SetSolver(chrono_types::make_shared<::chrono::ChSolverADMM>());
    }
    if (name != "ours") scene.system.GetSolver()->AsIterative()->EnableWarmStart(name == "psor");
  }
};

// 300 steps with and without: the same to the bit, and every one of them in the file.
TEST_P(Recording, ChangesNothing) {
  const TemporaryFile file(std::string("chrono_recording_") + GetParam() + ".h5");
  Scene plain{chrono::Options()}, recorded{chrono::Options()};
  Fill(plain);
  Fill(recorded);
  Choose(plain);
  Choose(recorded);
  auto recording = Record(recorded, file.path);
  for (int k = 0; k < 300; ++k) {
    plain.Step();
    recorded.Step();
    ASSERT_EQ(State(plain), State(recorded)) << "step " << k;
  }
  recording->recorder()->Close();
  EXPECT_EQ(recording->skipped(), 0) << recording->recorder()->status().trouble;
  EXPECT_EQ(recording->recorder()->status().written, 300);
  EXPECT_TRUE(recording->recorder()->status().trouble.empty());
  EXPECT_TRUE(ValidateCapture(file.path).empty());
}

INSTANTIATE_TEST_SUITE_P(Chrono, Recording, testing::Values("ours", "psor", "apgd", "bb", "admm"),
                         [](const auto& param) { return std::string(param.param); });

// What was recorded is the problem that was solved: the velocities in the file follow from its
// problem and the multipliers in it, v = v_free + M⁻¹ Jᵀ x.
TEST(ChronoRecording, TheRecordedSolutionBelongsToTheRecordedProblem) {
  const TemporaryFile file("chrono_recording_consistent.h5");
  Scene scene{chrono::Options()};
  Fill(scene);
  auto recording = Record(scene, file.path);
  scene.Run(0.3);
  recording->recorder()->Close();
  const CaptureReader reader(file.path);
  EXPECT_EQ(reader.info().engine, "chrono");
  ASSERT_EQ(reader.steps(), 300);
  OperatorWorkspace workspace;
  for (int k = 0; k < 300; k += 7) {
    const CapturedStep step = reader.Read(k);
    EXPECT_EQ(step.info.step, k);
    EXPECT_NEAR(step.info.time, 1e-3 * k, 1e-12);
    EXPECT_EQ(step.info.h, 1e-3);
    EXPECT_EQ(step.info.solver, "auto");
    ASSERT_EQ(static_cast<int>(step.v.size()), step.problem.dynamics().velocity_size());
    ASSERT_EQ(static_cast<int>(step.contacts.size()), step.problem.contacts());
    std::vector<double> w(step.x.size()), v(step.v.size());
    step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_NEAR(v[i], step.v[i], 1e-10) << k;
    ASSERT_GE(step.measures.energy_error, 0);
    ASSERT_LT(step.measures.energy_error, 1);
  }
}

// Geometry and rows tell the same: the normal row is ±n, its lever arms reach from the centres of
// mass to the point, and the bias is the gap over the step, cut off at the speed of recovery.
TEST(ChronoRecording, ContactGeometryMatchesTheRows) {
  const TemporaryFile file("chrono_recording_geometry.h5");
  Scene scene{chrono::Options()};
  Fill(scene);
  auto recording = Record(scene, file.path);
  scene.Run(0.2);
  recording->recorder()->Close();
  const CaptureReader reader(file.path);
  std::int64_t fullest = 0;
  for (std::int64_t k = 1; k < reader.steps(); ++k) {
    if (reader.Summary(k).contacts > reader.Summary(fullest).contacts) fullest = k;
  }
  const CapturedStep step = reader.Read(fullest);
  ASSERT_EQ(step.bodies.size(), 7u);
  const auto& rows = static_cast<const TwoBodyDynamics&>(step.problem.dynamics()).body_rows();
  int contact = 0;
  for (const RowGroup& group : step.problem.groups()) {
    if (group.kind != GroupKind::kContact) continue;
    const ContactGeometry& geometry = step.contacts[contact++];
    const TwoBodyRow& row = rows[group.first_row];
    EXPECT_EQ(geometry.pair[0], row.body_a);
    EXPECT_EQ(geometry.pair[1], row.body_b);
    EXPECT_NE(group.key, 0u);
    if (row.body_b >= 0) {
      const auto& body = step.bodies[row.body_b];
      double lever[3];
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(row.jacobian[6 + k], geometry.normal[k], 1e-12);
        lever[k] = geometry.point[k] - body.position[k];
      }
      for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double moment = lever[a] * geometry.normal[b] - lever[b] * geometry.normal[a];
        EXPECT_NEAR(row.jacobian[9 + k], moment, 1e-9);
      }
    }
    EXPECT_NEAR(row.bias, std::max(geometry.gap / 1e-3, -0.6), 1e-9);
  }
  EXPECT_GT(contact, 4);
}

// Shafts, a joint on them and a bushing go into the file in the sparse form, without a bit of
// change; the solution in the file belongs to the problem in it.
TEST(ChronoRecording, TheSparseFormIsRecordedToo) {
  const TemporaryFile file("chrono_recording_sparse.h5");
  const auto fill = [](Scene& scene) {
    Fill(scene);
    auto loads = chrono_types::make_shared<::chrono::ChLoadContainer>();
    loads->Add(chrono_types::make_shared<::chrono::ChLoadBodyBodyBushingSpherical>(
        scene.system.GetBodies()[1], scene.system.GetBodies()[2],
        ::chrono::ChFramed(ChVector3d(0.1, 0, 0.3)), ChVector3d(3e3, 3e3, 3e3),
        ChVector3d(30, 30, 30)));
    scene.system.Add(loads);
    auto a = chrono_types::make_shared<::chrono::ChShaft>();
    auto b = chrono_types::make_shared<::chrono::ChShaft>();
    a->SetPosDt(3);
    scene.system.AddShaft(a);
    scene.system.AddShaft(b);
    auto gear = chrono_types::make_shared<::chrono::ChShaftsGear>();
    gear->Initialize(a, b);
    gear->SetTransmissionRatio(-2);
    scene.system.Add(gear);
  };
  Scene plain{chrono::Options()}, recorded{chrono::Options()};
  fill(plain);
  fill(recorded);
  auto recording = Record(recorded, file.path);
  for (int k = 0; k < 100; ++k) {
    plain.Step();
    recorded.Step();
    ASSERT_EQ(State(plain), State(recorded)) << "step " << k;
  }
  recording->recorder()->Close();
  EXPECT_EQ(recording->skipped(), 0) << recording->recorder()->status().trouble;
  EXPECT_TRUE(ValidateCapture(file.path).empty());
  const CaptureReader reader(file.path);
  ASSERT_EQ(reader.steps(), 100);
  // Chrono 10.0 lists contacts with rolling friction in every other step only.
  const std::int64_t last = reader.Summary(99).contacts > 0 ? 99 : 98;
  EXPECT_GT(reader.Summary(last).contacts, 2);
  OperatorWorkspace workspace;
  EXPECT_EQ(reader.Summary(last).form, DynamicsForm::kSparse);
  const CapturedStep step = reader.Read(last);
  std::vector<double> w(step.x.size()), v(step.v.size());
  step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], step.v[i], 1e-10);
}

// A step that cannot be read is solved by whoever is wrapped, is not recorded, and counted.
TEST(ChronoRecording, AStepThatCannotBeReadIsSkippedAndCounted) {
  const TemporaryFile file("chrono_recording_skipped.h5");
  Scene scene{chrono::Options()};
  Fill(scene);
  auto recording = Record(scene, file.path);
  scene.Run(0.05);
  auto descriptor = scene.system.GetSystemDescriptor();
  descriptor->GetVariables().at(1)->Force()(0) = std::nan("");
  EXPECT_NO_THROW(recording->Solve(*descriptor));
  EXPECT_EQ(recording->skipped(), 1);
  EXPECT_FALSE(recording->recorder()->status().trouble.empty());
  EXPECT_EQ(scene.solver->fallbacks(), 1);
  recording->recorder()->Close();
  EXPECT_EQ(recording->recorder()->status().written, 50);
  EXPECT_EQ(recording->recorder()->status().dropped, 1);
  EXPECT_TRUE(ValidateCapture(file.path).empty());
}

// Penalty contacts never reach a solver: a capture of them would hold joints alone.
TEST(ChronoRecording, RefusesWhatItCannotRecord) {
  const TemporaryFile file("chrono_recording_refused.h5");
  auto recorder = std::make_shared<Recorder>(file.path, chrono::MakeCaptureInfo("test"));
  ::chrono::ChSystemSMC smooth;
  ::chrono::ChSystemNSC nonsmooth;
  EXPECT_THROW(chrono::RecordingSolver(smooth, smooth.GetSolver(), recorder),
               std::invalid_argument);
  EXPECT_THROW(chrono::RecordingSolver(nonsmooth, nullptr, recorder), std::invalid_argument);
  EXPECT_THROW(chrono::RecordingSolver(nonsmooth, nonsmooth.GetSolver(), nullptr),
               std::invalid_argument);
}

// A replay by the same solver from the recorded warm start comes to the recorded impulses.
TEST(ChronoRecording, ReplayComesToTheSameImpulses) {
  const TemporaryFile file("chrono_recording_replay.h5");
  Scene scene(Converged("ncp"), 1e-3);
  Fill(scene);
  auto recording = Record(scene, file.path);
  scene.Run(0.1);
  recording->recorder()->Close();
  const CaptureReader reader(file.path);
  Driver driver("psor");
  for (int k : {30, 60, 99}) {
    const CapturedStep step = reader.Read(k);
    Solution solution;
    Result result;
    driver.Solve(step.problem, Converged("ncp").solve, &step.x0, solution, result);
    double scale = 0;
    for (double x : step.x) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < step.v.size(); ++i) {
      EXPECT_NEAR(solution.v[i], step.v[i], 1e-7) << k;
    }
    EXPECT_GT(scale, 0);
  }
}

}  // namespace
}  // namespace nonsmooth::test
