// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What the plugin promises beside physics: every solver and law, results, refusals, fallbacks.
#include "bullet_plugin/solver.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/solve/solver_registry.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

void AddStack(BulletScene& scene, int boxes) {
  scene.AddGround();
  for (int i = 0; i < boxes; ++i) {
    scene.AddBox(btVector3(1, 1, 1), 1, btVector3(0, 0, btScalar(i + 0.5)));
  }
}

// Three boxes stand for two seconds with every registered solver, under the native law and under
// Coulomb's where the solver has it, without a fallback.
TEST(BulletSolver, EverySolverCarriesAStack) {
  for (const SolverInfo& info : Solvers()) {
    for (const LawKind law : {LawKind::kNative, LawKind::kNcp}) {
      if (!info.Handles(law == LawKind::kNative ? LawKind::kCoupledBox : law)) continue;
      Options options;
      options.solve.law = {law, 0};
      Solver solver(info.name, options);
      BulletScene scene(&solver);
      scene.info().m_numIterations = 200;
      AddStack(scene, 3);
      scene.Step(120);
      const std::string what = std::string(info.name) + " " + std::string(ToString(law));
      EXPECT_NEAR(scene.body(3).getWorldTransform().getOrigin().z(), 2.5, 0.02) << what;
      EXPECT_EQ(solver.fallbacks(), 0) << what << ": " << solver.trouble();
    }
  }
}

// A step of a stack of two boxes: 8 contacts, three rows each with two directions, and a result
// that says so.
TEST(BulletSolver, ResultDescribesTheStep) {
  Options options;
  options.solve.law = {LawKind::kNcp, 0};
  Solver solver("psor", options);
  BulletScene scene(&solver);
  scene.info().m_numIterations = 50;
  AddStack(scene, 2);
  scene.Step(5);
  const StepResult& result = solver.result();
  EXPECT_EQ(result.step, 4);
  EXPECT_EQ(result.groups, 1);
  EXPECT_EQ(result.contacts, 8);
  EXPECT_EQ(result.rows, 24);
  EXPECT_GT(result.iterations, 0);
  EXPECT_LE(result.iterations, 50);
  EXPECT_GT(result.free_energy, 0);
  EXPECT_LT(result.energy_error, result.free_energy);
  EXPECT_GT(result.seconds, 0);
  EXPECT_EQ(result.fallbacks, 0);
  EXPECT_TRUE(result.status == Status::kConverged || result.status == Status::kIterationLimit);
}

// The world's number of iterations holds unless a constraint asks for more, or the options do.
TEST(BulletSolver, IterationsAreTheWorldsUnlessOverridden) {
  Options options;
  options.solve.relative_tolerance = std::numeric_limits<double>::min();
  Solver solver("psor", options);
  BulletScene scene(&solver);
  scene.info().m_numIterations = 7;
  AddStack(scene, 5);
  btRigidBody& weight = scene.AddSphere(btScalar(0.1), 1, btVector3(9, 0, 5));
  btHingeConstraint hinge(weight, btVector3(1, 0, 0), btVector3(0, 1, 0));
  scene.world().addConstraint(&hinge);
  scene.Step();
  EXPECT_EQ(solver.result().iterations, 7);
  hinge.setOverrideNumSolverIterations(31);
  scene.Step();
  EXPECT_EQ(solver.result().iterations, 31);
  options.iterations_of_world = false;
  options.solve.max_iterations = 3;
  solver.SetOptions(options);
  scene.Step();
  EXPECT_EQ(solver.result().iterations, 3);
}

// Impulses persist with the contacts: from the second step on a resting stack is solved in fewer
// iterations than from zero.
TEST(BulletSolver, WarmStartSavesIterations) {
  const auto iterations = [](bool warm) {
    Options options;
    options.solve.law = {LawKind::kNative, 0};
    options.solve.relative_tolerance = 1e-10;  // or the stack goes on rocking
    options.solve.measure_every = 1;
    Solver solver("psor", options);
    BulletScene scene(&solver);
    scene.info().m_numIterations = 500;
    scene.info().m_warmstartingFactor = 1;
    if (!warm) scene.info().m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    AddStack(scene, 3);
    int sum = 0;
    for (int i = 0; i < 90; ++i) {
      scene.Step();
      if (i >= 60) sum += solver.result().iterations;
    }
    EXPECT_EQ(solver.fallbacks(), 0);
    return sum;
  };
  EXPECT_LT(2 * iterations(true), iterations(false));
}

