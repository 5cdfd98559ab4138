// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/identity.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

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

std::uint64_t ContactKey(const btSolverBody& a, const btSolverBody& b,
                         const btManifoldPoint& point) {
  std::uint64_t key = Mix(1, Pair(a.m_originalBody, b.m_originalBody));
  const auto feature = [](int part, int index) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(part)) << 32 |
           static_cast<std::uint32_t>(index);
  };
  key = Mix(key, feature(point.m_partId0, point.m_index0));
  key = Mix(key, feature(point.m_partId1, point.m_index1));
  return NotZero(key);
}

std::uint64_t JointKey(const btTypedConstraint& joint) {
  return NotZero(Mix(2 + static_cast<std::uint64_t>(joint.getConstraintType()),
                     Pair(&joint.getRigidBodyA(), &joint.getRigidBodyB())));
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
