// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "support/scene.h"

namespace nonsmooth::test {
namespace {

// Newton's law of impact: after the bounce the ball rises with e times the speed it came with.
TEST(ChronoImpact, BounceReversesSpeedTimesRestitution) {
  const double restitution = 0.6;
  Scene scene(Converged("ncp"), 1e-3);
  scene.Material(0.0, restitution);
  scene.Ground();
  auto ball = scene.Sphere(0.1, 1.0, ChVector3d(0, 0, 0.6));
  double before = 0;
  while (ball->GetPosDt().z() <= 0) {
    before = ball->GetPosDt().z();
    scene.Step();
    ASSERT_LT(scene.system.GetChTime(), 1.0);
  }
  // √(2 g · 0.5 m) = 3.13 m/s, less what Chrono takes where a gap closes within the step without
  // being in reach of the rebound.
  EXPECT_LT(before, -restitution * 3.13);
  EXPECT_NEAR(ball->GetPosDt().z(), -restitution * before, 1e-6);
}

// No force from outside: momentum stays to rounding, energy does not grow, and two unequal spheres
// that meet head on without restitution go on together.
TEST(ChronoImpact, CollisionKeepsMomentum) {
  Scene scene(Converged("ncp"), 1e-3);
  scene.system.SetGravitationalAcceleration(ChVector3d(0, 0, 0));
  scene.Material(0.3);
  auto a = scene.Sphere(0.1, 1.0, ChVector3d(0, 0, 0));
  auto b = scene.Sphere(0.1, 3.0, ChVector3d(0.25, 0.05, 0));
  a->SetPosDt(ChVector3d(2, 0, 0));
  const auto momentum = [&] { return 1.0 * a->GetPosDt() + 3.0 * b->GetPosDt(); };
  const auto energy = [&] {
    const auto of = [](ChBody& body) {
      return 0.5 * body.GetMass() * body.GetPosDt().Length2() +
             0.5 * body.GetAngVelLocal().Dot(body.GetInertia() * body.GetAngVelLocal());
    };
    return of(*a) + of(*b);
  };
  const double energy_before = energy();
  scene.Run(0.3);
  EXPECT_NEAR((momentum() - ChVector3d(2, 0, 0)).Length(), 0, 1e-12);
  EXPECT_LT(energy(), 0.9 * energy_before);
  EXPECT_GT(b->GetPosDt().x(), 0.1);
}

}  // namespace
}  // namespace nonsmooth::test
