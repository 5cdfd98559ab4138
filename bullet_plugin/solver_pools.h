// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>

#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// What a btSequentialImpulseConstraintSolver, or a class derived from it, has set up for one group
/// of bodies: every row as Bullet posed it. Points into that solver; valid from the end of its
/// set-up to the start of its write-back.
struct SolverPools {
  btAlignedObjectArray<btSolverBody>* bodies = nullptr;
  btConstraintArray* joints = nullptr;
  btConstraintArray* contacts = nullptr;
  btConstraintArray* friction = nullptr;
  btConstraintArray* rolling = nullptr;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
