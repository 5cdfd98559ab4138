// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/multibody_solver.h"

#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySliderConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "bullet_plugin/recording_multibody_solver.h"
#include "common/solve/driver.h"
#include "demos/bullet/robots/robots.h"
#include "recorders/capture/capture_reader.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

using demo::LinkSpec;
using demo::RobotWorld;
using demo::TreeJoint;
using demo::TreeSpec;

constexpr bool kFloat = sizeof(btScalar) == sizeof(float);
constexpr double kGravity = 9.81;

Options Exactly() {
  Options options;
  options.iterations_of_world = false;
  options.solve.max_iterations = 1000;
  options.solve.relative_tolerance = 1e-14;
  return options;
}

/// Links on hinges about y, one below the other from (0, 0, 2) on, each a ball at its lower end.
TreeSpec Pendulum(int links, btScalar length, RobotWorld* touching = nullptr) {
  TreeSpec spec;
  spec.fixed_base = true;
  spec.centre = btVector3(0, 0, 2);
  for (int i = 0; i < links; ++i) {
    LinkSpec link;
    link.parent = i - 1;
    link.axis = btVector3(0, 1, 0);
    link.pivot = btVector3(0, 0, 2 - length * btScalar(i));
    link.centre = link.pivot - btVector3(0, 0, length);
    if (touching != nullptr) link.shape = touching->Make<btSphereShape>(btScalar(0.1));
    spec.links.push_back(link);
  }
  return spec;
}

TEST(MultiBodySolver, RefusesWhatItCannotDo) {
  EXPECT_THROW(MultiBodySolver("no such solver"), std::invalid_argument);
  Options options;
  options.solve.law = {LawKind::kPyramid, 8};
  EXPECT_THROW(MultiBodySolver("dantzig", options), std::invalid_argument);
  options.solve = {};
  options.solve.relative_tolerance = -1;
  EXPECT_THROW(MultiBodySolver("psor", options), std::invalid_argument);
  EXPECT_NO_THROW(MultiBodySolver("psor"));
}

// Nothing to solve: a tree in free fall moves as Bullet moves it, v = −g t.
TEST(MultiBodySolver, FreeFallIsBullets) {
  MultiBodySolver solver;
  RobotWorld world(&solver);
  TreeSpec spec = Pendulum(3, btScalar(0.3));
  spec.fixed_base = false;
  btMultiBody& tree = world.AddTree(spec);
  for (int i = 0; i < 30; ++i) world.Step(btScalar(0.01));
  EXPECT_NEAR(tree.getBaseVel().z(), -kGravity * 0.3, 10 * kRounding);
  EXPECT_EQ(solver.fallbacks(), 0);
}

// A foot of 1 kg under a body of 3 kg on the ground: contact impulses sum to the weight, 4 g h.
TEST(MultiBodySolver, ContactImpulsesCarryTheWeight) {
  for (const char* name : {"psor", "exact", "ip", "auto"}) {
    MultiBodySolver solver(name, Exactly());
    RobotWorld world(&solver);
    world.AddGround();
    TreeSpec spec;
    spec.centre = btVector3(0, 0, btScalar(0.5));
    spec.mass = 3;
    LinkSpec foot;
    foot.joint = TreeJoint::kPrismatic;
    foot.axis = btVector3(0, 0, 1);
    foot.pivot = foot.centre = btVector3(0, 0, btScalar(0.0995));
    foot.shape = world.Make<btBoxShape>(btVector3(btScalar(0.2), btScalar(0.2), btScalar(0.1)));
    spec.links = {foot};
    btMultiBody& tree = world.AddTree(spec);
    world.AddServo(tree, 0, 0, 1000, btScalar(0.01));
    for (int i = 0; i < 200; ++i) world.Step(btScalar(0.01));
    double sum = 0;
    btDispatcher* dispatcher = world.world().getDispatcher();
    for (int m = 0; m < dispatcher->getNumManifolds(); ++m) {
      const btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(m);
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        sum += manifold->getContactPoint(k).m_appliedImpulse;
      }
    }
    EXPECT_NEAR(sum, 4 * kGravity * 0.01, 4 * kGravity * 0.01 * (kFloat ? 1e-3 : 1e-6)) << name;
    EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
  }
}

