// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>
#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodySolverConstraint.h>

#include <cstdint>

#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Identities that are the same in every run: from the numbers the broadphase gives to objects when
/// they enter the world, never from addresses.

/// 0 for an object outside the world, such as the fixed body of a joint.
std::uint32_t ObjectId(const btCollisionObject* object);

/// Not 0. Two contacts of one pair share a key where Bullet does not tell their features apart;
/// they are then told apart by their order.
std::uint64_t ContactKey(const btSolverBody& a, const btSolverBody& b,
                         const btManifoldPoint& point);

/// The same for a row of which at least one side is a link.
std::uint64_t ContactKey(const btMultiBodySolverConstraint& row,
                         const btAlignedObjectArray<btSolverBody>& bodies);

/// Not 0. Joints of one type between the same two bodies are told apart by their order.
std::uint64_t JointKey(const btTypedConstraint& joint);

/// The same for the constraint that has made a row on links.
std::uint64_t JointKey(const btMultiBodySolverConstraint& row);

/// The collision object of a link, or of the base if that is −1; null: it has none.
const btCollisionObject* ColliderOf(const btMultiBody& body, int link);

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
