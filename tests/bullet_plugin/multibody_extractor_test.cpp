// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What a btMultiBodyConstraintSolver has set up, against what is read from it.
#include "bullet_plugin/multibody_extractor.h"

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "demos/bullet/robots/robot_world.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

using demo::LinkSpec;
using demo::RobotWorld;
using demo::TreeJoint;
using demo::TreeSpec;

/// Bullet's solver, with a look at the rows between set-up and iterations, and after them.
class Watched : public btMultiBodyConstraintSolver {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();
  Watched() {
    m_tmpMultiBodyConstraints = nullptr;
    m_tmpNumMultiBodyConstraints = 0;
  }
  std::function<void(const MultiBodyPools&, const btContactSolverInfo&)> before, after;

  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    MultiBodyPools pools;
    pools.rigid = {&m_tmpSolverBodyPool, &m_tmpSolverNonContactConstraintPool,
                   &m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
                   &m_tmpSolverContactRollingFrictionConstraintPool};
    pools.joints = &m_multiBodyNonContactConstraints;
    pools.contacts = &m_multiBodyNormalContactConstraints;
    pools.friction = &m_multiBodyFrictionContactConstraints;
    pools.rolling = &m_multiBodyTorsionalFrictionContactConstraints;
    pools.spinning = &m_multiBodySpinningFrictionContactConstraints;
    pools.data = &m_data;
    if (before) before(pools, info);
    const btScalar value = btMultiBodyConstraintSolver::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
    if (after) after(pools, info);
    return value;
  }
};

/// A base that floats, a leg of hinge and ball joint, an arm of hinge and slide; a box on the
/// ground that the arm touches, the tree's feet on the ground, a motor, a limit that is met.
void BuildZoo(RobotWorld& world) {
  const auto half = static_cast<btScalar>(0.5), tenth = static_cast<btScalar>(0.1);
  world.AddGround();
  world.AddBody(world.Make<btBoxShape>(btVector3(tenth, tenth, tenth)), 2,
                btVector3(btScalar(0.45), 0, tenth), half);
  TreeSpec spec;
  spec.centre = btVector3(0, 0, btScalar(0.6));
  spec.mass = 3;
  spec.shape = world.Make<btBoxShape>(btVector3(tenth, btScalar(0.2), tenth));
  LinkSpec thigh;
  thigh.axis = btVector3(0, 1, 0);
  thigh.pivot = btVector3(0, 0, half);
  thigh.centre = btVector3(0, 0, btScalar(0.4));
  LinkSpec foot;
  foot.parent = 0;
  foot.joint = TreeJoint::kSpherical;
  foot.pivot = btVector3(0, 0, btScalar(0.3));
  foot.centre = btVector3(btScalar(0.02), 0, btScalar(0.1));
  foot.shape = world.Make<btBoxShape>(btVector3(btScalar(0.15), btScalar(0.05), tenth));
  LinkSpec arm;
  arm.axis = btVector3(0, btScalar(0.6), btScalar(0.8));
  arm.pivot = btVector3(tenth, 0, btScalar(0.6));
  arm.centre = btVector3(btScalar(0.2), 0, half);
  arm.mass = btScalar(0.7);
  LinkSpec hand = arm;
  hand.parent = 2;
  hand.joint = TreeJoint::kPrismatic;
  hand.axis = btVector3(btScalar(0.6), 0, btScalar(-0.8));
  hand.pivot = hand.centre = btVector3(btScalar(0.45), 0, btScalar(0.299));
  hand.shape = world.Make<btSphereShape>(tenth);
  spec.links = {thigh, foot, arm, hand};
  btMultiBody& tree = world.AddTree(spec);
  world.Add(new btMultiBodyJointMotor(&tree, 0, half, half));
  world.Add(new btMultiBodyJointLimitConstraint(&tree, 3, btScalar(0.01), 1));
  tree.setBaseVel(btVector3(btScalar(0.1), btScalar(-0.2), btScalar(-0.3)));
  tree.setBaseOmega(btVector3(btScalar(0.3), btScalar(0.1), btScalar(0.2)));
}

constexpr double kExact = sizeof(btScalar) == sizeof(float) ? 2e-5 : 1e-12;

