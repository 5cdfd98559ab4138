// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// What else of Chrono reaches a solver: clouds of particles, assembly, other steppers.
#include <gtest/gtest.h>

#include <cmath>

#include "chrono/collision/ChCollisionShapeSphere.h"
#include "chrono/physics/ChLinkLock.h"
#include "chrono/physics/ChParticleCloud.h"
#include "chrono/solver/ChDirectSolverLS.h"
#include "support/same_as_chrono.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

using ::chrono::ChFramed;

// Particles of a cloud share one mass and are bodies to the solver; at rest the ground carries all.
TEST(ChronoEngine, CloudsOfParticlesArePacked) {
  Scene scene(Converged("ncp"), 2e-3);
  auto ground = scene.Ground();
  auto cloud = chrono_types::make_shared<::chrono::ChParticleCloud>();
  cloud->SetMass(0.5);
  cloud->SetInertiaXX(ChVector3d(2e-3, 2e-3, 2e-3));
  cloud->AddCollisionShape(
      chrono_types::make_shared<::chrono::ChCollisionShapeSphere>(scene.material, 0.1));
  cloud->EnableCollision(true);
  for (int k = 0; k < 5; ++k) {
    cloud->AddParticle(::chrono::ChCoordsysd(ChVector3d(0.5 * k, 0, 0.1)));
  }
  scene.system.Add(cloud);
  scene.Run(0.2);
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/true);
  EXPECT_EQ(scene.solver->problem().contacts(), 5);
  EXPECT_NEAR(scene.ContactForce(ground.get()).z(), -5 * 0.5 * kGravity, 0.1);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
}

/// A ball joint that gapes, between a body and the frame.
std::shared_ptr<::chrono::ChLinkLockSpherical> AddGapingJoint(Scene& scene) {
  auto frame = scene.Frame();
  auto body = scene.Point(2.0, 0.3, ChVector3d(1, 0, 0));
  auto joint = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  joint->Initialize(body, frame, ChFramed(ChVector3d(0, 0, 0)));
  scene.system.AddLink(joint);
  body->SetPos(ChVector3d(1.1, 0.05, -0.05));
  scene.system.Update(0, ::chrono::UpdateFlags::UPDATE_ALL);
  return joint;
}

// Assembly asks the solver for corrections of positions, several per call, and leaves nothing open.
TEST(ChronoEngine, AssemblyClosesAJointThatGapes) {
  Scene scene;
  auto joint = AddGapingJoint(scene);
  ASSERT_GT(joint->GetConstraintViolation().norm(), 0.1);
  scene.system.DoAssembly(::chrono::AssemblyAnalysis::Level::POSITION);
  EXPECT_LT(joint->GetConstraintViolation().norm(), 1e-8);
  EXPECT_GT(scene.solver->solves(), 1);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
}

/// A pendulum's bob after half a second with `solver`, by a stepper of higher order that iterates.
ChVector3d Swing(bool ours, ::chrono::ChTimestepper::Type stepper) {
  Scene scene(Converged(), 1e-3);
  auto frame = scene.Frame();
  auto bob = scene.Point(2.0, 0.3, ChVector3d(1, 0, 0));
  auto joint = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  joint->Initialize(bob, frame, ChFramed(ChVector3d(0, 0, 0)));
  scene.system.AddLink(joint);
  scene.system.SetTimestepperType(stepper);
  if (!ours) scene.system.SetSolver(chrono_types::make_shared<::chrono::ChSolverSparseLU>());
  scene.Run(0.5);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
  EXPECT_EQ(scene.solver->solves() > 500, ours);
  EXPECT_NEAR(bob->GetPos().Length(), 1, 1e-5);
  return bob->GetPos();
}

// Chrono's smooth steppers, made for direct solvers, find the same motion with ours: they scale the
// masses and solve several times a step, until they have it to some 1e-6.
TEST(ChronoEngine, SmoothSteppersFindTheMotionOfTheDirectSolver) {
  for (const auto stepper :
       {::chrono::ChTimestepper::Type::HHT, ::chrono::ChTimestepper::Type::NEWMARK}) {
    const ChVector3d mine = Swing(/*ours=*/true, stepper), theirs = Swing(/*ours=*/false, stepper);
    EXPECT_NEAR((mine - theirs).Length(), 0, 1e-5);
    EXPECT_LT(mine.z(), -0.5);
  }
}

}  // namespace
}  // namespace nonsmooth::test
