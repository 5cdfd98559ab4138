// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <array>
#include <unordered_map>
#include <vector>

#include "solver_pools.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Carries to the next step what Bullet does not: friction impulses, which Bullet keeps in the
/// manifolds but starts from zero, and joint impulses, which it forgets. What is carried is put
/// into the rows and the bodies' delta velocities as Bullet puts its own warm start, scaled by the
/// same factor, so that rows and bodies agree whoever goes on with them.
class ImpulseMemory {
 public:
  /// Before Bullet converts the contacts, which turns the friction directions: keeps the friction
  /// impulses of all manifold points as vectors.
  void ReadFriction(btPersistentManifold* const* manifolds, int count);

  /// After Bullet has converted them.
  void ApplyFriction(const SolverPools& pools, const btContactSolverInfo& info);

  /// After Bullet has converted the joints.
  void ApplyJoints(const SolverPools& pools, const btContactSolverInfo& info);

  /// After the solve.
  void StoreJoints(const SolverPools& pools);

  void Clear() { joints_.clear(); }

 private:
  static constexpr int kMostRows = 16;  ///< of a joint; no joint of Bullet's has more than 12

  struct Point {
    const btManifoldPoint* point = nullptr;
    btVector3 friction;
  };
  struct Joint {
    int rows = 0;
    std::array<btScalar, kMostRows> impulse{};
  };

  std::vector<Point> points_;
  std::unordered_map<const void*, Joint> joints_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
