// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/extractor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chrono/physics/ChLinkLock.h"
#include "chrono/physics/ChLinkMotorRotationSpeed.h"
#include "chrono/physics/ChLoadContainer.h"
#include "chrono/physics/ChLoadsBody.h"
#include "chrono/physics/ChShaft.h"
#include "chrono/physics/ChShaftBodyConstraint.h"
#include "chrono/physics/ChShaftsClutch.h"
#include "chrono/physics/ChShaftsGear.h"
#include "chrono/physics/ChShaftsPlanetary.h"
#include "support/same_as_chrono.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

// Six boxes thrown on the ground, turned so that body and world axes differ.
TEST(ChronoExtractor, ContactsOfBodiesArePacked) {
  Scene scene;
  scene.Ground();
  for (int k = 0; k < 6; ++k) {
    auto box = scene.Box(ChVector3d(0.4, 0.3, 0.2), 1.0 + k, ChVector3d(0.1 * k, 0, 0.3 * k + 0.2));
    box->SetRot(::chrono::QuatFromAngleZ(0.3 * k));
    box->SetAngVelLocal(ChVector3d(1, -2, 0.5 * k));
  }
  scene.Run(0.2);
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/true);
  const Problem& problem = scene.solver->problem();
  ASSERT_GT(problem.contacts(), 4);
  for (const RowGroup& group : problem.groups()) {
    EXPECT_EQ(group.kind, GroupKind::kContact);
    EXPECT_EQ(group.size, 3);
    EXPECT_NEAR(group.friction, 0.5, 1e-7);
    EXPECT_EQ(group.law.kind, LawKind::kCcp);
  }
}

// A hinge has five rows and is one group; its limit is a bounded row.
TEST(ChronoExtractor, JointsAndLimitsArePacked) {
  Scene scene;
  auto frame = scene.Frame();
  auto body = scene.Point(2.0, 0.3, ChVector3d(1, 0, 0));
  auto hinge = chrono_types::make_shared<::chrono::ChLinkLockRevolute>();
  hinge->Initialize(body, frame,
                    ::chrono::ChFramed(ChVector3d(), ::chrono::QuatFromAngleX(M_PI / 2)));
  hinge->LimitRz().SetActive(true);
  hinge->LimitRz().SetMax(0.001);
  hinge->LimitRz().SetMin(-0.001);
  scene.system.AddLink(hinge);
  scene.Run(0.05);
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/true);
  const std::vector<RowGroup>& groups = scene.solver->problem().groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].kind, GroupKind::kEquality);
  EXPECT_EQ(groups[0].size, 5);
  EXPECT_EQ(groups[1].kind, GroupKind::kBox);
  EXPECT_EQ(scene.solver->problem().lower()[5], 0);
  EXPECT_TRUE(std::isinf(scene.solver->problem().upper()[5]));
  // It leans on its stop.
  EXPECT_GT(scene.solver->solution().x[5], 0);
  EXPECT_NEAR(body->GetAngVelLocal().Length(), 0, 1e-9);
}

// Rows on shafts, on three shafts at once, and on a body and a shaft, with a bounded one.
TEST(ChronoExtractor, ShaftsGoThroughTheSparseForm) {
  Scene scene;
  auto body = scene.Point(2.0, 0.3, ChVector3d(0, 0, 0));
  const auto shaft = [&](double inertia, double speed) {
    auto made = chrono_types::make_shared<::chrono::ChShaft>();
    made->SetInertia(inertia);
    made->SetPosDt(speed);
    scene.system.AddShaft(made);
    return made;
  };
  auto a = shaft(0.5, 3), b = shaft(0.7, 0), c = shaft(0.2, -1);
  auto planetary = chrono_types::make_shared<::chrono::ChShaftsPlanetary>();
  planetary->Initialize(a, b, c);
  planetary->SetTransmissionRatioOrdinary(-0.6);
  scene.system.Add(planetary);
  auto clutch = chrono_types::make_shared<::chrono::ChShaftsClutch>();
  clutch->Initialize(a, b);
  clutch->SetTorqueLimit(2.0);
  scene.system.Add(clutch);
  auto on_body = chrono_types::make_shared<::chrono::ChShaftBodyRotation>();
  on_body->Initialize(c, body, ChVector3d(0, 0, 1));
  scene.system.Add(on_body);
  scene.Step();
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/false);
  const Problem& problem = scene.solver->problem();
  ASSERT_EQ(problem.rows(), 3);
  int bounded = 0;
  for (const RowGroup& group : problem.groups()) bounded += group.kind == GroupKind::kBox;
  EXPECT_EQ(bounded, 1);
  // The clutch slips, so that it transmits all it can.
  EXPECT_NEAR(std::abs(clutch->GetReaction1()), 2.0, 1e-9);
  EXPECT_EQ(scene.solver->fallbacks(), 0);
}

