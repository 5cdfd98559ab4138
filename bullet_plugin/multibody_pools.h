// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodySolverConstraint.h>

#include "solver_pools.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Where a btMultiBodyConstraintSolver keeps a group of islands: the rows between rigid bodies, and
/// those of which at least one side is a link.
struct MultiBodyPools {
  SolverPools rigid;
  btMultiBodyConstraintArray* joints = nullptr;
  btMultiBodyConstraintArray* contacts = nullptr;
  btMultiBodyConstraintArray* friction = nullptr;
  btMultiBodyConstraintArray* rolling = nullptr;   ///< m_multiBodyTorsionalFriction…
  btMultiBodyConstraintArray* spinning = nullptr;  ///< m_multiBodySpinningFriction…
  btMultiBodyJacobianData* data = nullptr;
};

/// Bullet bounds friction by a cone, and looks at spinning rows, in this mode only.
inline bool ConeFriction(const btContactSolverInfo& info) {
  return (info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0 &&
         (info.m_solverMode & SOLVER_DISABLE_IMPLICIT_CONE_FRICTION) == 0;
}

/// Rolling friction stands among sliding friction in the other mode; it has no linear part.
inline bool IsTorsional(const btMultiBodySolverConstraint& row) {
  return row.m_contactNormal1.isZero() && row.m_contactNormal2.isZero();
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
