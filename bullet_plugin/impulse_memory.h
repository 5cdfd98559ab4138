// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "solver_pools.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Carries to the next step what Bullet does not: friction impulses, which Bullet starts from zero,
/// and joint impulses, which it forgets. What is carried is put into the rows and the bodies' delta
/// velocities as Bullet puts its own warm start, scaled by the same factor, so that rows and bodies
/// agree whoever goes on with them.
///
/// Bullet keeps the impulses of a manifold point while the point persists, but not the directions
/// they had: those it replaces with the point's geometry. So the impulse is kept here as a vector,
/// and found again in the same manifold by the three numbers Bullet did keep.
class ImpulseMemory {
 public:
  /// After Bullet has converted the contacts of these manifolds.
  void ApplyFriction(const SolverPools& pools, const btContactSolverInfo& info,
                     btPersistentManifold* const* manifolds, int count);

  /// After the solve of the same.
  void StoreFriction(const SolverPools& pools);

  /// After Bullet has converted the joints.
  void ApplyJoints(const SolverPools& pools, const btContactSolverInfo& info);

  /// After the solve.
  void StoreJoints(const SolverPools& pools);

  /// Forgets what the step that ends here has not stored: joints and manifolds that are gone or
  /// asleep. Their addresses may come to belong to others.
  void EndStep();

  void Clear();

 private:
  static constexpr int kMostRows = 16;  ///< of a joint; no joint of Bullet's has more than 12

  struct Point {
    btScalar impulse[3] = {0, 0, 0};  ///< as Bullet keeps them: normal, friction, friction
    btVector3 friction{0, 0, 0};      ///< on Bullet's body A [N s]
  };
  struct Points {
    std::uint64_t step = 0;  ///< that stored it
    std::array<Point, MANIFOLD_CACHE_SIZE> point{};
  };
  struct Joint {
    std::uint64_t step = 0;
    int rows = 0;
    std::array<btScalar, kMostRows> impulse{};
  };

  std::uint64_t step_ = 1;
  std::vector<const btPersistentManifold*> manifold_;  ///< of every contact row of the group
  std::unordered_map<const btPersistentManifold*, Points> points_;
  std::unordered_map<const void*, Joint> joints_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
