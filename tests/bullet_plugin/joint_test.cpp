// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Every joint of Bullet's, with limits, motors and springs: the same rows, the same motion.
#include <gtest/gtest.h>

#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGearConstraint.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "bullet_plugin/recording_solver.h"
#include "bullet_plugin/solver.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

using Joints = std::vector<std::unique_ptr<btTypedConstraint>>;

struct JointScene {
  const char* name;
  /// Joins an arm at (0, 0, 3) and a hand at (1, 0, 3), each 1 m long along x.
  void (*join)(btRigidBody& arm, btRigidBody& hand, Joints& joints);
  /// Bullet's steps leave out a row's own CFM, ours do not: there it takes convergence to agree.
  int iterations = 50;
};

void PrintTo(const JointScene& scene, std::ostream* out) { *out << scene.name; }

const btVector3 kElbowInArm(btScalar(0.5), 0, 0);
const btVector3 kElbowInHand(btScalar(-0.5), 0, 0);

btTransform At(const btVector3& origin) { return btTransform(btQuaternion::getIdentity(), origin); }

/// A frame whose z axis, about which hinges turn, is the y axis of the body.
btTransform TurnedAt(const btVector3& origin) {
  return btTransform(btQuaternion(btVector3(1, 0, 0), -SIMD_HALF_PI), origin);
}

template <class Joint, class... Arguments>
Joint& Make(Joints& joints, Arguments&&... arguments) {
  auto joint = std::make_unique<Joint>(std::forward<Arguments>(arguments)...);
  Joint& made = *joint;
  joints.push_back(std::move(joint));
  return made;
}

/// The arm hangs on a hinge in the world; with limits it comes to rest on one.
void Shoulder(btRigidBody& arm, Joints& joints) {
  Make<btHingeConstraint>(joints, arm, kElbowInHand, btVector3(0, 1, 0))
      .setLimit(btScalar(-0.3), btScalar(0.3));
}

void PointToPoint(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  Make<btPoint2PointConstraint>(joints, arm, hand, kElbowInArm, kElbowInHand).m_setting.m_tau =
      btScalar(0.5);
}

void Hinge(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow =
      Make<btHingeConstraint>(joints, arm, hand, TurnedAt(kElbowInArm), TurnedAt(kElbowInHand));
  elbow.enableAngularMotor(true, 2, btScalar(0.05));
  elbow.setParam(BT_CONSTRAINT_ERP, btScalar(0.3));
}

void HingeAccumulated(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  Make<btHingeAccumulatedAngleConstraint>(joints, arm, hand, TurnedAt(kElbowInArm),
                                          TurnedAt(kElbowInHand))
      .setLimit(btScalar(-0.2), btScalar(0.2));
}

void ConeTwist(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow = Make<btConeTwistConstraint>(joints, arm, hand, At(kElbowInArm), At(kElbowInHand));
  elbow.setLimit(btScalar(0.2), btScalar(0.2), btScalar(0.1));
}

void SixDof(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow =
      Make<btGeneric6DofConstraint>(joints, arm, hand, At(kElbowInArm), At(kElbowInHand), true);
  elbow.setAngularLowerLimit(btVector3(0, btScalar(-0.2), 0));
  elbow.setAngularUpperLimit(btVector3(0, btScalar(0.2), 0));
  elbow.setParam(BT_CONSTRAINT_STOP_ERP, btScalar(0.3), 4);
  elbow.setParam(BT_CONSTRAINT_STOP_CFM, btScalar(0.001), 4);
}

void SixDofSpring(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow = Make<btGeneric6DofSpringConstraint>(joints, arm, hand, At(kElbowInArm),
                                                    At(kElbowInHand), true);
  elbow.setAngularLowerLimit(btVector3(0, -1, 0));
  elbow.setAngularUpperLimit(btVector3(0, 1, 0));
  elbow.enableSpring(4, true);
  elbow.setStiffness(4, 20);
  elbow.setDamping(4, btScalar(0.2));
  elbow.setEquilibriumPoint();
}

