// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

#include "bullet_plugin/precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// A Bullet world for tests: z up, 1/60 s steps without interpolation, no sleeping, no damping.
class BulletScene {
 public:
  explicit BulletScene(btConstraintSolver* solver) {
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broadphase_, solver,
                                                       &configuration_);
    world_->setGravity(btVector3(0, 0, btScalar(-9.81)));
  }
  ~BulletScene() {
    while (world_->getNumConstraints() > 0) world_->removeConstraint(world_->getConstraint(0));
    for (const auto& body : bodies_) world_->removeRigidBody(body.get());
  }

  btDiscreteDynamicsWorld& world() { return *world_; }
  btContactSolverInfo& info() { return world_->getSolverInfo(); }
  btRigidBody& body(int index) { return *bodies_[index]; }
  int bodies() const { return static_cast<int>(bodies_.size()); }

  btRigidBody& Add(btCollisionShape* shape, btScalar mass, const btVector3& position,
                   btScalar friction = btScalar(0.5)) {
    shapes_.emplace_back(shape);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo setup(mass, nullptr, shape, inertia);
    setup.m_startWorldTransform.setOrigin(position);
    setup.m_friction = friction;
    bodies_.push_back(std::make_unique<btRigidBody>(setup));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }
  btRigidBody& AddBox(const btVector3& edges, btScalar mass, const btVector3& position,
                      btScalar friction = btScalar(0.5)) {
    return Add(new btBoxShape(edges / 2), mass, position, friction);
  }
  btRigidBody& AddSphere(btScalar radius, btScalar mass, const btVector3& position,
                         btScalar friction = btScalar(0.5)) {
    return Add(new btSphereShape(radius), mass, position, friction);
  }
  /// A fixed slab with its upper face at z = 0.
  btRigidBody& AddGround(btScalar friction = btScalar(0.5)) {
    return AddBox(btVector3(200, 200, 2), 0, btVector3(0, 0, -1), friction);
  }

  void Step(int count = 1, btScalar dt = btScalar(1) / 60) {
    for (int i = 0; i < count; ++i) world_->stepSimulation(dt, 0);
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
};

/// Relative error that rounding alone may leave after many operations.
inline constexpr double kRounding = sizeof(btScalar) == sizeof(float) ? 1e-4 : 1e-10;

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