// A motor gives what it may and no more: held against gravity's m g l = 4.905 N m by 2 N m it
// falls, by 8 N m it stays, and the impulse that is written back is 4.905 N m h.
TEST(MultiBodySolver, MotorsStayWithinTheirTorque) {
  for (const double most : {2.0, 8.0}) {
    MultiBodySolver solver("auto", Exactly());
    RobotWorld world(&solver);
    TreeSpec spec = Pendulum(1, btScalar(0.5));
    btMultiBody& tree = world.AddTree(spec);
    tree.setJointPos(0, btScalar(SIMD_HALF_PI));
    auto& motor = world.Add(new btMultiBodyJointMotor(&tree, 0, 0, btScalar(most * 0.01)));
    world.Step(btScalar(0.01));
    const double impulse = std::abs(motor.getAppliedImpulse(0));
    EXPECT_NEAR(impulse, std::min(most, 0.5 * kGravity) * 0.01, 1e-2 * kRounding + 1e-8);
    EXPECT_EQ(std::abs(tree.getJointVel(0)) > 1e-3, most < 4);
  }
}

// A swing without friction keeps its energy but for what explicit Euler adds: Bullet's own solver
// and ours, which have nothing to do, to the bit the same.
TEST(MultiBodySolver, PendulumIsBullets) {
  btMultiBodyConstraintSolver bullets;
  MultiBodySolver ours;
  std::vector<double> height;
  for (btMultiBodyConstraintSolver* solver :
       {&bullets, static_cast<btMultiBodyConstraintSolver*>(&ours)}) {
    RobotWorld world(solver);
    btMultiBody& tree = world.AddTree(Pendulum(2, btScalar(0.5)));
    tree.setJointPos(0, 1);
    const double before = 2 - 0.5 * std::cos(1.0) + (2 - std::cos(1.0));  // of both balls, rigid
    for (int i = 0; i < 200; ++i) world.Step(btScalar(0.001));
    double energy = world.KineticEnergy();
    for (int i = 0; i < 2; ++i) {
      energy += kGravity * tree.getLink(i).m_cachedWorldTransform.getOrigin().z();
    }
    EXPECT_NEAR(energy, kGravity * before, 0.02);
    height.push_back(tree.getJointPos(1));
  }
  EXPECT_EQ(height[0], height[1]);
}

// Momentum: a tree and a box that meet in empty space go on with what they had together.
TEST(MultiBodySolver, ImpactKeepsMomentum) {
  MultiBodySolver solver("exact", Exactly());
  RobotWorld world(&solver);
  world.world().setGravity(btVector3(0, 0, 0));
  TreeSpec spec = Pendulum(2, btScalar(0.4), &world);
  spec.fixed_base = false;
  spec.mass = 2;
  btMultiBody& tree = world.AddTree(spec);
  auto& box = world.AddBody(world.Make<btBoxShape>(btVector3(btScalar(0.1), 1, btScalar(0.1))), 3,
                            btVector3(btScalar(0.21), 0, btScalar(1.2)));
  box.setLinearVelocity(btVector3(-2, 0, 0));
  for (int i = 0; i < 20; ++i) world.Step(btScalar(0.01));
  EXPECT_GT(box.getLinearVelocity().x(), -1.9) << "they have not met";
  std::vector<btVector3> omega(3), velocity(3);
  tree.compTreeLinkVelocities(omega.data(), velocity.data());
  btVector3 momentum = tree.getBaseVel() * 2;
  for (int i = 0; i < 2; ++i) {
    momentum += tree.getLink(i).m_cachedWorldTransform.getBasis() * velocity[i + 1];
  }
  momentum += box.getLinearVelocity() * 3;
  // Positions have moved on after the velocities: links' axes are a step old.
  EXPECT_NEAR(momentum.x(), -6, 0.05);
  EXPECT_NEAR(momentum.y(), 0, 1e-3);
}

