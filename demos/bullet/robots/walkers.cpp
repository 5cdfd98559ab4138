// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots with a floating base: one that walks, some that fall; and a chain.
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>

#include <algorithm>
#include <cmath>

#include "demos/bullet/robots/robots.h"

namespace nonsmooth::demo {
namespace {

constexpr double kPi = 3.14159265358979323846;

btScalar Real(double value) { return static_cast<btScalar>(value); }
btVector3 Point(double x, double y, double z) { return {Real(x), Real(y), Real(z)}; }

/// Twelve joints: at each leg one about x and one about y in the hip, one about y in the knee.
/// Stands for a second, then trots: diagonal legs together, in a gait that knows nothing of its
/// feet.
class QuadrupedRobot final : public Robot {
 public:
  static constexpr double kThigh = 0.2, kHeight = 0.32;

  void Build(RobotWorld& world, double dt) override {
    world.AddGround(Real(0.9));
    TreeSpec spec;
    spec.centre = Point(0, 0, kHeight + kFoot);
    spec.mass = 8;
    spec.shape = world.Make<btBoxShape>(Point(0.22, 0.12, 0.05));
    for (int leg = 0; leg < 4; ++leg) AddLeg(world, leg, spec);
    btMultiBody& tree = world.AddTree(spec);
    for (int joint = 0; joint < 12; ++joint) {
      tree.setJointPos(joint, Real(Stance(joint % 3)));
      servo_[joint] = &world.AddServo(tree, joint, Real(Stance(joint % 3)), 60, Real(dt));
      world.Add(new btMultiBodyJointLimitConstraint(&tree, joint, Real(-2.6), Real(2.6)));
    }
    RobotWorld::Place(tree);
  }

  void Drive(RobotWorld& /*world*/, double time) override {
    const double amount = std::clamp(time - 1, 0.0, 1.0);
    for (int leg = 0; leg < 4; ++leg) {
      const bool first = leg == 0 || leg == 3;  // front left and rear right
      const double phase = 2 * kPi * kSteps * time + (first ? 0 : kPi);
      const double lift = amount * 0.05 * std::max(0.0, std::sin(phase));
      const double reach = -amount * 0.04 * std::cos(phase);
      // Hip and knee of a leg whose foot is at (reach, −height) from the hip.
      const double x = reach, z = kHeight - lift;
      const double knee = -2 * std::acos(std::min(1.0, 0.5 * std::hypot(x, z) / kThigh));
      const double hip = std::atan2(-x, z) - 0.5 * knee;
      servo_[3 * leg + 1]->setPositionTarget(Real(hip), Real(0.2));
      servo_[3 * leg + 2]->setPositionTarget(Real(knee), Real(0.2));
    }
  }

 private:
  static constexpr double kFoot = 0.03, kSteps = 2;  // [m], [Hz]

  static double Stance(int joint) {
    const double knee = -2 * std::acos(0.5 * kHeight / kThigh);
    return joint == 0 ? 0 : joint == 1 ? -0.5 * knee : knee;
  }

  static void AddLeg(RobotWorld& world, int leg, TreeSpec& spec) {
    const double x = leg < 2 ? 0.2 : -0.2, y = leg % 2 == 0 ? 0.15 : -0.15;
    const double z = kHeight + kFoot;
    // Legs are stretched where joints are at zero; they are bent before the first step.
    LinkSpec hip;
    hip.axis = Point(1, 0, 0);
    hip.pivot = hip.centre = Point(x, y, z);
    hip.mass = Real(0.5);
    LinkSpec thigh = hip;
    thigh.parent = static_cast<int>(spec.links.size());
    thigh.axis = Point(0, 1, 0);
    thigh.centre = Point(x, y, z - 0.5 * kThigh);
    thigh.mass = 1;
    LinkSpec shin = thigh;
    shin.parent = thigh.parent + 1;
    shin.pivot = Point(x, y, z - kThigh);
    shin.centre = Point(x, y, z - 2 * kThigh);
    shin.mass = Real(0.3);
    shin.shape = world.Make<btSphereShape>(Real(kFoot));
    shin.friction = Real(0.9);
    spec.links.insert(spec.links.end(), {hip, thigh, shin});
  }

  btMultiBodyJointMotor* servo_[12] = {};
};

/// Fifty links of 0.1 kg on hinges with 100 kg at the end, let go at 30° from below and
/// swinging against a wall.
class ChainRobot final : public Robot {
 public:
  static constexpr int kLinks = 50;
  static constexpr double kLength = 0.1;

  void Build(RobotWorld& world, double /*dt*/) override {
    const double angle = kPi / 6;
    const double top = 6;
    const auto at = [&](double along) {
      return Point(-along * std::sin(angle), 0, top - along * std::cos(angle));
    };
    world.AddBody(world.Make<btBoxShape>(Point(0.5, 2, 4)), 0, Point(1, 0, 2), Real(0.5));
    TreeSpec spec;
    spec.fixed_base = true;
    spec.centre = at(0);
    for (int i = 0; i < kLinks; ++i) {
      LinkSpec link;
      link.parent = i - 1;
      link.axis = Point(0, 1, 0);
      link.pivot = at(i * kLength);
      const bool last = i + 1 == kLinks;
      link.centre = at((i + (last ? 1.0 : 0.5)) * kLength);
      link.mass = last ? Real(100) : Real(0.1);
      link.shape = world.Make<btSphereShape>(last ? Real(0.25) : Real(0.04));
      spec.links.push_back(link);
    }
    world.AddTree(spec);
  }
};

/// Eight people of eleven bodies fall onto each other: ball joints in neck, shoulders, hips and
/// waist, hinges with limits in elbows and knees, all with some friction.
class RagdollRobot final : public Robot {
 public:
  static constexpr int kPeople = 8;