void SixDofSpring2(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow =
      Make<btGeneric6DofSpring2Constraint>(joints, arm, hand, At(kElbowInArm), At(kElbowInHand));
  elbow.setLinearLowerLimit(btVector3(0, 0, 0));
  elbow.setLinearUpperLimit(btVector3(0, 0, 0));
  elbow.setAngularLowerLimit(btVector3(0, btScalar(-0.5), 0));
  elbow.setAngularUpperLimit(btVector3(0, btScalar(0.5), 0));
  elbow.enableMotor(4, true);
  elbow.setServo(4, true);
  elbow.setServoTarget(4, btScalar(0.3));
  elbow.setTargetVelocity(4, 1);
  elbow.setMaxMotorForce(4, 20);
}

void Universal(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow = Make<btUniversalConstraint>(joints, arm, hand, btVector3(btScalar(0.5), 0, 3),
                                            btVector3(0, 1, 0), btVector3(0, 0, 1));
  elbow.setLowerLimit(btScalar(-0.2), btScalar(-0.2));
  elbow.setUpperLimit(btScalar(0.2), btScalar(0.2));
}

void Hinge2(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  btVector3 anchor(btScalar(0.5), 0, 3), up(0, 0, 1), axle(0, 1, 0);
  auto& elbow = Make<btHinge2Constraint>(joints, arm, hand, anchor, up, axle);
  elbow.setLowerLimit(btScalar(-0.2));
  elbow.setUpperLimit(btScalar(0.2));
}

void Slider(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  auto& elbow =
      Make<btSliderConstraint>(joints, arm, hand, At(kElbowInArm), At(kElbowInHand), true);
  elbow.setLowerLinLimit(btScalar(-0.1));
  elbow.setUpperLinLimit(btScalar(0.3));
  elbow.setLowerAngLimit(0);
  elbow.setUpperAngLimit(0);
  elbow.setPoweredLinMotor(true);
  elbow.setTargetLinMotorVelocity(1);
  elbow.setMaxLinMotorForce(30);
}

/// Both on hinges in the world, geared 2 to 1.
void Gear(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Make<btHingeConstraint>(joints, arm, btVector3(0, 0, 0), btVector3(0, 1, 0))
      .enableAngularMotor(true, 3, btScalar(0.05));
  Make<btHingeConstraint>(joints, hand, btVector3(0, 0, 0), btVector3(0, 1, 0));
  Make<btGearConstraint>(joints, arm, hand, btVector3(0, 1, 0), btVector3(0, 1, 0), 2);
}

void Fixed(btRigidBody& arm, btRigidBody& hand, Joints& joints) {
  Shoulder(arm, joints);
  Make<btFixedConstraint>(joints, arm, hand, At(kElbowInArm), At(kElbowInHand));
}

struct Outcome {
  std::vector<btTransform> poses;
  std::vector<double> impulses;  ///< getAppliedImpulse() of every joint [N s]
};

Outcome RunScene(const JointScene& setup, btConstraintSolver* solver) {
  BulletScene scene(solver);
  scene.info().m_numIterations = setup.iterations;
  const btVector3 size(1, btScalar(0.2), btScalar(0.2));
  btRigidBody& arm = scene.AddBox(size, 2, btVector3(0, 0, 3));
  btRigidBody& hand = scene.AddBox(size, 1, btVector3(1, 0, 3));
  Joints joints;
  setup.join(arm, hand, joints);
  std::vector<btJointFeedback> feedback(joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i]->setJointFeedback(&feedback[i]);
    scene.world().addConstraint(joints[i].get(), true);
  }
  scene.Step(60);
  Outcome outcome;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    outcome.impulses.push_back(joints[i]->getAppliedImpulse());
    outcome.impulses.push_back(feedback[i].m_appliedForceBodyA.length() / 60);
    scene.world().removeConstraint(joints[i].get());
  }
  for (int i = 0; i < scene.bodies(); ++i) {
    outcome.poses.push_back(scene.body(i).getWorldTransform());
  }
  return outcome;
}

class EveryJoint : public ::testing::TestWithParam<JointScene> {};

