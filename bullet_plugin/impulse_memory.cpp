// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/impulse_memory.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

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

void ImpulseMemory::ReadFriction(btPersistentManifold* const* manifolds, int count) {
  points_.clear();
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < manifolds[i]->getNumContacts(); ++j) {
      const btManifoldPoint& point = manifolds[i]->getContactPoint(j);
      Point& kept = points_.emplace_back();
      kept.point = &point;
      kept.friction.setZero();
      // Bullet leaves directions unset that it has not solved along; their impulses are 0.
      if (point.m_appliedImpulseLateral1 != 0) {
        kept.friction += point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1;
      }
      if (point.m_appliedImpulseLateral2 != 0) {
        kept.friction += point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
      }
    }
  }
}

void ImpulseMemory::ApplyFriction(const SolverPools& pools, const btContactSolverInfo& info) {
  const btConstraintArray& contacts = *pools.contacts;
  std::size_t at = 0;  // both lists are in the order of the manifolds; contacts may leave some out
  for (int c = 0; c < contacts.size(); ++c) {
    while (at < points_.size() && points_[at].point != contacts[c].m_originalContactPoint) ++at;
    if (at == points_.size()) return;
    const int end =
        c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : pools.friction->size();
    for (int i = contacts[c].m_frictionIndex; i < end; ++i) {
      btSolverConstraint& row = (*pools.friction)[i];
      const bool moved = !row.m_contactNormal1.isZero();
      const btVector3 direction = moved ? row.m_contactNormal1 : -row.m_contactNormal2;
      const btScalar square = direction.length2();
      if (!(square > SIMD_EPSILON)) continue;
      const btScalar along = points_[at].friction.dot(direction) / square;
      const btScalar most = row.m_friction * static_cast<btScalar>(contacts[c].m_appliedImpulse);
      const btScalar impulse = along * info.m_warmstartingFactor;
      Start(*pools.bodies, row, btMax(-most, btMin(most, impulse)));
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
