// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Converged, our solutions are Chrono's own wherever there is only one.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "chrono/physics/ChLinkLock.h"
#include "chrono/physics/ChLoadContainer.h"
#include "chrono/physics/ChLoadsBody.h"
#include "chrono/solver/ChDirectSolverLS.h"
#include "chrono/solver/ChSolverADMM.h"
#include "chrono/solver/ChSolverPSOR.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

using ::chrono::ChSolver;
using ::chrono::ChVectorDynamic;

std::shared_ptr<ChSolver> Psor() {
  auto solver = chrono_types::make_shared<::chrono::ChSolverPSOR>();
  solver->SetMaxIterations(20000);
  solver->SetTolerance(0);  // it looks at normals alone: any other stops too early
  return solver;
}

std::shared_ptr<ChSolver> Admm() {
  auto solver = chrono_types::make_shared<::chrono::ChSolverADMM>(
      chrono_types::make_shared<::chrono::ChSolverSparseLU>());
  solver->SetMaxIterations(20000);
  solver->SetToleranceDual(1e-12);
  solver->SetTolerancePrimal(1e-12);
  return solver;
}

/// Solves the last problem of the scene by both; ∞-norms relative to the largest entry.
void ExpectSameSolution(Scene& scene, ChSolver& other, double tolerance, bool multipliers) {
  auto descriptor = scene.system.GetSystemDescriptor();
  ChVectorDynamic<> v_ours, l_ours, v_other, l_other;
  other.Setup(*descriptor, true);
  other.Solve(*descriptor);
  descriptor->FromVariablesToVector(v_other);
  descriptor->FromConstraintsToVector(l_other);
  for (::chrono::ChConstraint* row : descriptor->GetConstraints()) row->SetLagrangeMultiplier(0);
  scene.solver->Solve(*descriptor);
  descriptor->FromVariablesToVector(v_ours);
  descriptor->FromConstraintsToVector(l_ours);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
  ASSERT_GT(l_ours.size(), 0);
  const double v_scale = v_other.lpNorm<Eigen::Infinity>();
  ASSERT_GT(v_scale, 1e-3);
  EXPECT_LT((v_ours - v_other).lpNorm<Eigen::Infinity>(), tolerance * v_scale);
  if (!multipliers) return;
  EXPECT_LT((l_ours - l_other).lpNorm<Eigen::Infinity>(),
            tolerance * l_other.lpNorm<Eigen::Infinity>());
}

/// Spheres that roll, slide and bounce off each other on the ground: three contacts at most each,
/// so that multipliers are unique.
void AddSpheres(Scene& scene) {
  scene.Ground();
  for (int k = 0; k < 4; ++k) {
    auto ball = scene.Sphere(0.1, 1.0 + k, ChVector3d(0.2 * k, 0.02 * k, 0.1));
    ball->SetPosDt(ChVector3d(1.0 - k, 0.3 * k, -0.1 * k));
    ball->SetAngVelLocal(ChVector3d(k, -2, 1));
  }
  scene.Step();
}

/// A pendulum of two links that leans on a limit.
void AddMechanism(Scene& scene) {
  auto frame = scene.Frame();
  auto first = scene.Point(1.0, 0.1, ChVector3d(0.5, 0, 0));
  auto second = scene.Point(2.0, 0.2, ChVector3d(1.5, 0, 0));
  const auto turned = ::chrono::QuatFromAngleX(::chrono::CH_PI_2);
  auto hinge = chrono_types::make_shared<::chrono::ChLinkLockRevolute>();
  hinge->Initialize(first, frame, ::chrono::ChFramed(ChVector3d(0, 0, 0), turned));
  hinge->LimitRz().SetActive(true);
  hinge->LimitRz().SetMax(0.001);
  hinge->LimitRz().SetMin(-0.001);
  scene.system.AddLink(hinge);
  auto ball = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  ball->Initialize(second, first, ::chrono::ChFramed(ChVector3d(1, 0, 0)));
  scene.system.AddLink(ball);
  scene.Run(0.05);
}

TEST(ChronoAgreement, SpheresWithPsor) {
  Scene scene(Converged("native"), 1e-2);
  AddSpheres(scene);
  ASSERT_GE(scene.solver->problem().contacts(), 4);
  ExpectSameSolution(scene, *Psor(), 1e-6, /*multipliers=*/true);
}

TEST(ChronoAgreement, SpheresWithAdmm) {
  Scene scene(Converged("native"), 1e-2);
  AddSpheres(scene);
  ExpectSameSolution(scene, *Admm(), 1e-6, /*multipliers=*/true);
}

TEST(ChronoAgreement, MechanismWithPsor) {
  Scene scene;
  AddMechanism(scene);
  ExpectSameSolution(scene, *Psor(), 1e-6, /*multipliers=*/true);
}