// A chain of hinges settles; its joints start from last step's impulses and need fewer iterations.
TEST(BulletSolver, WarmStartOfJointsSavesIterations) {
  const auto iterations = [](bool warm) {
    Options options;
    options.warm_start_joints = warm;
    options.solve.measure_every = 1;
    Solver solver("psor", options);
    BulletScene scene(&solver);
    scene.info().m_numIterations = 1000;
    scene.info().m_warmstartingFactor = 1;
    std::vector<std::unique_ptr<btPoint2PointConstraint>> joints;
    for (int i = 0; i < 5; ++i) {
      btRigidBody& link = scene.AddSphere(btScalar(0.1), 1, btVector3(0, 0, btScalar(5 - i)));
      const btVector3 up(0, 0, btScalar(0.5)), down(0, 0, btScalar(-0.5));
      joints.push_back(
          i == 0 ? std::make_unique<btPoint2PointConstraint>(link, up)
                 : std::make_unique<btPoint2PointConstraint>(scene.body(i - 1), link, down, up));
      scene.world().addConstraint(joints.back().get());
    }
    int sum = 0;
    for (int i = 0; i < 20; ++i) {
      scene.Step();
      if (i >= 10) sum += solver.result().iterations;
    }
    return sum;
  };
  EXPECT_LT(2 * iterations(true), iterations(false));
}

// Friction impulses are carried over as vectors, if asked for: a block held on a slope starts from
// the force that holds it.
TEST(BulletSolver, WarmStartOfFrictionSavesIterations) {
  const auto iterations = [](bool warm) {
    Options options;
    options.warm_start_friction = warm;
    options.solve.law = {LawKind::kNcp, 0};
    options.solve.measure_every = 1;
    Solver solver("psor", options);
    BulletScene scene(&solver);
    scene.info().m_numIterations = 1000;
    scene.info().m_warmstartingFactor = 1;
    AddStack(scene, 1);
    scene.body(1).setGravity(btVector3(2, 0, btScalar(-9.81)));
    int sum = 0;
    for (int i = 0; i < 60; ++i) {
      scene.Step();
      if (i >= 30) sum += solver.result().iterations;
    }
    EXPECT_NEAR(scene.body(1).getLinearVelocity().x(), 0, 1e-3);
    return sum;
  };
  EXPECT_LT(iterations(true), iterations(false));
}

// Rolling friction stops a ball that would roll on for ever; the coefficient is a length, so the
// deceleration is μ_r g / (r (1 + 2/5)) for one that rolls: 0.1 · 9.81 / (0.5 · 1.4) = 1.401 m/s².
// 0.1 kg keep the normal impulse below the 1 N s beyond which Bullet bounds the torque.
TEST(BulletSolver, RollingFrictionBrakesABall) {
  Options options;
  options.solve.law = {LawKind::kNcp, 0};
  Solver solver("psor", options);
  BulletScene scene(&solver);
  scene.info().m_numIterations = 500;
  scene.AddGround(1);
  btRigidBody& ball =
      scene.AddSphere(btScalar(0.5), btScalar(0.1), btVector3(0, 0, btScalar(0.5)), 1);
  ball.setRollingFriction(btScalar(0.1));
  ball.setSpinningFriction(btScalar(0.1));
  ball.setLinearVelocity(btVector3(4, 0, 0));
  ball.setAngularVelocity(btVector3(0, 8, 0));
  scene.Step(60);
  EXPECT_NEAR(ball.getLinearVelocity().x(), 4 - 1.401, 0.1);
  scene.Step(240);
  EXPECT_NEAR(ball.getLinearVelocity().length(), 0, 1e-2);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
}

// Spinning friction stops a ball that spins on the spot: μ_s m g / (2/5 m r²) = 9.81 rad/s² with
// the coefficient 0.1 m and r = 0.5 m.
TEST(BulletSolver, SpinningFrictionBrakesABall) {
  Options options;
  options.solve.law = {LawKind::kNcp, 0};
  Solver solver("psor", options);
  BulletScene scene(&solver);
  scene.info().m_numIterations = 500;
  scene.AddGround(1);
  btRigidBody& ball =
      scene.AddSphere(btScalar(0.5), btScalar(0.1), btVector3(0, 0, btScalar(0.5)), 1);
  ball.setRollingFriction(btScalar(0.1));
  ball.setSpinningFriction(btScalar(0.1));
  ball.setAngularVelocity(btVector3(0, 0, 20));
  scene.Step(60);
  EXPECT_NEAR(ball.getAngularVelocity().z(), 20 - 9.81, 0.5);
  scene.Step(120);
  EXPECT_NEAR(ball.getAngularVelocity().length(), 0, 1e-2);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
}

