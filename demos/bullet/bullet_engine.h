// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "demos/harness/demo.h"

namespace nonsmooth::demo {

/// Bullet with the precision this was compiled for. `engine` and `engine:si` are its sequential
/// impulse solver, `engine:nncg` its conjugate gradients, `engine:dantzig` its pivoting MLCP
/// solver. All get two friction directions, so that they solve the same rows.
Engine BulletEngine();

}  // namespace nonsmooth::demo