TEST(ChronoAgreement, MechanismWithAdmm) {
  Scene scene;
  AddMechanism(scene);
  ExpectSameSolution(scene, *Admm(), 1e-6, /*multipliers=*/true);
}

// Four feet are one more than needed: the forces are not unique, the velocities are. But forces
// that are nearly as good lie in a flat valley, along which every first-order method creeps: 1e-12
// of the step's energy is left after 40 iterations and after 200000, and with it a rotation of
// 5e-5 rad/s, which bounds what can be asked for.
TEST(ChronoAgreement, VelocitiesOfAnOverdeterminedSledWithPsor) {
  Scene scene(Converged("native"), 1e-2);
  scene.Ground();
  auto sled = scene.Sled(2.0, ChVector3d(0, 0, kFootRadius));
  sled->SetPosDt(ChVector3d(2, 1, 0));
  scene.Step();
  ExpectSameSolution(scene, *Psor(), 4e-5, /*multipliers=*/false);
  ExpectSameSolution(scene, *Admm(), 4e-5, /*multipliers=*/false);
}

/// Every registered solver comes to the same impulses as psor.
class EverySolver : public testing::TestWithParam<std::string> {};

TEST_P(EverySolver, AgreesWithChronosPsor) {
  chrono::Options options = Converged("native", GetParam().c_str());
  options.solve.max_iterations = 200000;
  Scene scene(options, 1e-2);
  AddSpheres(scene);
  ExpectSameSolution(scene, *Psor(), 1e-6, /*multipliers=*/true);
}

std::vector<std::string> CcpSolvers() {
  std::vector<std::string> names;
  for (const SolverInfo& info : Solvers()) {
    if (info.Handles(LawKind::kCcp)) names.emplace_back(info.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Chrono, EverySolver, testing::ValuesIn(CcpSolvers()),
                         [](const auto& param) { return param.param; });

/// Two bodies held by bushings and a ball joint, set swinging.
void AddBushings(Scene& scene) {
  auto frame = scene.Frame();
  auto first = scene.Point(1.0, 0.1, ChVector3d(0.5, 0, 0));
  auto second = scene.Point(2.0, 0.2, ChVector3d(1.0, 0, 0.2));
  first->SetAngVelLocal(ChVector3d(0, 1, 2));
  second->SetPosDt(ChVector3d(0, 0.5, 0));
  auto loads = chrono_types::make_shared<::chrono::ChLoadContainer>();
  loads->Add(chrono_types::make_shared<::chrono::ChLoadBodyBodyBushingMate>(
      first, frame, ::chrono::ChFramed(ChVector3d(0, 0, 0)), ChVector3d(4e3, 5e3, 6e3),
      ChVector3d(40, 50, 60), ChVector3d(300, 200, 100), ChVector3d(3, 2, 1)));
  loads->Add(chrono_types::make_shared<::chrono::ChLoadBodyBodyBushingSpherical>(
      second, first, ::chrono::ChFramed(ChVector3d(0.8, 0, 0.1)), ChVector3d(3e3, 3e3, 3e3),
      ChVector3d(30, 30, 30)));
  scene.system.Add(loads);
  auto ball = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  ball->Initialize(second, frame, ::chrono::ChFramed(ChVector3d(1.2, 0, 0.4)));
  scene.system.AddLink(ball);
}

// With stiffness and damping blocks (where Chrono's PSOR, APGD and BB throw) a whole swing is that
// of Chrono's direct solver.
TEST(ChronoAgreement, BushingsWithTheDirectSolver) {
  chrono::Options options = Converged();
  Scene ours(options, 1e-3), direct(options, 1e-3);
  AddBushings(ours);
  AddBushings(direct);
  direct.system.SetSolver(chrono_types::make_shared<::chrono::ChSolverSparseLU>());
  for (int k = 0; k < 300; ++k) {
    ours.Step();
    direct.Step();
  }
  EXPECT_EQ(ours.solver->fallbacks(), 0) << ours.solver->trouble();
  EXPECT_FALSE(ours.solver->extractor().packed());
  double moved = 0;
  for (std::size_t i = 0; i < ours.system.GetBodies().size(); ++i) {
    const auto& a = ours.system.GetBodies()[i];
    const auto& b = direct.system.GetBodies()[i];
    moved = std::max(moved, b->GetPosDt().Length());
    EXPECT_NEAR((a->GetPos() - b->GetPos()).Length(), 0, 1e-8);
    EXPECT_NEAR((a->GetPosDt() - b->GetPosDt()).Length(), 0, 1e-6);
  }
  EXPECT_GT(moved, 1e-3);
}

}  // namespace
}  // namespace nonsmooth::test