// Two stacks far apart are two islands: with batches of one they are solved one by one.
TEST(BulletSolver, IslandsAreSolvedInBulletsBatches) {
  Solver solver("psor");
  BulletScene scene(&solver);
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), 1, btVector3(0, 0, btScalar(0.5)));
  scene.AddBox(btVector3(1, 1, 1), 1, btVector3(20, 0, btScalar(0.5)));
  scene.Step();
  EXPECT_EQ(solver.result().groups, 1);
  scene.info().m_minimumSolverBatchSize = 1;
  scene.Step();
  EXPECT_EQ(solver.result().groups, 2);
  EXPECT_EQ(solver.result().contacts, 8);
}

// A body at rest falls asleep as with Bullet's own solver, and is then left alone.
TEST(BulletSolver, BodiesFallAsleep) {
  Solver solver("psor");
  BulletScene scene(&solver);
  AddStack(scene, 1);
  scene.body(1).forceActivationState(ACTIVE_TAG);
  scene.Step(300);
  EXPECT_EQ(scene.body(1).getActivationState(), ISLAND_SLEEPING);
  EXPECT_EQ(solver.result().contacts, 0);
}

// A velocity that is not a number cannot be solved: Bullet's iterations stand in, nothing is thrown
// through Bullet, and the result counts it and says why, once.
TEST(BulletSolver, FallsBackToBulletAndSaysSo) {
  int messages = 0;
  Options options;
  options.on_trouble = [&messages](const std::string&) { ++messages; };
  Solver solver("psor", options);
  BulletScene scene(&solver);
  AddStack(scene, 1);
  scene.Step();
  scene.body(1).setLinearVelocity(btVector3(std::numeric_limits<btScalar>::quiet_NaN(), 0, 0));
  scene.Step();
  EXPECT_EQ(solver.result().fallbacks, 1);
  EXPECT_EQ(solver.fallbacks(), 1);
  EXPECT_EQ(messages, 1);
  EXPECT_NE(solver.trouble().find("not finite"), std::string::npos) << solver.trouble();
}

// Whoever listens to trouble may throw; Bullet, which is not written for that, never sees it.
TEST(BulletSolver, WhatAListenerThrowsEndsInThePlugin) {
  Options options;
  options.on_trouble = [](const std::string&) { throw std::runtime_error("no ears"); };
  Solver solver("psor", options);
  BulletScene scene(&solver);
  AddStack(scene, 1);
  scene.body(1).setLinearVelocity(btVector3(std::numeric_limits<btScalar>::quiet_NaN(), 0, 0));
  EXPECT_NO_THROW(scene.Step(2));
  EXPECT_EQ(solver.result().status, Status::kNumericalFailure);
  EXPECT_EQ(solver.fallbacks(), 2);
}

// One impulse that does not fit Bullet's float, 1e30 kg at 1e30 m/s, is a fallback as well; in
// double it fits.
TEST(BulletSolver, AnImpulseBeyondBulletsRangeIsAFallback) {
  Options options;
  options.on_trouble = [](const std::string&) {};
  Solver solver("psor", options);
  BulletScene scene(&solver);
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), btScalar(1e30), btVector3(0, 0, btScalar(0.5)))
      .setLinearVelocity(btVector3(0, 0, btScalar(-1e30)));
  EXPECT_NO_THROW(scene.Step());
  EXPECT_EQ(solver.result().fallbacks, sizeof(btScalar) == sizeof(float) ? 1 : 0);
}

// Joints that come and go, a new one at the address of the last as it may be: the simulation goes
// on from the impulses of those that stay.
TEST(BulletSolver, JointsMayComeAndGo) {
  Solver solver("psor");
  BulletScene scene(&solver);
  scene.info().m_numIterations = 100;
  btRigidBody& weight = scene.AddSphere(btScalar(0.1), 1, btVector3(0, 0, 5));
  for (int i = 0; i < 30; ++i) {
    btPoint2PointConstraint joint(weight, btVector3(0, 0, 0));
    scene.world().addConstraint(&joint);
    scene.Step(2);
    scene.world().removeConstraint(&joint);
  }
  EXPECT_NEAR(weight.getWorldTransform().getOrigin().z(), 5, 1e-3);
  EXPECT_EQ(solver.fallbacks(), 0);
}

