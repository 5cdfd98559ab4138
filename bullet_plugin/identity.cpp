// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/identity.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <string>

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

/// Mixes a value into a key (the finaliser of SplitMix64, Steele et al., 2014).
std::uint64_t Mix(std::uint64_t key, std::uint64_t value) {
  std::uint64_t z = key + 0x9e3779b97f4a7c15u + value;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t Pair(const btCollisionObject* a, const btCollisionObject* b) {
  return static_cast<std::uint64_t>(ObjectId(a)) << 32 | ObjectId(b);
}

std::uint64_t NotZero(std::uint64_t key) { return key == 0 ? 1 : key; }

}  // namespace

std::string_view EngineVersion() {
  static const std::string version =
      std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
  return version;
}

std::uint32_t ObjectId(const btCollisionObject* object) {
  if (object == nullptr || object->getBroadphaseHandle() == nullptr) return 0;
  return static_cast<std::uint32_t>(object->getBroadphaseHandle()->getUid());
}

namespace {

std::uint64_t ContactKey(const btCollisionObject* a, const btCollisionObject* b,
                         const btManifoldPoint& point) {
  std::uint64_t key = Mix(1, Pair(a, b));
  const auto feature = [](int part, int index) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(part)) << 32 |
           static_cast<std::uint32_t>(index);
  };
  key = Mix(key, feature(point.m_partId0, point.m_index0));
  key = Mix(key, feature(point.m_partId1, point.m_index1));
  return NotZero(key);
}

}  // namespace

std::uint64_t ContactKey(const btSolverBody& a, const btSolverBody& b,
                         const btManifoldPoint& point) {
  return ContactKey(a.m_originalBody, b.m_originalBody, point);
}

const btCollisionObject* ColliderOf(const btMultiBody& body, int link) {
  return link < 0 ? body.getBaseCollider() : body.getLink(link).m_collider;
}

std::uint64_t ContactKey(const btMultiBodySolverConstraint& row,
                         const btAlignedObjectArray<btSolverBody>& bodies) {
  const auto side = [&](const btMultiBody* body, int link, int id) -> const btCollisionObject* {
    return body != nullptr ? ColliderOf(*body, link) : bodies[id].m_originalBody;
  };
  return ContactKey(side(row.m_multiBodyA, row.m_linkA, row.m_solverBodyIdA),
                    side(row.m_multiBodyB, row.m_linkB, row.m_solverBodyIdB),
                    *static_cast<const btManifoldPoint*>(row.m_originalContactPoint));
}

std::uint64_t JointKey(const btMultiBodySolverConstraint& row) {
  std::uint64_t key = 1000;
  if (row.m_orgConstraint != nullptr) {
    key += static_cast<std::uint64_t>(row.m_orgConstraint->getConstraintType());
  }
  for (const bool first : {true, false}) {
    const btMultiBody* body = first ? row.m_multiBodyA : row.m_multiBodyB;
    const int link = first ? row.m_linkA : row.m_linkB;
    // A fixed base may have no collider: some link of its tree has.
    std::uint32_t id = 0;
    for (int k = link; body != nullptr && id == 0 && k < body->getNumLinks(); ++k) {
      id = ObjectId(ColliderOf(*body, k));
    }
    key = Mix(key, static_cast<std::uint64_t>(id) << 32 | static_cast<std::uint32_t>(link));
  }
  return NotZero(key);
}

std::uint64_t JointKey(const btTypedConstraint& joint) {
  return NotZero(Mix(2 + static_cast<std::uint64_t>(joint.getConstraintType()),
                     Pair(&joint.getRigidBodyA(), &joint.getRigidBodyB())));
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
