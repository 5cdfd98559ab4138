// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots that are bolted to the ground: an arm that pushes, a gripper that holds.
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>

#include <algorithm>
#include <cmath>

#include "demos/bullet/robots/robots.h"

namespace nonsmooth::demo {
namespace {

constexpr double kPi = 3.14159265358979323846;

btScalar Real(double value) { return static_cast<btScalar>(value); }
btVector3 Point(double x, double y, double z) { return {Real(x), Real(y), Real(z)}; }

/// Seven joints, z y z y z y z as of many arms, 1.16 m long when stretched. It pushes a box of 40
/// kg along x against a plate that a spring of 2 kN/m holds.
class ArmRobot final : public Robot {
 public:
  static constexpr double kUpper = 0.4, kLower = 0.4, kShoulder = 0.36, kHeight = 0.2;
  static constexpr double kBox = 0.3, kBoxFrom = 0.62;  // its near face

  void Build(RobotWorld& world, double dt) override {
    world.AddGround(Real(0.4));
    const double z = 0.5 * kBox;
    box_ = &world.AddBody(world.Make<btBoxShape>(Point(z, z, z)), 40,
                          Point(kBoxFrom + 0.5 * kBox, 0, z), Real(0.3));
    auto& plate = world.AddBody(world.Make<btBoxShape>(Point(0.02, 0.2, 0.2)), 2,
                                Point(kBoxFrom + kBox + 0.04, 0, 0.22), Real(0.3));
    btTransform at = btTransform::getIdentity();
    at.setOrigin(plate.getWorldTransform().getOrigin());
    auto& spring = world.Add(new btGeneric6DofSpring2Constraint(plate, btTransform::getIdentity()));
    spring.setLinearLowerLimit(Point(-0.3, 0, 0));
    spring.setLinearUpperLimit(Point(0.3, 0, 0));
    spring.setAngularLowerLimit(Point(0, 0, 0));
    spring.setAngularUpperLimit(Point(0, 0, 0));
    spring.enableSpring(0, true);
    spring.setStiffness(0, 2000);
    spring.setEquilibriumPoint();
    AddArm(world, dt);
  }

  void Drive(RobotWorld& /*world*/, double time) override {
    // From 5 cm before the box to 6 cm into where it was, in 3 s.
    const double x = kBoxFrom - 0.05 - kTip + 0.11 * std::min(1.0, time / 3);
    double joint[7];
    Reach(x, kHeight - kShoulder, joint);
    for (int i = 0; i < 7; ++i) servo_[i]->setPositionTarget(Real(joint[i]), Real(0.2));
  }

 private:
  static constexpr double kTip = 0.05;

  /// Shoulder, elbow and wrist of a plane arm whose hand points along x at (x, z) from the
  /// shoulder.
  static void Reach(double x, double z, double* joint) {
    const double hand = 0.12;
    const double reach = std::hypot(x - hand, z);
    const double elbow = kPi - std::acos((kUpper * kUpper + kLower * kLower - reach * reach) /
                                         (2 * kUpper * kLower));
    const double shoulder =
        0.5 * kPi - std::atan2(z, x - hand) -
        std::acos((kUpper * kUpper + reach * reach - kLower * kLower) / (2 * kUpper * reach));
    std::fill(joint, joint + 7, 0.0);
    joint[1] = shoulder;
    joint[3] = elbow;
    joint[5] = 0.5 * kPi - shoulder - elbow;
  }

  void AddArm(RobotWorld& world, double dt) {
    TreeSpec arm;
    arm.fixed_base = true;
    arm.centre = Point(0, 0, 0.1);
    arm.mass = 10;
    arm.shape = world.Make<btCylinderShapeZ>(Point(0.1, 0.1, 0.1));
    const double at[8] = {0.2, 0.36, 0.56, 0.76, 0.96, 1.16, 1.22, 1.28};
    const double mass[7] = {4, 4, 3, 2.5, 2, 1.2, 0.6};
    for (int i = 0; i < 7; ++i) {
      LinkSpec link;
      link.parent = i - 1;
      link.axis = i % 2 == 0 ? Point(0, 0, 1) : Point(0, 1, 0);
      link.pivot = Point(0, 0, at[i]);
      link.centre = Point(0, 0, 0.5 * (at[i] + at[i + 1]));
      link.mass = Real(mass[i]);
      link.shape = i < 6 ? static_cast<btCollisionShape*>(world.Make<btCapsuleShapeZ>(
                               Real(0.045), Real(std::max(0.01, at[i + 1] - at[i] - 0.09))))
                         : world.Make<btSphereShape>(Real(kTip));
      if (i == 6) link.centre = Point(0, 0, at[i] + 0.06);
      arm.links.push_back(link);
    }
    btMultiBody& tree = world.AddTree(arm);
    double joint[7];
    Reach(kBoxFrom - 0.05 - kTip, kHeight - kShoulder, joint);
    for (int i = 0; i < 7; ++i) {
      tree.setJointPos(i, Real(joint[i]));
      servo_[i] = &world.AddServo(tree, i, Real(joint[i]), i < 4 ? Real(300) : Real(100), Real(dt));
      world.Add(new btMultiBodyJointLimitConstraint(&tree, i, Real(-2.9), Real(2.9)));
    }
    RobotWorld::Place(tree);
  }

