// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// `native` against Bullet's own solver: the same rows, the same solution.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "bullet_plugin/solver.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

struct NativeScene {
  std::string name;
  int steps = 0;
  int iterations = 0;
  double tolerance = 0;  ///< of positions [m], in multiples of kRounding
  std::function<void(BulletScene&)> build;
};

void PrintTo(const NativeScene& scene, std::ostream* out) { *out << scene.name; }

/// Positions of all bodies after the scene's steps.
std::vector<btVector3> RunScene(const NativeScene& setup, btConstraintSolver* solver,
                                std::vector<std::unique_ptr<btTypedConstraint>>* keep) {
  BulletScene scene(solver);
  scene.info().m_numIterations = setup.iterations;
  // Our sweep takes a contact's normal and friction together; so does Bullet in this mode.
  scene.info().m_solverMode |=
      SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS;
  setup.build(scene);
  for (int i = 0; i < scene.world().getNumConstraints(); ++i) {
    keep->emplace_back(scene.world().getConstraint(i));
  }
  scene.Step(setup.steps);
  std::vector<btVector3> positions;
  for (int i = 0; i < scene.bodies(); ++i) {
    positions.push_back(scene.body(i).getWorldTransform().getOrigin());
  }
  return positions;
}

class Native : public ::testing::TestWithParam<NativeScene> {};

// psor in Bullet's order without momentum from Bullet's warm start, as many iterations, last
// iterate taken: Bullet's sequential impulses up to rounding. (Where a contact lets go during the
// iterations Bullet leaves its friction as it was, and the two differ; these scenes have none.)
TEST_P(Native, PsorTracksSequentialImpulse) {
  Options options;
  options.warm_start_friction = false;
  options.warm_start_joints = false;
  options.solve.law = {LawKind::kNative, 0};
  options.correct_positions = false;
  options.solve.relative_tolerance = std::numeric_limits<double>::min();
  options.solve.measure_every = 1000000;
  Solver ours("psor", options);
  Set("psor", ours.solver_options(), "in_order", "true");
  Set("psor", ours.solver_options(), "momentum", "0");
  btSequentialImpulseConstraintSolver bullets;
  std::vector<std::unique_ptr<btTypedConstraint>> keep;
  const std::vector<btVector3> expected = RunScene(GetParam(), &bullets, &keep);
  const std::vector<btVector3> actual = RunScene(GetParam(), &ours, &keep);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR((actual[i] - expected[i]).length(), 0, GetParam().tolerance * kRounding)
        << "body " << i;
  }
  EXPECT_EQ(ours.fallbacks(), 0) << ours.trouble();
}

void Stack(BulletScene& scene) {
  scene.AddGround();
  for (int i = 0; i < 3; ++i) {
    scene.AddBox(btVector3(1, 1, 1), btScalar(1 + i),
                 btVector3(btScalar(0.1 * i), 0, btScalar(i + 0.5)));
  }
}

void SlidingBox(BulletScene& scene) {
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, btScalar(0.2)), 2, btVector3(0, 0, btScalar(0.1)))
      .setLinearVelocity(btVector3(btScalar(0.6), btScalar(0.2), 0));
}

void Bounce(BulletScene& scene) {
  scene.AddGround().setRestitution(1);
  btRigidBody& ball = scene.AddSphere(btScalar(0.5), 2, btVector3(0, 0, 2));
  ball.setRestitution(btScalar(0.5));
  ball.setLinearVelocity(btVector3(1, 2, 0));
}

/// Penetrating by more than the threshold of split impulses, on a compliant contact.
void Compliant(BulletScene& scene) {
  scene.AddGround();
  scene.info().m_globalCfm = btScalar(0.01);
  scene.info().m_splitImpulse = 0;
  scene.AddBox(btVector3(1, 1, 1), 2, btVector3(0, 0, btScalar(0.45)));
}

void SplitImpulse(BulletScene& scene) {
  scene.AddGround();
  scene.AddBox(btVector3(1, 1, 1), 2, btVector3(0, 0, btScalar(0.45)));
}

void Factors(BulletScene& scene) {
  scene.AddGround();
  btRigidBody& box = scene.AddBox(btVector3(1, 1, 1), 2, btVector3(0, 0, btScalar(0.5)));
  box.setLinearFactor(btVector3(1, 0, 1));
  box.setAngularFactor(btVector3(0, 0, 0));
  box.setLinearVelocity(btVector3(2, 0, 0));
  scene.AddBox(btVector3(1, 1, 1), 2, btVector3(3, 0, btScalar(0.5)))
      .setAngularFactor(btScalar(0.5));
}

