// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/multibody_memory.h"

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

void MultiBodyMemory::Apply(const MultiBodyPools& pools, const Share& share) const {
  for (int i = 0; i < pools.joints->size(); ++i) {
    const btMultiBodySolverConstraint& row = (*pools.joints)[i];
    const auto known = joints_.find(row.m_orgConstraint);
    if (known == joints_.end() || row.m_orgDofIndex < 0 || row.m_orgDofIndex >= kMostRows) continue;
    row.m_appliedImpulse =
        static_cast<btScalar>(share.joints * known->second.impulse[row.m_orgDofIndex]);
  }
  for (int i = 0; i < pools.contacts->size(); ++i) {
    const btMultiBodySolverConstraint& row = (*pools.contacts)[i];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    row.m_appliedImpulse = static_cast<btScalar>(share.contacts * point.m_appliedImpulse);
  }
  int tangent = 0;
  for (int i = 0; i < pools.friction->size(); ++i) {
    const btMultiBodySolverConstraint& row = (*pools.friction)[i];
    const bool same = i > 0 && (*pools.friction)[i - 1].m_frictionIndex == row.m_frictionIndex;
    tangent = same ? tangent : 0;
    if (IsTorsional(row)) continue;
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    const btScalar last =
        tangent++ == 0 ? point.m_appliedImpulseLateral1 : point.m_appliedImpulseLateral2;
    row.m_appliedImpulse = static_cast<btScalar>(share.friction * last);
  }
}

void MultiBodyMemory::Store(const MultiBodyPools& pools) {
  for (int i = 0; i < pools.joints->size(); ++i) {
    const btMultiBodySolverConstraint& row = (*pools.joints)[i];
    if (row.m_orgDofIndex < 0 || row.m_orgDofIndex >= kMostRows) continue;
    Joint& joint = joints_[row.m_orgConstraint];
    if (joint.step != step_) joint = {step_, {}};
    joint.impulse[row.m_orgDofIndex] = static_cast<btScalar>(row.m_appliedImpulse);
  }
}

void MultiBodyMemory::EndStep() {
  for (auto joint = joints_.begin(); joint != joints_.end();) {
    joint = joint->second.step == step_ ? std::next(joint) : joints_.erase(joint);
  }
  ++step_;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