  btRigidBody* box_ = nullptr;
  btMultiBodyJointMotor* servo_[7] = {};
};

/// A carriage on rails, up and down and to and fro, with two fingers that press on a capsule of 45
/// g by 12 N each: friction can carry 38 times its weight (mujoco#3328, ten times as large). It
/// lifts it by 0.2 m, shakes it at 2 Hz and 5 cm, and holds it still for the rest.
class GripperRobot final : public Robot {
 public:
  static constexpr double kRadius = 0.04, kForce = 12, kFriction = 0.7, kPad = 0.1;

  void Build(RobotWorld& world, double dt) override {
    dt_ = dt;
    world.AddGround();
    auto& tool = world.AddBody(world.Make<btCapsuleShape>(Real(kRadius), Real(0.2)), Real(0.045),
                               Point(0, 0, 0.5), Real(kFriction));
    tool.setAngularFactor(1);
    TreeSpec spec;
    spec.fixed_base = true;
    spec.centre = Point(0, 0, 2);
    spec.mass = 10;
    LinkSpec lift;
    lift.joint = TreeJoint::kPrismatic;
    lift.axis = Point(0, 0, 1);
    lift.pivot = lift.centre = Point(0, 0, 1);
    lift.mass = 2;
    LinkSpec shake = lift;
    shake.parent = 0;
    shake.axis = Point(0, 1, 0);
    spec.links = {lift, shake};
    for (const double side : {-1.0, 1.0}) {
      LinkSpec finger;
      finger.parent = 1;
      finger.joint = TreeJoint::kPrismatic;
      finger.axis = Point(-side, 0, 0);
      finger.pivot = finger.centre = Point(side * (kRadius + 0.5 * kPad), 0, 0.5);
      finger.mass = Real(0.2);
      finger.friction = Real(kFriction);
      finger.shape = world.Make<btBoxShape>(Point(0.5 * kPad, 0.2, 0.2));
      spec.links.push_back(finger);
    }
    hand_ = &world.AddTree(spec);
    lift_ = &world.AddServo(*hand_, 0, 0, 200, Real(dt));
    shake_ = &world.AddServo(*hand_, 1, 0, 200, Real(dt));
  }

  void Drive(RobotWorld& /*world*/, double time) override {
    for (const int finger : {2, 3}) hand_->addJointTorque(finger, Real(kForce));
    const double lifted = 0.2 * std::clamp((time - 0.2) / 0.8, 0.0, 1.0);
    const bool shakes = time > 1.2 && time < 2.2;
    lift_->setPositionTarget(Real(lifted), Real(0.2));
    shake_->setPositionTarget(Real(shakes ? 0.05 * std::sin(4 * kPi * (time - 1.2)) : 0),
                              Real(0.2));
  }

 private:
  double dt_ = 0;
  btMultiBody* hand_ = nullptr;
  btMultiBodyJointMotor* lift_ = nullptr;
  btMultiBodyJointMotor* shake_ = nullptr;
};

}  // namespace

World Arm(const WorldOptions& /*options*/) {
  World world;
  world.name = "arm";
  world.title = "an arm of seven joints pushes a box of 40 kg against a spring";
  world.dt = 1.0 / 240;
  world.steps = 960;
  world.standing = "the box has been pushed by 30 to 60 mm, straight ahead";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    const Vec3& box = poses[1].position;
    const double pushed = box[0] - ArmRobot::kBoxFrom - 0.5 * ArmRobot::kBox;
    return pushed > 0.03 && pushed < 0.06 && std::abs(box[1]) < 0.01;
  };
  return world;
}

World RobotGripper(const WorldOptions& /*options*/) {
  World world;
  world.name = "robot_gripper";
  world.title = "a gripper lifts and shakes a slippery tool";
  world.dt = 1.0 / 500;
  world.steps = 5000;
  world.standing = "the tool is within 1 mm of where it was in the hand";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    // Ground, tool, base, lift, shake, fingers: tool and fingers began at one height.
    const double slip = poses[1].position[2] - poses[5].position[2];
    return std::abs(slip) < 1e-3;
  };
  return world;
}

std::unique_ptr<Robot> MakeArm() { return std::make_unique<ArmRobot>(); }
std::unique_ptr<Robot> MakeRobotGripper() { return std::make_unique<GripperRobot>(); }

}  // namespace nonsmooth::demo
