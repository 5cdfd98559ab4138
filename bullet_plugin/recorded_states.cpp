// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <map>
#include <vector>

#include "bullet_plugin/identity.h"
#include "bullet_plugin/recording.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

void Copy(const btVector3& from, double* to) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

/// `inertia` in axes of the body.
BodyState StateOf(const btCollisionObject& object, double mass, const btVector3& inertia) {
  BodyState state;
  state.id = ObjectId(&object);
  state.mass = mass;
  const btTransform& pose = object.getWorldTransform();
  Copy(pose.getOrigin(), state.position.data());
  const btQuaternion turn = pose.getRotation();
  state.quaternion = {turn.w(), turn.x(), turn.y(), turn.z()};
  const btMatrix3x3& basis = pose.getBasis();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        state.inertia[3 * i + j] += basis[i][k] * basis[j][k] * inertia[k];
      }
    }
  }
  return state;
}

BodyState StateOf(const btRigidBody& body) {
  btVector3 inertia = body.getInvInertiaDiagLocal();
  for (int k = 0; k < 3; ++k) inertia[k] = inertia[k] > 0 ? 1 / inertia[k] : btScalar(0);
  return StateOf(body, body.getInvMass() > 0 ? 1.0 / body.getInvMass() : 0.0, inertia);
}

/// The direction of a friction row; one of its bodies may be the fixed one, without a block.
template <class Row>
btVector3 DirectionOf(const Row& row) {
  return row.m_contactNormal1.isZero() ? -row.m_contactNormal2 : row.m_contactNormal1;
}

ContactGeometry GeometryOf(const btManifoldPoint& point) {
  ContactGeometry contact;
  Copy(point.getPositionWorldOnB(), contact.point.data());
  Copy(point.m_normalWorldOnB, contact.normal.data());
  contact.gap = point.getDistance();
  contact.restitution = point.m_combinedRestitution;
  return contact;
}

}  // namespace

void FillStates(const Extractor& rows, const SolverPools& pools, CapturedStep& step) {
  step.bodies.clear();
  for (int i = 0; i < pools.bodies->size(); ++i) {
    if (rows.body(i) >= 0) step.bodies.push_back(StateOf(*(*pools.bodies)[i].m_originalBody));
  }
  step.contacts.clear();
  const btConstraintArray& contacts = *pools.contacts;
  for (int c = 0; c < contacts.size(); ++c) {
    const btSolverConstraint& row = contacts[c];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    ContactGeometry& contact = step.contacts.emplace_back(GeometryOf(point));
    contact.pair = {rows.body(row.m_solverBodyIdB), rows.body(row.m_solverBodyIdA)};
    const int end =
        c + 1 < contacts.size() ? contacts[c + 1].m_frictionIndex : pools.friction->size();
    for (int i = row.m_frictionIndex, k = 0; i < end && k < 2; ++i, ++k) {
      Copy(DirectionOf((*pools.friction)[i]), contact.tangents.data() + 3 * k);
    }
  }
}

/// Rigid bodies first, those that cannot move among them, then base and links of every tree that
/// have a collision object.
void FillStates(const MultiBodyExtractor& rows, const MultiBodyPools& pools, CapturedStep& step) {
  const auto& bodies = *pools.rigid.bodies;
  std::vector<int> index_of_body(static_cast<std::size_t>(bodies.size()), -1);
  step.bodies.clear();
  for (int i = 0; i < bodies.size(); ++i) {
    if (bodies[i].m_originalBody == nullptr) continue;
    index_of_body[i] = static_cast<int>(step.bodies.size());
    step.bodies.push_back(StateOf(*bodies[i].m_originalBody));
  }
  std::map<const btCollisionObject*, int> index_of_link;
  for (const MultiBodyExtractor::Tree& tree : rows.trees()) {
    for (int link = -1; link < tree.body->getNumLinks(); ++link) {
      const btCollisionObject* collider = ColliderOf(*tree.body, link);
      if (collider == nullptr) continue;
      index_of_link[collider] = static_cast<int>(step.bodies.size());
      const bool base = link < 0;
      step.bodies.push_back(
          StateOf(*collider, base ? tree.body->getBaseMass() : tree.body->getLinkMass(link),
                  base ? tree.body->getBaseInertia() : tree.body->getLinkInertia(link)));
    }
  }
  step.contacts.clear();
  const btConstraintArray& rigid = *pools.rigid.contacts;
  for (int c = 0; c < rigid.size(); ++c) {
    ContactGeometry& contact = step.contacts.emplace_back(
        GeometryOf(*static_cast<const btManifoldPoint*>(rigid[c].m_originalContactPoint)));
    contact.pair = {index_of_body[rigid[c].m_solverBodyIdB],
                    index_of_body[rigid[c].m_solverBodyIdA]};
    const int end =
        c + 1 < rigid.size() ? rigid[c + 1].m_frictionIndex : pools.rigid.friction->size();
    for (int i = rigid[c].m_frictionIndex, k = 0; i < end && k < 2; ++i, ++k) {
      Copy(DirectionOf((*pools.rigid.friction)[i]), contact.tangents.data() + 3 * k);
    }
  }
  int next = 0;
  for (int c = 0; c < pools.contacts->size(); ++c) {
    const btMultiBodySolverConstraint& row = (*pools.contacts)[c];
    const auto side = [&](const btMultiBody* body, int link, int solver_body) {
      if (body == nullptr) return index_of_body[solver_body];
      const auto known = index_of_link.find(ColliderOf(*body, link));
      return known != index_of_link.end() ? known->second : -1;
    };
    ContactGeometry& contact = step.contacts.emplace_back(
        GeometryOf(*static_cast<const btManifoldPoint*>(row.m_originalContactPoint)));
    contact.pair = {side(row.m_multiBodyB, row.m_linkB, row.m_solverBodyIdB),
                    side(row.m_multiBodyA, row.m_linkA, row.m_solverBodyIdA)};
    const btMultiBodyConstraintArray& friction = *pools.friction;
    for (int k = 0; next < friction.size() && friction[next].m_frictionIndex == c; ++next) {
      if (IsTorsional(friction[next]) || k == 2) continue;
      Copy(DirectionOf(friction[next]), contact.tangents.data() + 3 * k++);
    }
  }
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