// A motor brings a variable of its own that no row acts on, and a clutch and a gear act on two
// shafts: all of it is packed. The motor turns at its speed and counts its own angle, 2 rad/s times
// 0.1 s.
TEST(ChronoExtractor, MotorsAndPairsOfShaftsArePacked) {
  Scene scene;
  auto frame = scene.Frame();
  auto wheel = scene.Point(2.0, 0.3, ChVector3d(0, 0, 0));
  auto motor = chrono_types::make_shared<::chrono::ChLinkMotorRotationSpeed>();
  motor->Initialize(wheel, frame, ::chrono::ChFramed());
  motor->SetSpeedFunction(chrono_types::make_shared<::chrono::ChFunctionConst>(2.0));
  scene.system.AddLink(motor);
  auto a = chrono_types::make_shared<::chrono::ChShaft>();
  auto b = chrono_types::make_shared<::chrono::ChShaft>();
  a->SetInertia(0.5);
  b->SetInertia(2);
  a->SetPosDt(3);
  scene.system.AddShaft(a);
  scene.system.AddShaft(b);
  auto gear = chrono_types::make_shared<::chrono::ChShaftsGear>();
  gear->Initialize(a, b);
  gear->SetTransmissionRatio(-2);
  scene.system.Add(gear);
  scene.Run(0.1);
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/true);
  EXPECT_NEAR(std::abs(wheel->GetAngVelLocal().z()), 2, 1e-9);
  EXPECT_NEAR(std::abs(motor->GetMotorAngle()), 0.2, 1e-6);
  // Of the momentum 0.5 · 3 along (1, 1/τ): ω_a = 1.5 / (0.5 + 2 τ²), ω_b = τ ω_a.
  EXPECT_NEAR(b->GetPosDt() / a->GetPosDt(), -2, 1e-9);
  EXPECT_NEAR(a->GetPosDt(), 1.5 / (0.5 + 2 * 4), 1e-6);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
}

// Stiffness and damping between bodies: Chrono's PSOR, APGD and BB throw here.
TEST(ChronoExtractor, StiffnessBlocksGoThroughTheSparseForm) {
  Scene scene;
  scene.Ground();
  auto lower = scene.Sled(2.0, ChVector3d(0, 0, kFootRadius));
  auto upper = scene.Point(1.0, 0.2, ChVector3d(0.2, 0.1, 0.5));
  auto loads = chrono_types::make_shared<::chrono::ChLoadContainer>();
  loads->Add(chrono_types::make_shared<::chrono::ChLoadBodyBodyBushingMate>(
      upper, lower, ::chrono::ChFramed(ChVector3d(0.1, 0, 0.3)), ChVector3d(4e3, 5e3, 6e3),
      ChVector3d(40, 50, 60), ChVector3d(300, 200, 100), ChVector3d(3, 2, 1)));
  scene.system.Add(loads);
  scene.Run(0.02);
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/false);
  EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
}

// Rolling resistance adds three rows to a contact, spinning before rolling.
TEST(ChronoExtractor, RollingContactsHaveSixRows) {
  Scene scene;
  scene.material->SetRollingFriction(0.02f);
  scene.material->SetSpinningFriction(0.01f);
  scene.Ground();
  scene.Sphere(0.1, 1.0, ChVector3d(0, 0, 0.1))->SetPosDt(ChVector3d(1, 0, 0));
  scene.Step();
  ExpectSameAsChrono(*scene.system.GetSystemDescriptor(), /*packed=*/true);
  const std::vector<RowGroup>& groups = scene.solver->problem().groups();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].size, 6);
  EXPECT_EQ(groups[0].spinning, 1);
  EXPECT_EQ(groups[0].rolling, 2);
  EXPECT_NEAR(groups[0].rolling_friction, 0.02, 1e-8);
  EXPECT_NEAR(groups[0].spinning_friction, 0.01, 1e-8);
}

// Rows and variables that are switched off leave no row behind: the row's multiplier becomes zero,
// the variable keeps its velocity.
TEST(ChronoExtractor, WhatIsSwitchedOffIsLeftOut) {
  Scene scene;
  auto frame = scene.Frame();
  auto body = scene.Point(2.0, 0.3, ChVector3d(1, 0, 0));
  auto other = scene.Point(2.0, 0.3, ChVector3d(2, 0, 0));
  auto lock = chrono_types::make_shared<::chrono::ChLinkLockLock>();
  lock->Initialize(body, frame, ::chrono::ChFramed(ChVector3d(1, 0, 0)));
  scene.system.AddLink(lock);
  scene.Run(0.01);
  auto descriptor = scene.system.GetSystemDescriptor();
  std::vector<::chrono::ChConstraint*>& rows = descriptor->GetConstraints();
  ASSERT_EQ(rows.size(), 6u);
  ASSERT_NEAR(std::abs(rows[2]->GetLagrangeMultiplier()), 2.0 * kGravity * scene.step, 1e-12);

  rows[2]->SetActive(false);
  other->Variables().SetDisabled(true);
  const double kept = other->Variables().State()(2);
  scene.solver->Solve(*descriptor);
  EXPECT_EQ(scene.solver->problem().rows(), 5);
  EXPECT_EQ(scene.solver->problem().dynamics().velocity_size(), 6);
  EXPECT_EQ(rows[2]->GetLagrangeMultiplier(), 0);
  EXPECT_NEAR(body->Variables().State()(2), -kGravity * scene.step, 1e-12);
  EXPECT_EQ(other->Variables().State()(2), kept);
  EXPECT_EQ(scene.solver->fallbacks(), 0);
}

}  // namespace
}  // namespace nonsmooth::test