// The constraints that Bullet has for trees hold what they are to hold.
TEST(MultiBodySolver, ConstraintsOnTreesHold) {
  MultiBodySolver solver("auto", Exactly());
  RobotWorld world(&solver);
  // Two pendulums of two links, tied at their ends; a ball on a ball joint of its own.
  btMultiBody& left = world.AddTree(Pendulum(2, btScalar(0.4)));
  TreeSpec other = Pendulum(2, btScalar(0.4));
  other.centre += btVector3(btScalar(0.3), 0, 0);
  for (LinkSpec& link : other.links) {
    link.pivot += btVector3(btScalar(0.3), 0, 0);
    link.centre += btVector3(btScalar(0.3), 0, 0);
  }
  btMultiBody& right = world.AddTree(other);
  world.Add(new btMultiBodyPoint2Point(&left, 1, &right, 1, btVector3(btScalar(0.15), 0, 0),
                                       btVector3(btScalar(-0.15), 0, 0)));
  auto& ball =
      world.AddBody(world.Make<btSphereShape>(btScalar(0.05)), 1, btVector3(0, 0, btScalar(1)));
  world.Add(new btMultiBodyPoint2Point(&left, 1, &ball, btVector3(0, 0, btScalar(-0.1)),
                                       btVector3(0, 0, btScalar(0.1))));
  left.setJointVel(0, 1);
  for (int i = 0; i < 100; ++i) world.Step(btScalar(0.005));
  world.world().forwardKinematics();
  const btTransform& a = left.getLink(1).m_cachedWorldTransform;
  const btTransform& b = right.getLink(1).m_cachedWorldTransform;
  const btVector3 gap = a * btVector3(btScalar(0.15), 0, 0) - b * btVector3(btScalar(-0.15), 0, 0);
  EXPECT_LT(gap.length(), 2e-3);
  const btVector3 hang = a * btVector3(0, 0, btScalar(-0.1)) -
                         ball.getWorldTransform() * btVector3(0, 0, btScalar(0.1));
  EXPECT_LT(hang.length(), 2e-3);
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
}

// A gear of ratio −2: the second hinge turns as the constraint says, whatever pulls.
TEST(MultiBodySolver, GearsKeepTheirRatio) {
  MultiBodySolver solver("auto", Exactly());
  RobotWorld world(&solver);
  btMultiBody& left = world.AddTree(Pendulum(1, btScalar(0.4)));
  TreeSpec other = Pendulum(1, btScalar(0.4));
  other.links[0].mass = 2;
  btMultiBody& right = world.AddTree(other);
  auto& gear = world.Add(
      new btMultiBodyGearConstraint(&left, 0, &right, 0, btVector3(0, 0, 0), btVector3(0, 0, 0),
                                    btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity()));
  gear.setGearRatio(-2);
  gear.setMaxAppliedImpulse(1000);
  left.setJointVel(0, 1);
  for (int i = 0; i < 20; ++i) world.Step(btScalar(0.005));
  // Bullet's row: v_left + ratio · v_right = 0.
  EXPECT_NEAR(left.getJointVel(0) - 2 * right.getJointVel(0), 0, 1e2 * kRounding);
  EXPECT_GT(std::abs(left.getJointVel(0)), 0.01);
}