// psor in Bullet's order without momentum, as many iterations, the last iterate: the motion of a
// second and the impulses that gameplay code reads are those of Bullet's sequential impulses, up to
// rounding.
TEST_P(EveryJoint, MovesAsWithBulletsSolver) {
  Options options;
  options.warm_start_joints = false;
  options.solve.law = {LawKind::kNative, 0};
  options.correct_positions = false;
  options.solve.relative_tolerance = std::numeric_limits<double>::min();
  options.solve.measure_every = 1000000;
  bullet::Solver ours("psor", options);
  Set("psor", ours.solver_options(), "in_order", "true");
  Set("psor", ours.solver_options(), "momentum", "0");
  btSequentialImpulseConstraintSolver bullets;
  const Outcome expected = RunScene(GetParam(), &bullets);
  const Outcome actual = RunScene(GetParam(), &ours);
  for (std::size_t i = 0; i < expected.poses.size(); ++i) {
    const btTransform& here = actual.poses[i];
    const btTransform& there = expected.poses[i];
    EXPECT_NEAR((here.getOrigin() - there.getOrigin()).length(), 0, 20 * kRounding) << "body " << i;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR((here.getBasis()[k] - there.getBasis()[k]).length(), 0, 50 * kRounding);
    }
  }
  ASSERT_GT(expected.impulses.size(), 0u);
  for (std::size_t i = 0; i < expected.impulses.size(); ++i) {
    EXPECT_NEAR(actual.impulses[i], expected.impulses[i], 200 * kRounding) << "joint " << i / 2;
  }
  EXPECT_EQ(ours.fallbacks(), 0) << ours.trouble();
}

// By default, warm-started and in an order of its own, the arm hangs together all the same: after a
// second every joint that shares a point still does, within 5 mm.
TEST_P(EveryJoint, HoldsTogetherByDefault) {
  bullet::Solver ours("nncg");
  const Outcome outcome = RunScene(GetParam(), &ours);
  const std::string name = GetParam().name;
  if (name == "gear") {
    EXPECT_NEAR((outcome.poses[0].getOrigin() - btVector3(0, 0, 3)).length(), 0, 5e-3);
    EXPECT_NEAR((outcome.poses[1].getOrigin() - btVector3(1, 0, 3)).length(), 0, 5e-3);
  } else if (name != "slider" && name != "hinge2") {  // the one slides, the other has a spring
    const btVector3 gap = outcome.poses[0] * kElbowInArm - outcome.poses[1] * kElbowInHand;
    EXPECT_NEAR(gap.length(), 0, 5e-3);
  }
  EXPECT_EQ(ours.fallbacks(), 0) << ours.trouble();
}

// A weight slides down from its rest position and is stopped by a limit 0.1 m below; the limit
// above is at infinity, so that Bullet poses a row with an infinite m_rhs.
TEST(OneSidedLimit, StopsAWeightAndIsRecorded) {
  const std::string path =
      ::testing::TempDir() + "one_sided_limit" + std::to_string(sizeof(btScalar)) + ".h5";
  RecordingSolver<bullet::Solver> ours(path, "psor");
  BulletScene scene(&ours);
  scene.info().m_numIterations = 50;
  btRigidBody& weight = scene.AddSphere(btScalar(0.1), 1, btVector3(0, 0, 5));
  btGeneric6DofSpring2Constraint rail(weight, At(btVector3(0, 0, 0)));
  rail.setLinearLowerLimit(btVector3(0, 0, btScalar(-0.1)));
  rail.setLinearUpperLimit(btVector3(0, 0, SIMD_INFINITY));
  rail.setAngularLowerLimit(btVector3(0, 0, 0));
  rail.setAngularUpperLimit(btVector3(0, 0, 0));
  scene.world().addConstraint(&rail);
  scene.Step(120);
  EXPECT_EQ(ours.fallbacks(), 0) << ours.trouble();
  EXPECT_NEAR(std::abs(weight.getWorldTransform().getOrigin().z() - 5), 0.1, 5e-3);
  ours.Close();
  EXPECT_EQ(ours.skipped(), 0) << ours.recorder()->status().trouble;
  EXPECT_EQ(ours.recorder()->status().written, 120);
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EveryJoint,
    ::testing::Values(JointScene{"point_to_point", PointToPoint}, JointScene{"hinge", Hinge},
                      JointScene{"hinge_accumulated", HingeAccumulated},
                      JointScene{"cone_twist", ConeTwist}, JointScene{"six_dof", SixDof, 1000},
                      JointScene{"six_dof_spring", SixDofSpring},
                      JointScene{"six_dof_spring2", SixDofSpring2},
                      JointScene{"universal", Universal}, JointScene{"hinge2", Hinge2},
                      JointScene{"slider", Slider}, JointScene{"gear", Gear},
                      JointScene{"fixed", Fixed}),
    [](const auto& scene) { return std::string(scene.param.name); });

}  // namespace
}  // namespace nonsmooth::bullet
