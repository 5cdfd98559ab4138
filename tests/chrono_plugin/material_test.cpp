// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "support/scene.h"

namespace nonsmooth::test {
namespace {

/// A sled hanging under a fixed ceiling by the cohesion of its four feet; `cohesion` as Chrono
/// takes it, in the unit of multipliers [N s] per contact.
struct HangingSled {
  explicit HangingSled(double cohesion) : scene(Converged("ncp"), 1e-3) {
    scene.material->SetCohesion(static_cast<float>(cohesion));
    auto ceiling = scene.Box(ChVector3d(5, 5, 1), 1, ChVector3d(0, 0, 0.5));
    ceiling->SetFixed(true);
    sled = scene.Sled(2.0, ChVector3d(0, 0, -kFootRadius));
  }
  Scene scene;
  std::shared_ptr<ChBody> sled;
};

// The weight asks for m g h/4 = 4.905e-3 N s of every foot. A little more holds.
TEST(ChronoMaterial, CohesionHoldsAHangingBody) {
  HangingSled hanging(1.05 * 2.0 * kGravity * 1e-3 / 4);
  hanging.scene.Run(0.3);
  EXPECT_NEAR(hanging.sled->GetPos().z(), -kFootRadius, 2e-6);
  EXPECT_NEAR(hanging.scene.ContactForce(hanging.sled.get()).z(), 2.0 * kGravity, 0.5);
  EXPECT_EQ(hanging.scene.solver->fallbacks(), 0);
}

// A little less does not: the feet pull with all they have as long as Chrono sees the contact, from
// 3 cm away, and let go then.
TEST(ChronoMaterial, CohesionHoldsNoMoreThanItsLimit) {
  const double limit = 0.8 * 2.0 * kGravity;
  HangingSled hanging(limit * 1e-3 / 4);
  hanging.scene.Step();
  EXPECT_NEAR(hanging.scene.ContactForce(hanging.sled.get()).z(), limit, 1e-5);
  EXPECT_NEAR(hanging.sled->GetPosDt().z(), -(kGravity - limit / 2.0) * 1e-3, 1e-7);
  hanging.scene.Run(0.3);
  EXPECT_LT(hanging.sled->GetPos().z(), -0.1);
  EXPECT_EQ(hanging.scene.ContactForce(hanging.sled.get()).z(), 0);
}

// A ball that rolls without slipping is slowed by the torque μ_r N: from
// m a R = −μ_r N − (2/5) m R a it comes to rest after 7 v² R/(10 μ_r g).
TEST(ChronoMaterial, RollingFrictionStopsABallAtTheAnalyticDistance) {
  const double radius = 0.1, speed = 1.0, coefficient = 0.01;
  Scene scene(Converged("ncp"), 1e-3);
  scene.Material(0.8);
  scene.material->SetRollingFriction(static_cast<float>(coefficient));
  scene.Ground();
  auto ball = scene.Sphere(radius, 1.0, ChVector3d(0, 0, radius));
  ball->SetPosDt(ChVector3d(speed, 0, 0));
  ball->SetAngVelParent(ChVector3d(0, speed / radius, 0));
  scene.Run(2.0);
  const double expected = 7 * speed * speed * radius / (10 * coefficient * kGravity);
  EXPECT_NEAR(ball->GetPos().x(), expected, 0.005 * expected);
  EXPECT_NEAR(ball->GetPosDt().x(), 0, 1e-4);
  EXPECT_NEAR(ball->GetAngVelLocal().Length(), 0, 1e-5);
}

// A ball that spins about the vertical is slowed by the torque μ_s m g: it stops after
// ω I/(μ_s m g), I = 2/5 m R².
TEST(ChronoMaterial, SpinningFrictionStopsASpinInTheAnalyticTime) {
  const double radius = 0.1, spin = 20.0, coefficient = 0.01;
  Scene scene(Converged("ncp"), 1e-3);
  scene.Material(0.8);
  scene.material->SetSpinningFriction(static_cast<float>(coefficient));
  scene.Ground();
  auto ball = scene.Sphere(radius, 1.0, ChVector3d(0, 0, radius));
  ball->SetAngVelParent(ChVector3d(0, 0, spin));
  const double expected = spin * 0.4 * radius * radius / (coefficient * kGravity);
  while (ball->GetAngVelParent().z() > 1e-3) {
    scene.Step();
    ASSERT_LT(scene.system.GetChTime(), 2 * expected);
  }
  EXPECT_NEAR(scene.system.GetChTime(), expected, 0.005);
}

// Springs of compliance C on both sides of four contacts under a weight: at rest the feet are
// 2 C m g/4 deep.
TEST(ChronoMaterial, CompliantContactsGiveWay) {
  const double compliance = 1e-5;
  Scene scene(Converged("ccp"), 2e-3);
  scene.material->SetCompliance(static_cast<float>(compliance));
  scene.material->SetDampingF(0.05f);
  scene.Ground();
  auto sled = scene.Sled(2.0, ChVector3d(0, 0, kFootRadius));
  scene.Run(1.0);
  EXPECT_NEAR(sled->GetPos().z() - kFootRadius, -2 * compliance * 2.0 * kGravity / 4, 2e-6);
}

// Ten boxes upon each other stay where they are, and the ground carries all of them.
TEST(ChronoMaterial, TenBoxesStand) {
  chrono::Options options;
  options.solve.max_iterations = 1000;
  Scene scene(options, 5e-3);
  auto ground = scene.Ground();
  std::vector<std::shared_ptr<ChBody>> boxes;
  for (int k = 0; k < 10; ++k) {
    boxes.push_back(scene.Box(ChVector3d(0.5, 0.5, 0.2), 1.0, ChVector3d(0, 0, 0.1 + 0.2 * k)));
  }
  scene.Run(2.0);
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(boxes[k]->GetPos().z(), 0.1 + 0.2 * k, 2e-3) << k;
    EXPECT_NEAR(boxes[k]->GetPos().x(), 0, 2e-3) << k;
  }
  // Contact points come and go; on the average they carry the weight.
  double mean = 0;
  for (int k = 0; k < 100; ++k) {
    scene.Step();
    mean += scene.ContactForce(ground.get()).z() / 100;
  }
  EXPECT_NEAR(mean, -10 * kGravity, 0.01 * 10 * kGravity);
}

}  // namespace
}  // namespace nonsmooth::test
