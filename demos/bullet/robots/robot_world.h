// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "demos/harness/world.h"

namespace nonsmooth::demo {

enum class TreeJoint { kFixed, kRevolute, kPrismatic, kSpherical };

/// A link of a tree, in world axes where all joints are at zero.
struct LinkSpec {
  int parent = -1;  ///< −1: the base
  TreeJoint joint = TreeJoint::kRevolute;
  btVector3 axis{0, 0, 1};
  btVector3 pivot{0, 0, 0};   ///< [m] the joint
  btVector3 centre{0, 0, 0};  ///< [m] the link's centre of mass
  btScalar mass = 1;          ///< [kg]
  btCollisionShape* shape =
      nullptr;  ///< owned by the world; null: a ball of 5 cm that touches nothing
  btScalar friction = btScalar(0.5);
};

struct TreeSpec {
  bool fixed_base = false;
  btVector3 centre{0, 0, 0};
  btScalar mass = 1;
  btCollisionShape* shape = nullptr;
  btScalar friction = btScalar(0.5);
  bool self_collision = false;  ///< links that are not neighbours may touch each other
  std::vector<LinkSpec> links;
};

/// A btMultiBodyDynamicsWorld that owns what is in it: z up, no damping, no sleeping.
class RobotWorld {
 public:
  explicit RobotWorld(btMultiBodyConstraintSolver* solver);
  ~RobotWorld();

  btMultiBodyDynamicsWorld& world() { return *world_; }
  btContactSolverInfo& info() { return world_->getSolverInfo(); }

  template <class Shape, class... Arguments>
  Shape* Make(Arguments... arguments) {
    auto* shape = new Shape(arguments...);
    shapes_.emplace_back(shape);
    return shape;
  }

  btRigidBody& AddBody(btCollisionShape* shape, btScalar mass, const btVector3& position,
                       btScalar friction = btScalar(0.5));
  /// A fixed slab with its upper face at z = 0.
  btRigidBody& AddGround(btScalar friction = btScalar(0.8));

  btMultiBody& AddTree(const TreeSpec& spec);

  /// Puts a tree's collision objects where its joints have been set to.
  static void Place(btMultiBody& tree);

  /// Takes a constraint over and adds it to the world.
  template <class Constraint>
  Constraint& Add(Constraint* constraint) {
    if constexpr (std::is_base_of_v<btMultiBodyConstraint, Constraint>) {
      constraints_.emplace_back(constraint);
      constraint->finalizeMultiDof();
      world_->addMultiBodyConstraint(constraint);
    } else {
      joints_.emplace_back(constraint);
      world_->addConstraint(constraint, /*disableCollisionsBetweenLinkedBodies=*/true);
    }
    return *constraint;
  }

  /// A servo that is asked for `position` and gets there as fast as `most` [N or N m] lets it.
  btMultiBodyJointMotor& AddServo(btMultiBody& tree, int link, btScalar position, btScalar most,
                                  btScalar dt);

  btMultiBody& tree(int i) { return *trees_[i]; }
  btRigidBody& body(int i) { return *bodies_[i]; }

  void Step(btScalar dt) { world_->stepSimulation(dt, 0); }

  /// Rigid bodies, then base and links of every tree.
  std::vector<Pose> Poses() const;
  double KineticEnergy() const;
  double DeepestPenetration();

 private:
  void AddCollider(btMultiBody& tree, int link, btCollisionShape* shape, btScalar friction);

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btMultiBodyDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btMultiBody>> trees_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<std::unique_ptr<btMultiBodyConstraint>> constraints_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace nonsmooth::demo
