// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <utility>
#include <vector>

#include "demos/harness/world.h"

namespace nonsmooth::demo {

/// A World in Bullet: nothing sleeps, nothing is damped, steps are as long as asked for.
class BulletWorld {
 public:
  BulletWorld(const World& world, btConstraintSolver* solver);
  ~BulletWorld();
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  btDiscreteDynamicsWorld& world() { return *world_; }
  void Step(double dt);
  std::vector<Pose> Poses() const;
  double KineticEnergy() const;       ///< [J]
  double DeepestPenetration() const;  ///< [m] ≥ 0, over all contacts of the last step

 private:
  void Add(const BodySpec& spec);
  void Add(const JointSpec& spec);

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<std::pair<btTypedConstraint*, JointSpec>> motors_;
  std::vector<std::pair<btRigidBody*, btVector3>> pushed_;  ///< with what force [N]
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  double time_ = 0;  ///< [s]
};

}  // namespace nonsmooth::demo