// A limit at 0.3 rad stops a swing there, to what ERP leaves.
TEST(MultiBodySolver, LimitsStop) {
  MultiBodySolver solver("auto", Exactly());
  RobotWorld world(&solver);
  btMultiBody& tree = world.AddTree(Pendulum(1, btScalar(0.5)));
  world.Add(new btMultiBodyJointLimitConstraint(&tree, 0, btScalar(-0.3), btScalar(0.3)));
  tree.setJointVel(0, 3);
  double most = 0;
  for (int i = 0; i < 100; ++i) {
    world.Step(btScalar(0.005));
    most = std::max(most, static_cast<double>(std::abs(tree.getJointPos(0))));
  }
  EXPECT_GT(most, 0.3);
  EXPECT_LT(most, 0.3 + 3 * 0.005 + 1e-3);
}

// The same mechanism twice: a tree of hinges on a fixed base, and rigid bodies with hinges that a
// solver holds together. Their velocities after one step from rest agree, in double to 1e-9.
TEST(MultiBodySolver, TreeAgreesWithRigidBodiesOnHinges) {
  constexpr int kLinks = 3;
  const auto length = static_cast<btScalar>(0.4), dt = static_cast<btScalar>(0.001);
  MultiBodySolver solver("exact", Exactly());
  RobotWorld world(&solver);
  world.info().m_erp = 0;
  TreeSpec spec = Pendulum(kLinks, length);
  // Bent, so that gravity turns all of them.
  const btVector3 direction[kLinks] = {btVector3(1, 0, 0),
                                       btVector3(btScalar(0.6), 0, btScalar(-0.8)),
                                       btVector3(btScalar(-0.8), 0, btScalar(-0.6))};
  btVector3 at(0, 0, 2);
  for (int i = 0; i < kLinks; ++i) {
    spec.links[i].pivot = at;
    spec.links[i].centre = at += direction[i] * length;
    spec.links[i].mass = btScalar(1 + i);
  }
  btMultiBody& tree = world.AddTree(spec);
  std::vector<btRigidBody*> bodies;
  btRigidBody* above = nullptr;
  for (int i = 0; i < kLinks; ++i) {
    // The inertia of the tree's links, out of their way.
    auto& body = world.AddBody(world.Make<btSphereShape>(btScalar(0.05)), spec.links[i].mass,
                               spec.links[i].centre + btVector3(0, 5, 0));
    const btVector3 pivot = spec.links[i].pivot + btVector3(0, 5, 0);
    const btVector3 axis(0, 1, 0);
    const btVector3 in_body = pivot - body.getWorldTransform().getOrigin();
    if (above == nullptr) {
      world.Add(new btHingeConstraint(body, in_body, axis));
    } else {
      world.Add(new btHingeConstraint(*above, body, pivot - above->getWorldTransform().getOrigin(),
                                      in_body, axis, axis));
    }
    above = &body;
    bodies.push_back(&body);
  }
  world.Step(dt);
  double omega = 0;
  for (int i = 0; i < kLinks; ++i) {
    omega += tree.getJointVel(i);
    EXPECT_GT(std::abs(omega), 1e-5) << i;
    EXPECT_NEAR(bodies[i]->getAngularVelocity().y(), omega, kFloat ? 2e-4 : 1e-9) << i;
  }
  EXPECT_EQ(solver.fallbacks(), 0) << solver.trouble();
}

/// Positions of everything after some steps of a robot's demo.
std::vector<demo::Pose> RunRobot(const char* name, btMultiBodyConstraintSolver* solver, int steps,
                                 int iterations = 30) {
  RobotWorld world(solver);
  world.info().m_numIterations = iterations;
  const auto robot = demo::MakeRobot(name);
  const double dt = 1.0 / 240;
  robot->Build(world, dt);
  for (int i = 0; i < steps; ++i) {
    robot->Drive(world, i * dt);
    world.Step(static_cast<btScalar>(dt));
  }
  return world.Poses();
}

