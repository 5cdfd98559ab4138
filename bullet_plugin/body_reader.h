// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/ConstraintSolver/btSolverBody.h>

#include "../common/problem/two_body_dynamics.h"
#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Mass, velocity and impulses of a solver body that stands for a rigid body of the world.
Body ReadBody(const btSolverBody& from, const btContactSolverInfo& info);

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
