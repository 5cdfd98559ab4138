// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth::python {

/// J, M⁻¹ and M of packed rigid bodies as matrices over six velocities a body. Axes that no impulse
/// moves are infinite in M.
CsrMatrix BodyJacobian(const TwoBodyDynamics& dynamics);
CsrMatrix BodyInverseMass(const TwoBodyDynamics& dynamics);
CsrMatrix BodyMass(const TwoBodyDynamics& dynamics);

}  // namespace nonsmooth::python