/// J of one row times Bullet's own unit response of another, over the trees and bodies they share.
double BulletsCoupling(const MultiBodyPools& pools, const btMultiBodySolverConstraint& row,
                       const btMultiBodySolverConstraint& other) {
  struct Side {
    const btMultiBody* tree;
    int jacobian, body;
    const btVector3 &linear, &angular, &response;
  };
  const auto sides = [](const btMultiBodySolverConstraint& c) {
    return std::array<Side, 2>{
        Side{c.m_multiBodyA, c.m_jacAindex, c.m_solverBodyIdA, c.m_contactNormal1,
             c.m_relpos1CrossNormal, c.m_angularComponentA},
        Side{c.m_multiBodyB, c.m_jacBindex, c.m_solverBodyIdB, c.m_contactNormal2,
             c.m_relpos2CrossNormal, c.m_angularComponentB}};
  };
  double sum = 0;
  for (const Side& a : sides(row)) {
    for (const Side& b : sides(other)) {
      if (a.tree != b.tree) continue;
      if (a.tree != nullptr) {
        for (int k = 0; k < 6 + a.tree->getNumDofs(); ++k) {
          sum += static_cast<double>(pools.data->m_jacobians[a.jacobian + k]) *
                 pools.data->m_deltaVelocitiesUnitImpulse[b.jacobian + k];
        }
      } else if (a.body == b.body && a.body >= 0) {
        const btSolverBody& body = (*pools.rigid.bodies)[a.body];
        if (body.m_originalBody == nullptr) continue;
        sum += a.linear.dot(b.linear * body.internalGetInvMass()) + a.angular.dot(b.response);
      }
    }
  }
  return sum;
}

// A is J times Bullet's unit responses, entry by entry, and b Bullet's −m_rhs / m_jacDiagABInv.
TEST(MultiBodyExtractor, IsBulletsProblem) {
  Watched solver;
  RobotWorld world(&solver);
  BuildZoo(world);
  MultiBodyExtractor extractor;
  int steps = 0;
  int rows = 0;
  solver.before = [&](const MultiBodyPools& pools, const btContactSolverInfo& info) {
    extractor.Extract(pools, info, true);
    if (pools.contacts->size() == 0) return;
    ++steps;
    const Dynamics& dynamics = extractor.problem().dynamics();
    std::vector<const btMultiBodySolverConstraint*> bullets;
    for (int i = 0; i < pools.joints->size(); ++i) bullets.push_back(&(*pools.joints)[i]);
    int sliding = 0;
    for (int c = 0; c < pools.contacts->size(); ++c) {
      bullets.push_back(&(*pools.contacts)[c]);
      for (int k = 0; k < 2; ++k) bullets.push_back(&(*pools.friction)[sliding++]);
    }
    // Rows between rigid bodies come first.
    const int first = dynamics.rows() - static_cast<int>(bullets.size());
    rows = std::max(rows, static_cast<int>(bullets.size()));
    ASSERT_GE(first, 0);
    double scale = 0;
    for (const double a : dynamics.diagonal()) scale = std::max(scale, a);
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      double block[1];
      const int row = first + static_cast<int>(i);
      dynamics.DiagonalBlock(row, 1, block);
      EXPECT_NEAR(block[0] - dynamics.Compliance(row),
                  BulletsCoupling(pools, *bullets[i], *bullets[i]), kExact * scale);
      EXPECT_NEAR(dynamics.bias()[row], -bullets[i]->m_rhs / bullets[i]->m_jacDiagABInv,
                  kExact * 10);
    }
    const CsrMatrix& a = dynamics.Assembled();
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      std::vector<double> of_row(dynamics.rows(), 0.0);
      const int row = first + static_cast<int>(i);
      for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
        of_row[a.column[k]] = a.value[k];
      of_row[row] -= dynamics.Compliance(row);
      for (std::size_t j = 0; j < bullets.size(); ++j) {
        EXPECT_NEAR(of_row[first + j], BulletsCoupling(pools, *bullets[i], *bullets[j]),
                    kExact * scale)
            << i << " " << j;
      }
    }
  };
  for (int i = 0; i < 60; ++i) world.Step(btScalar(1) / 60);
  EXPECT_GT(steps, 10);
  EXPECT_GT(rows, 20);
}

