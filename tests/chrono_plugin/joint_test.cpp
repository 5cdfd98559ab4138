// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "chrono/functions/ChFunctionConst.h"
#include "chrono/physics/ChLinkLock.h"
#include "chrono/physics/ChLinkMotorRotationSpeed.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

using ::chrono::ChFramed;
using ::chrono::ChLinkLockRevolute;

/// Hinges swing in the x–z plane: their axis is y.
ChFramed Hinge(const ChVector3d& at) {
  return ChFramed(at, ::chrono::QuatFromAngleX(::chrono::CH_PI_2));
}

std::shared_ptr<ChLinkLockRevolute> AddHinge(Scene& scene, std::shared_ptr<ChBody> a,
                                             std::shared_ptr<ChBody> b, const ChVector3d& at) {
  auto hinge = chrono_types::make_shared<ChLinkLockRevolute>();
  hinge->Initialize(a, b, Hinge(at));
  scene.system.AddLink(hinge);
  return hinge;
}

// A body hanging at rest from a hinge: the reaction is m g.
TEST(ChronoJoint, ReactionOfAHangingBodyIsItsWeight) {
  Scene scene;
  auto frame = scene.Frame();
  auto body = scene.Point(3.0, 0.1, ChVector3d(0, 0, -1));
  auto hinge = AddHinge(scene, body, frame, ChVector3d(0, 0, 0));
  scene.Run(0.05);
  EXPECT_NEAR(hinge->GetReaction2().force.Length(), 3.0 * kGravity, 1e-9);
  EXPECT_NEAR(hinge->GetReaction1().force.Length(), 3.0 * kGravity, 1e-9);
  EXPECT_EQ(scene.solver->fallbacks(), 0);
}

/// Two rods of 1 m and 1 kg in a row, released horizontally.
struct DoublePendulum {
  explicit DoublePendulum(double step) : scene(Converged(), step) {
    auto frame = scene.Frame();
    first = scene.Point(1.0, 1.0 / 12, ChVector3d(0.5, 0, 0));
    second = scene.Point(1.0, 1.0 / 12, ChVector3d(1.5, 0, 0));
    AddHinge(scene, first, frame, ChVector3d(0, 0, 0));
    AddHinge(scene, second, first, ChVector3d(1, 0, 0));
  }
  double Energy() const {
    double energy = 0;
    for (const auto& body : {first, second}) {
      energy += 0.5 * body->GetPosDt().Length2() + 0.5 / 12 * body->GetAngVelLocal().Length2() +
                kGravity * body->GetPos().z();
    }
    return energy;
  }
  Scene scene;
  std::shared_ptr<ChBody> first, second;
};

// Half a second of fall turns several joules of height into motion. The stepper is of first order:
// half the step, half the error, and little of it.
TEST(ChronoJoint, DoublePendulumKeepsItsEnergyToFirstOrder) {
  const auto drift = [](double step) {
    DoublePendulum pendulum(step);
    const double before = pendulum.Energy();
    pendulum.scene.Run(0.5);
    EXPECT_LT(pendulum.first->GetPos().z(), -0.2);
    return std::abs(pendulum.Energy() - before);
  };
  const double coarse = drift(1e-3), fine = drift(5e-4);
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(coarse / fine, 2, 0.2);
}

// A four-bar linkage driven by a motor closes after ten seconds and ten turns as it did at first.
TEST(ChronoJoint, FourBarLinkageStaysClosed) {
  chrono::Options options = Converged();
  options.solve.relative_tolerance = 1e-20;
  Scene scene(options, 1e-3);
  auto frame = scene.Frame();
  const ChVector3d a(0, 0, 0), b(0, 0, 0.2), c(0.8, 0, 0.6), d(1, 0, 0);
  auto crank = scene.Point(0.5, 0.01, 0.5 * (a + b));
  auto coupler = scene.Point(1.0, 0.05, 0.5 * (b + c));
  auto rocker = scene.Point(0.8, 0.03, 0.5 * (c + d));
  auto motor = chrono_types::make_shared<::chrono::ChLinkMotorRotationSpeed>();
  motor->Initialize(crank, frame, Hinge(a));
  motor->SetSpeedFunction(chrono_types::make_shared<::chrono::ChFunctionConst>(2 * M_PI));
  scene.system.AddLink(motor);
  AddHinge(scene, coupler, crank, b);
  AddHinge(scene, rocker, coupler, c);
  AddHinge(scene, rocker, frame, d);
  const ChVector3d on_coupler = coupler->TransformPointParentToLocal(c);
  const ChVector3d on_rocker = rocker->TransformPointParentToLocal(c);
  scene.Run(10.0);
  const ChVector3d open = coupler->TransformPointLocalToParent(on_coupler) -
                          rocker->TransformPointLocalToParent(on_rocker);
  EXPECT_LT(open.Length(), 1e-6);
  EXPECT_NEAR(crank->GetAngVelParent().Length(), 2 * M_PI, 1e-6);
  EXPECT_EQ(scene.solver->fallbacks(), 0);
}

}  // namespace
}  // namespace nonsmooth::test