// Box friction, one direction, one contact: psor in Bullet's order is Bullet's sweep up to
// rounding.
TEST(MultiBodySolver, PsorTracksBulletsSweep) {
  std::vector<double> ends;
  for (const bool ours : {false, true}) {
    Options options;
    options.warm_start_joints = false;
    options.solve.law = {LawKind::kNative, 0};
    options.solve.relative_tolerance = std::numeric_limits<double>::min();
    options.solve.measure_every = 1000000;
    MultiBodySolver mine("psor", options);
    Set("psor", mine.solver_options(), "momentum", "0");
    btMultiBodyConstraintSolver bullets;
    RobotWorld world(ours ? &mine : &bullets);
    world.info().m_numIterations = 7;
    world.info().m_solverMode &= ~(SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_USE_WARMSTARTING);
    world.AddGround();
    TreeSpec spec = Pendulum(2, btScalar(0.5));
    for (LinkSpec& link : spec.links) {
      link.pivot += btVector3(0, 0, btScalar(-0.95));
      link.centre += btVector3(0, 0, btScalar(-0.95));
    }
    spec.centre += btVector3(0, 0, btScalar(-0.95));
    spec.links[1].shape = world.Make<btSphereShape>(btScalar(0.1));
    btMultiBody& tree = world.AddTree(spec);
    tree.setJointPos(0, btScalar(0.4));
    tree.setJointVel(0, 1);
    world.Add(new btMultiBodyJointMotor(&tree, 1, btScalar(0.5), btScalar(0.05)));
    for (int i = 0; i < 60; ++i) world.Step(btScalar(0.005));
    ends.push_back(tree.getJointPos(0));
    ends.push_back(tree.getJointPos(1));
    EXPECT_EQ(mine.fallbacks(), 0) << mine.trouble();
  }
  EXPECT_NEAR(ends[0], ends[2], 100 * kRounding);
  EXPECT_NEAR(ends[1], ends[3], 100 * kRounding);
}

/// True where two runs are the same to the bit.
bool Same(const std::vector<demo::Pose>& a, const std::vector<demo::Pose>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].position != b[i].position || a[i].rotation != b[i].rotation) return false;
  }
  return a.size() == b.size();
}

// Recorded or not, Bullet's solver and ours do the same to the last bit; what is recorded is valid,
// articulated, and holds a solution that was made of it.
TEST(RecordingMultiBodySolver, OnlyLooksOn) {
  const std::string path = (std::filesystem::path(testing::TempDir()) /
                            ("nonsmooth_robot" + std::to_string(sizeof(btScalar)) + ".h5"))
                               .string();
  for (const char* name : {"quadruped", "ragdolls"}) {
    btMultiBodyConstraintSolver plain;
    RecordingMultiBodySolver<btMultiBodyConstraintSolver> recorded(path);
    EXPECT_TRUE(Same(RunRobot(name, &plain, 200), RunRobot(name, &recorded, 200))) << name;
    recorded.Close();
    EXPECT_EQ(recorded.skipped(), 0);
    MultiBodySolver ours("psor");
    RecordingMultiBodySolver<MultiBodySolver> ours_recorded(path, "psor");
    EXPECT_TRUE(Same(RunRobot(name, &ours, 200), RunRobot(name, &ours_recorded, 200))) << name;
    ours_recorded.Close();
    EXPECT_EQ(ours_recorded.fallbacks(), 0) << ours_recorded.trouble();
    CaptureReader reader(path);
    ASSERT_GE(reader.steps(), 150);
    CapturedStep step;
    reader.Read(reader.steps() - 1, step);
    EXPECT_EQ(reader.Summary(reader.steps() - 1).form, DynamicsForm::kArticulated);
    std::vector<double> w(step.x.size()), v(step.v.size());
    OperatorWorkspace workspace;
    step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
    for (std::size_t i = 0; i < v.size(); ++i) {
      EXPECT_NEAR(v[i], step.v[i], (kFloat ? 1e-3 : 1e-10) * (1 + std::abs(v[i]))) << i;
    }
    Driver driver("auto");
    SolveOptions options;
    Solution solution;
    options.max_iterations = 2000;
    EXPECT_EQ(driver.Solve(step.problem, options, solution).status, Status::kConverged);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace nonsmooth::bullet
