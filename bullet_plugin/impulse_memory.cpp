// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/impulse_memory.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <iterator>

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

/// Starts a row from `impulse`, as Bullet does with normals.
void Start(btAlignedObjectArray<btSolverBody>& bodies, btSolverConstraint& row, btScalar impulse) {
  if (impulse == 0) return;
  row.m_appliedImpulse = impulse;
  btSolverBody& a = bodies[row.m_solverBodyIdA];
  btSolverBody& b = bodies[row.m_solverBodyIdB];
  a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(), row.m_angularComponentA,
                         impulse);
  b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(), row.m_angularComponentB,
                         impulse);
}

/// The friction rows of contact `c` end before this one.
int FrictionEnd(const SolverPools& pools, int c) {
  const btConstraintArray& contacts = *pools.contacts;
  return c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : pools.friction->size();
}

/// Of the impulse of a friction row on body A; one of the two bodies may have no block.
btVector3 Direction(const btSolverConstraint& row) {
  return row.m_contactNormal1.isZero() ? -row.m_contactNormal2 : row.m_contactNormal1;
}

/// Starts the friction rows of contact `c` from a friction impulse on body A.
void StartFriction(const SolverPools& pools, int c, const btVector3& friction) {
  const btSolverConstraint& normal = (*pools.contacts)[c];
  const int end = FrictionEnd(pools, c);
  for (int i = normal.m_frictionIndex; i < end; ++i) {
    btSolverConstraint& row = (*pools.friction)[i];
    const btVector3 direction = Direction(row);
    const btScalar square = direction.length2();
    if (!(square > SIMD_EPSILON)) continue;
    const btScalar most = row.m_friction * static_cast<btScalar>(normal.m_appliedImpulse);
    const btScalar along = friction.dot(direction) / square;
    Start(*pools.bodies, row, btMax(-most, btMin(most, along)));
  }
}

/// Rows of the joint that starts at `first`.
int JointRows(const btConstraintArray& joints, int first) {
  int end = first + 1;
  while (end < joints.size() &&
         joints[end].m_originalContactPoint == joints[first].m_originalContactPoint) {
    ++end;
  }
  return end - first;
}

}  // namespace

void ImpulseMemory::EndStep() {
  const auto forget = [this](auto& kept) {
    for (auto at = kept.begin(); at != kept.end();) {
      at = at->second.step == step_ ? std::next(at) : kept.erase(at);
    }
  };
  forget(joints_);
  forget(points_);
  ++step_;
}

void ImpulseMemory::Clear() {
  manifold_.clear();
  joints_.clear();
  points_.clear();
}

void ImpulseMemory::ApplyFriction(const SolverPools& pools, const btContactSolverInfo& info,
                                  btPersistentManifold* const* manifolds, int count) {
  const btConstraintArray& contacts = *pools.contacts;
  manifold_.clear();
  // Rows are in the order of manifolds and points; some points may have none.
  for (int i = 0; i < count; ++i) {
    const btPersistentManifold& manifold = *manifolds[i];
    for (int j = 0; j < manifold.getNumContacts(); ++j) {
      const auto c = static_cast<int>(manifold_.size());
      if (c == contacts.size()) return;
      const btManifoldPoint& point = manifold.getContactPoint(j);
      if (contacts[c].m_originalContactPoint != &point) continue;
      manifold_.push_back(&manifold);
      const auto found = points_.find(&manifold);
      if (found == points_.end() || point.m_appliedImpulse <= 0) continue;
      for (const Point& kept : found->second.point) {
        if (kept.impulse[0] != point.m_appliedImpulse ||
            kept.impulse[1] != point.m_appliedImpulseLateral1 ||
            kept.impulse[2] != point.m_appliedImpulseLateral2) {
          continue;
        }
        StartFriction(pools, c, kept.friction * info.m_warmstartingFactor);
        break;
      }
    }
  }
}

void ImpulseMemory::StoreFriction(const SolverPools& pools) {
  const btConstraintArray& contacts = *pools.contacts;
  const btPersistentManifold* last = nullptr;
  Points* points = nullptr;
  int next = 0;
  for (int c = 0; c < static_cast<int>(manifold_.size()); ++c) {
    if (manifold_[c] != last) {
      last = manifold_[c];
      points = &points_[last];
      *points = Points();
      points->step = step_;
      next = 0;
    }
    Point& point = points->point[next++];
    point.impulse[0] = static_cast<btScalar>(contacts[c].m_appliedImpulse);
    const int end = FrictionEnd(pools, c);
    for (int i = contacts[c].m_frictionIndex, k = 1; i < end && k < 3; ++i, ++k) {
      const btSolverConstraint& row = (*pools.friction)[i];
      point.impulse[k] = static_cast<btScalar>(row.m_appliedImpulse);
      point.friction += Direction(row) * point.impulse[k];
    }
  }
}

void ImpulseMemory::ApplyJoints(const SolverPools& pools, const btContactSolverInfo& info) {
  btConstraintArray& rows = *pools.joints;
  for (int first = 0; first < rows.size();) {
    const int count = JointRows(rows, first);
    const auto found = joints_.find(rows[first].m_originalContactPoint);
    if (found != joints_.end() && found->second.rows == count) {
      for (int k = 0; k < count; ++k) {
        btSolverConstraint& row = rows[first + k];
        const btScalar impulse = found->second.impulse[k] * info.m_warmstartingFactor;
        Start(*pools.bodies, row, btMax(row.m_lowerLimit, btMin(row.m_upperLimit, impulse)));
      }
    }
    first += count;
  }
}

void ImpulseMemory::StoreJoints(const SolverPools& pools) {
  const btConstraintArray& rows = *pools.joints;
  for (int first = 0; first < rows.size();) {
    const int count = JointRows(rows, first);
    if (count <= kMostRows) {
      Joint& joint = joints_[rows[first].m_originalContactPoint];
      joint.step = step_;
      joint.rows = count;
      for (int k = 0; k < count; ++k) {
        joint.impulse[k] = static_cast<btScalar>(rows[first + k].m_appliedImpulse);
      }
    }
    first += count;
  }
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
