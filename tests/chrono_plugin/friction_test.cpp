// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "support/scene.h"

namespace nonsmooth::test {
namespace {

/// Chrono's collision detection is done in float32: what gaps of centimetres are known to [m].
constexpr double kGapNoise = 1e-6;

/// A sled on the ground, thrown along x. `height` is the gap it starts with.
struct SlidingSled {
  SlidingSled(const chrono::Options& options, double friction, double speed, double step,
              double height = 0)
      : scene(options, step) {
    scene.Material(friction);
    scene.Ground();
    sled = scene.Sled(2.0, ChVector3d(-5, 0, kFootRadius + height));
    sled->SetPosDt(ChVector3d(speed, 0, 0));
  }
  double gap() const { return sled->GetPos().z() - kFootRadius; }
  double speed() const { return sled->GetPosDt().x(); }

  Scene scene;
  std::shared_ptr<ChBody> sled;
};

// Convexified friction asks for w_n ≥ μ‖w_t‖ with w_n = v_n + gap/h, with equality while sliding:
// after every step the sled floats at gap = h μ v (projectchrono/chrono#260). At h = 5 ms,
// μ = 0.4, v = 4 m/s that is 8 mm.
TEST(ChronoFriction, UnderCcpASlidingBodyFloatsAtStepTimesFrictionTimesSpeed) {
  const double step = 5e-3, friction = 0.4, speed = 4.0;
  SlidingSled sliding(Converged("native"), friction, speed, step, step * friction * speed);
  for (int k = 0; k < 100; ++k) {
    sliding.scene.Step();
    ASSERT_NEAR(sliding.gap(), step * friction * sliding.speed(), kGapNoise) << "step " << k;
  }
  EXPECT_NEAR(sliding.gap(), 4e-3, 1e-4);  // at 2 m/s
  EXPECT_EQ(sliding.scene.solver->fallbacks(), 0);
}

// De Saxcé's term takes it away: under `ncp` the gap stays what it was, zero.
TEST(ChronoFriction, UnderNcpASlidingBodyStaysOnTheGround) {
  SlidingSled sliding(Converged("ncp"), 0.4, 4.0, 5e-3);
  for (int k = 0; k < 100; ++k) {
    sliding.scene.Step();
    ASSERT_NEAR(sliding.gap(), 0.0, kGapNoise) << "step " << k;
  }
  EXPECT_NEAR(sliding.speed(), 2.038, 1e-3);  // v − μ g t
  EXPECT_EQ(sliding.scene.solver->fallbacks(), 0);
}

// v_k = v₀ − k μ g h until it stops, which sums up to v₀²/(2 μ g) − v₀ h/2.
TEST(ChronoFriction, StoppingDistanceIsThatOfCoulomb) {
  const double step = 2e-3, friction = 0.3, speed = 2.0;
  SlidingSled sliding(Converged("ncp"), friction, speed, step);
  sliding.scene.Run(1.0);
  const double expected = speed * speed / (2 * friction * kGravity) - speed * step / 2;
  EXPECT_NEAR(sliding.sled->GetPos().x() + 5, expected, 1e-4);
  EXPECT_NEAR(sliding.speed(), 0, 1e-9);
}

class Slope : public testing::TestWithParam<const char*> {};

// tan 20° = 0.364 < μ = 0.4: it stays where it is.
TEST_P(Slope, HoldsBelowTheAngleOfFriction) {
  const double angle = 20 * M_PI / 180;
  SlidingSled sliding(Converged(GetParam()), 0.4, 0, 2e-3);
  sliding.scene.system.SetGravitationalAcceleration(
      kGravity * ChVector3d(std::sin(angle), 0, -std::cos(angle)));
  sliding.scene.Run(1.0);
  EXPECT_NEAR(sliding.sled->GetPos().x(), -5, 2 * kGapNoise);
  EXPECT_NEAR(sliding.speed(), 0, 1e-5);
}

// At 30° it slides with g (sin α − μ cos α) = 1.507 m/s².
TEST_P(Slope, SlidesAboveItWithTheAccelerationOfCoulomb) {
  const double angle = 30 * M_PI / 180, friction = 0.4;
  SlidingSled sliding(Converged(GetParam()), friction, 0, 2e-3);
  sliding.scene.system.SetGravitationalAcceleration(
      kGravity * ChVector3d(std::sin(angle), 0, -std::cos(angle)));
  sliding.scene.Run(0.5);
  const double expected = kGravity * (std::sin(angle) - friction * std::cos(angle)) * 0.5;
  // While `ccp` lifts the body, the ground pushes h μ v/t harder, and friction with it.
  EXPECT_NEAR(sliding.speed(), expected, std::string(GetParam()) == "ncp" ? 1e-4 : 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Chrono, Slope, testing::Values("ccp", "ncp"),
                         [](const auto& param) { return std::string(param.param); });

// What contacts are reported to exert is what changes the momentum, m (Δv + g h) per step, and that
// is m g at rest.
TEST(ChronoFriction, RestingForcesCarryTheWeight) {
  SlidingSled resting(Converged("ccp"), 0.5, 0, 5e-3);
  resting.scene.Run(0.1);
  const ChVector3d before = resting.sled->GetPosDt();
  resting.scene.Step();
  const ChVector3d change = resting.sled->GetPosDt() - before;
  const ChVector3d expected = 2.0 * (change / 5e-3 + ChVector3d(0, 0, kGravity));
  const ChVector3d force = resting.scene.ContactForce(resting.sled.get());
  EXPECT_NEAR((force - expected).Length(), 0, 1e-9);
  EXPECT_NEAR((force - ChVector3d(0, 0, 2.0 * kGravity)).Length(), 0, 0.05);
}

}  // namespace
}  // namespace nonsmooth::test