// Bullet's velocities after its iterations are v_free + M⁻¹ Jᵀ x of its impulses, and are read as
// such.
TEST(MultiBodyExtractor, ReadsImpulsesAndVelocitiesThatAgree) {
  Watched solver;
  RobotWorld world(&solver);
  BuildZoo(world);
  MultiBodyExtractor extractor;
  solver.before = [&](const MultiBodyPools& pools, const btContactSolverInfo& info) {
    extractor.Extract(pools, info, false);
  };
  solver.after = [&](const MultiBodyPools&, const btContactSolverInfo&) {
    std::vector<double> x, v;
    extractor.ReadImpulses(x);
    extractor.ReadVelocities(v);
    const Dynamics& dynamics = extractor.problem().dynamics();
    std::vector<double> w(x.size()), expected(v.size());
    OperatorWorkspace workspace;
    if (x.empty()) return;
    dynamics.Evaluate(x.data(), w.data(), expected.data(), workspace);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], 100 * kExact);
  };
  for (int i = 0; i < 30; ++i) world.Step(btScalar(1) / 60);
}

// A tree on a fixed base has the variables of its joints alone, though Bullet fills base columns.
TEST(MultiBodyExtractor, FixedBaseHasNoVariables) {
  Watched solver;
  RobotWorld world(&solver);
  world.AddGround();
  TreeSpec spec;
  spec.fixed_base = true;
  spec.centre = btVector3(0, 0, 1);
  LinkSpec link;
  link.axis = btVector3(0, 1, 0);
  link.pivot = btVector3(0, 0, 1);
  link.centre = btVector3(btScalar(0.3), 0, btScalar(0.09));
  link.shape = world.Make<btSphereShape>(btScalar(0.1));
  spec.links = {link};
  world.AddTree(spec);
  MultiBodyExtractor extractor;
  int contacts = 0;
  solver.before = [&](const MultiBodyPools& pools, const btContactSolverInfo& info) {
    extractor.Extract(pools, info, false);
    if (pools.contacts->size() == 0) return;
    ++contacts;
    EXPECT_EQ(extractor.problem().dynamics().velocity_size(), 1);
    const btScalar* jacobian = &pools.data->m_jacobians[(*pools.contacts)[0].m_jacAindex];
    EXPECT_NE(jacobian[5], 0) << "Bullet has mended it";
  };
  world.Step(btScalar(1) / 60);
  EXPECT_EQ(contacts, 1);
}

// A row that Bullet has switched off by m_jacDiagABInv = 0 moves nothing and asks for nothing.
TEST(MultiBodyExtractor, RowsThatAreOffAreInert) {
  Watched solver;
  RobotWorld world(&solver);
  BuildZoo(world);
  MultiBodyExtractor extractor;
  solver.before = [&](const MultiBodyPools& pools, const btContactSolverInfo& info) {
    btMultiBodySolverConstraint& motor = (*pools.joints)[0];
    const btScalar on = motor.m_jacDiagABInv;
    motor.m_jacDiagABInv = 0;
    extractor.Extract(pools, info, false);
    const int rigid = pools.rigid.contacts->size() + pools.rigid.friction->size();
    EXPECT_EQ(extractor.problem().dynamics().diagonal()[rigid], 0);
    EXPECT_EQ(extractor.problem().dynamics().bias()[rigid], 0);
    motor.m_jacDiagABInv = on;
  };
  world.Step(btScalar(1) / 60);
}

// sor is in m_jacDiagABInv and in m_rhs: the problem does not know of it.
TEST(MultiBodyExtractor, OverRelaxationIsNoPartOfTheProblem) {
  std::vector<double> diagonal, bias;
  for (const btScalar sor : {btScalar(1), btScalar(1.3)}) {
    Watched solver;
    RobotWorld world(&solver);
    world.info().m_sor = sor;
    BuildZoo(world);
    MultiBodyExtractor extractor;
    solver.before = [&](const MultiBodyPools& pools, const btContactSolverInfo& info) {
      if (pools.contacts->size() == 0) return;
      extractor.Extract(pools, info, false);
      const Dynamics& dynamics = extractor.problem().dynamics();
      if (diagonal.empty()) {
        diagonal = dynamics.diagonal();
        bias = dynamics.bias();
      }
      ASSERT_EQ(dynamics.rows(), static_cast<int>(bias.size()));
      for (std::size_t i = 0; i < bias.size(); ++i) {
        EXPECT_EQ(dynamics.diagonal()[i], diagonal[i]);
        EXPECT_NEAR(dynamics.bias()[i], bias[i], 10 * kExact);
      }
    };
    world.Step(btScalar(1) / 60);
  }
  EXPECT_FALSE(bias.empty());
}

}  // namespace
}  // namespace nonsmooth::bullet