  void Build(RobotWorld& world, double dt) override {
    world.AddGround(Real(0.8));
    for (int i = 0; i < kPeople; ++i) {
      AddPerson(world, Point(0.15 * (i % 3 - 1), 0.2 * (i % 2), 0.5 + 0.5 * i), dt);
    }
  }

 private:
  static void AddPerson(RobotWorld& world, const btVector3& at, double dt) {
    TreeSpec spec;
    spec.centre = at;
    spec.mass = 12;
    spec.shape = world.Make<btBoxShape>(Point(0.15, 0.1, 0.1));
    const auto add = [&](int parent, TreeJoint joint, const btVector3& pivot,
                         const btVector3& centre, double mass, btCollisionShape* shape) {
      LinkSpec link;
      link.parent = parent;
      link.joint = joint;
      link.axis = Point(1, 0, 0);
      link.pivot = at + pivot;
      link.centre = at + centre;
      link.mass = Real(mass);
      link.shape = shape;
      spec.links.push_back(link);
      return static_cast<int>(spec.links.size()) - 1;
    };
    const TreeJoint ball = TreeJoint::kSpherical, hinge = TreeJoint::kRevolute;
    const int chest = add(-1, ball, Point(0, 0, 0.12), Point(0, 0, 0.32), 20,
                          world.Make<btBoxShape>(Point(0.18, 0.1, 0.18)));
    add(chest, ball, Point(0, 0, 0.54), Point(0, 0, 0.66), 5,
        world.Make<btSphereShape>(Real(0.11)));
    std::vector<int> hinges;
    for (const double side : {-1.0, 1.0}) {
      auto* arm = world.Make<btCapsuleShapeZ>(Real(0.045), Real(0.2));
      const int upper =
          add(chest, ball, Point(side * 0.25, 0, 0.46), Point(side * 0.25, 0, 0.31), 2, arm);
      hinges.push_back(
          add(upper, hinge, Point(side * 0.25, 0, 0.16), Point(side * 0.25, 0, 0.01), 1.5, arm));
      auto* leg = world.Make<btCapsuleShapeZ>(Real(0.065), Real(0.28));
      const int thigh =
          add(-1, ball, Point(side * 0.1, 0, -0.12), Point(side * 0.1, 0, -0.33), 8, leg);
      hinges.push_back(
          add(thigh, hinge, Point(side * 0.1, 0, -0.54), Point(side * 0.1, 0, -0.75), 4, leg));
    }
    btMultiBody& tree = world.AddTree(spec);
    tree.setWorldToBaseRot(btQuaternion(btVector3(1, 0, 0), Real(0.5 * kPi)));  // on their backs
    RobotWorld::Place(tree);
    for (const int link : hinges) {
      world.Add(new btMultiBodyJointLimitConstraint(&tree, link, Real(-2.4), 0));
      world.Add(new btMultiBodyJointMotor(&tree, link, 0, Real(2 * dt)));
    }
  }
};

}  // namespace

World Quadruped(const WorldOptions& /*options*/) {
  World world;
  world.name = "quadruped";
  world.title = "a robot with four legs stands up and walks";
  world.dt = 1.0 / 240;
  world.steps = 1440;
  world.standing = "it is on its feet and has walked";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    const Pose& body = poses[1];
    const double up = Rotate(body.rotation, {0, 0, 1})[2];
    return body.position[2] > 0.2 && up > 0.8 && std::abs(body.position[0]) > 0.1;
  };
  return world;
}

World RobotChain(const WorldOptions& /*options*/) {
  World world;
  world.name = "robot_chain";
  world.title = "a ball of 100 kg on fifty links of 0.1 kg swings against a wall";
  world.dt = 1.0 / 1000;  // links under 1000 N swing at 600 rad/s
  world.steps = 3000;
  world.standing = "the chain is whole and the ball on its side of the wall";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    const Vec3& ball = poses.back().position;
    const double reach = std::hypot(ball[0], ball[1], ball[2] - 6);
    return ball[0] < 0.5 && reach < 1.01 * ChainRobot::kLinks * ChainRobot::kLength;
  };
  return world;
}

World Ragdolls(const WorldOptions& /*options*/) {
  World world;
  world.name = "ragdolls";
  world.title = "eight people fall on a heap";
  world.dt = 1.0 / 240;
  world.steps = 1200;
  world.standing = "all lie within 3 m";
  world.stands = [](const World&, const std::vector<Pose>& poses) {
    for (std::size_t i = 1; i < poses.size(); ++i) {
      const Vec3& p = poses[i].position;
      if (!(std::hypot(p[0], p[1]) < 3 && p[2] > -0.1 && p[2] < 2)) return false;
    }
    return true;
  };
  return world;
}

std::unique_ptr<Robot> MakeQuadruped() { return std::make_unique<QuadrupedRobot>(); }
std::unique_ptr<Robot> MakeRobotChain() { return std::make_unique<ChainRobot>(); }
std::unique_ptr<Robot> MakeRagdolls() { return std::make_unique<RagdollRobot>(); }

}  // namespace nonsmooth::demo