// Several of them in a btConstraintSolverPoolMt, as a btDiscreteDynamicsWorldMt takes them: two
// boxes, two islands, both stand.
TEST(BulletSolver, WorksInAPoolOfSolvers) {
  auto* first = new Solver("psor");
  auto* second = new Solver("psor");
  btConstraintSolver* solvers[] = {first, second};
  btConstraintSolverPoolMt pool(solvers, 2);  // deletes them
  BulletScene scene(&pool);
  scene.info().m_minimumSolverBatchSize = 1;
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), 1, btVector3(0, 0, btScalar(0.5)));
  scene.AddBox(btVector3(1, 1, 1), 1, btVector3(20, 0, btScalar(0.5)));
  scene.Step(60);
  EXPECT_NEAR(scene.body(1).getWorldTransform().getOrigin().z(), 0.5, 0.01);
  EXPECT_NEAR(scene.body(2).getWorldTransform().getOrigin().z(), 0.5, 0.01);
  EXPECT_EQ(first->fallbacks() + second->fallbacks(), 0);
  EXPECT_GT(first->last_solve().energy.free_energy + second->last_solve().energy.free_energy, 0);
}

// A link of a btMultiBody in the world: refused at the first step with its name, once, and the
// rigid bodies go on under Bullet's own solver.
TEST(BulletSolver, RefusesMultiBodies) {
  std::string message;
  int messages = 0;
  Options options;
  options.on_trouble = [&](const std::string& text) {
    message = text;
    ++messages;
  };
  Solver solver("psor", options);
  BulletScene scene(&solver);
  AddStack(scene, 1);
  btMultiBody body(0, 1, btVector3(1, 1, 1), true, false);
  btSphereShape shape(1);
  btMultiBodyLinkCollider link(&body, -1);
  link.setCollisionShape(&shape);
  btTransform pose;
  pose.setIdentity();
  pose.setOrigin(btVector3(0, 0, btScalar(1.9)));
  link.setWorldTransform(pose);
  scene.world().addCollisionObject(&link);
  scene.Step(10);
  EXPECT_EQ(messages, 1);
  EXPECT_NE(message.find("btMultiBody"), std::string::npos) << message;
  EXPECT_EQ(solver.refusal(), message);
  EXPECT_EQ(solver.result().fallbacks, 1);
  EXPECT_TRUE(std::isfinite(scene.body(1).getWorldTransform().getOrigin().z()));
  scene.world().removeCollisionObject(&link);
}

// The same for a soft body; what Bullet's soft-body worlds put into the islands is an object of
// this kind.
TEST(BulletSolver, RefusesSoftBodies) {
  struct SoftObject : btCollisionObject {
    SoftObject() { m_internalType = CO_SOFT_BODY; }
  };
  Options options;
  options.on_trouble = [](const std::string&) {};
  Solver solver("psor", options);
  BulletScene scene(&solver);
  AddStack(scene, 1);
  SoftObject soft;
  btSphereShape shape(1);
  soft.setCollisionShape(&shape);
  btTransform pose;
  pose.setIdentity();
  pose.setOrigin(btVector3(0, 0, btScalar(1.9)));
  soft.setWorldTransform(pose);
  scene.world().addCollisionObject(&soft);
  scene.Step();
  EXPECT_NE(solver.refusal().find("soft body"), std::string::npos) << solver.refusal();
  scene.world().removeCollisionObject(&soft);
}

TEST(BulletSolver, RefusesUnknownSolversAndOptionsOutOfRange) {
  EXPECT_THROW(Solver("no such solver"), std::invalid_argument);
  Options options;
  options.solve.max_iterations = -1;
  EXPECT_THROW(Solver("psor", options), std::invalid_argument);
  // Refused options leave a solver as it was.
  Solver solver("psor");
  EXPECT_THROW(solver.SetOptions(options), std::invalid_argument);
  EXPECT_EQ(solver.options().solve.max_iterations, Options().solve.max_iterations);
  options = Options();
  options.solve.deadline = -1;
  EXPECT_THROW(solver.SetOptions(options), std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth::bullet