void KinematicBelt(BulletScene& scene) {
  btRigidBody& belt = scene.AddBox(btVector3(10, 10, 1), 0, btVector3(0, 0, btScalar(-0.5)));
  belt.setCollisionFlags(belt.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  belt.setLinearVelocity(btVector3(1, 0, 0));
  scene.AddBox(btVector3(1, 1, 1), 2, btVector3(0, 0, btScalar(0.5)));
}

void Joints(BulletScene& scene) {
  btRigidBody& arm =
      scene.AddBox(btVector3(1, btScalar(0.2), btScalar(0.2)), 1, btVector3(btScalar(0.5), 0, 3));
  btRigidBody& hand =
      scene.AddBox(btVector3(1, btScalar(0.2), btScalar(0.2)), 1, btVector3(btScalar(1.5), 0, 3));
  auto* shoulder = new btHingeConstraint(arm, btVector3(btScalar(-0.5), 0, 0), btVector3(0, 1, 0));
  shoulder->setLimit(btScalar(-0.3), btScalar(0.3));
  auto* elbow = new btHingeConstraint(arm, hand, btVector3(btScalar(0.5), 0, 0),
                                      btVector3(btScalar(-0.5), 0, 0), btVector3(0, 1, 0),
                                      btVector3(0, 1, 0));
  elbow->enableAngularMotor(true, 2, btScalar(0.05));
  scene.world().addConstraint(shoulder, true);
  scene.world().addConstraint(elbow, true);
}

/// Springs, limits and per-row ERP.
void Springs(BulletScene& scene) {
  btRigidBody& bob = scene.AddSphere(btScalar(0.2), 1, btVector3(0, 0, 3));
  btTransform frame;
  frame.setIdentity();
  auto* spring = new btGeneric6DofSpring2Constraint(bob, frame);
  spring->setLinearLowerLimit(btVector3(btScalar(-0.2), 0, -1));
  spring->setLinearUpperLimit(btVector3(btScalar(0.2), 0, 1));
  spring->enableSpring(2, true);
  spring->setStiffness(2, 40);
  spring->setDamping(2, btScalar(0.5));
  spring->setEquilibriumPoint();
  spring->setParam(BT_CONSTRAINT_STOP_ERP, btScalar(0.4), 0);
  scene.world().addConstraint(spring);
  bob.applyCentralImpulse(btVector3(2, 0, 0));
}

void OneFrictionDirection(BulletScene& scene) {
  SlidingBox(scene);
  scene.info().m_solverMode &= ~SOLVER_USE_2_FRICTION_DIRECTIONS;
}

/// CFM and ERP of single contacts, from a body's own stiffness and damping.
void SoftContact(BulletScene& scene) {
  scene.AddGround();
  btRigidBody& box = scene.AddBox(btVector3(1, 1, 1), 2, btVector3(0, 0, btScalar(0.49)));
  box.setContactStiffnessAndDamping(4000, 50);
}

/// A plate that spins about no principal axis, free and, later, on the ground.
void Gyroscopic(BulletScene& scene) {
  scene.AddGround();
  btRigidBody& plate =
      scene.AddBox(btVector3(1, btScalar(0.6), btScalar(0.2)), 2, btVector3(0, 0, 4));
  plate.setFlags(plate.getFlags() | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
  plate.setAngularVelocity(btVector3(3, 4, 1));
}

INSTANTIATE_TEST_SUITE_P(Scenes, Native,
                         ::testing::Values(NativeScene{"stack", 60, 20, 20, Stack},
                                           NativeScene{"sliding_box", 60, 20, 20, SlidingBox},
                                           NativeScene{"bounce", 90, 10, 20, Bounce},
                                           NativeScene{"compliant", 60, 50, 20, Compliant},
                                           NativeScene{"split_impulse", 60, 20, 20, SplitImpulse},
                                           NativeScene{"factors", 60, 20, 200, Factors},
                                           NativeScene{"kinematic_belt", 60, 20, 20, KinematicBelt},
                                           NativeScene{"one_friction_direction", 60, 20, 20,
                                                       OneFrictionDirection},
                                           NativeScene{"soft_contact", 60, 200, 20, SoftContact},
                                           NativeScene{"gyroscopic", 45, 20, 20, Gyroscopic},
                                           NativeScene{"joints", 120, 50, 20, Joints},
                                           NativeScene{"springs", 120, 50, 20, Springs}),
                         [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace nonsmooth::bullet
