// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../../common/problem/sparse_dynamics.h"

namespace nonsmooth {

/// A problem's dynamics with explicit masses, for formats that store M rather than M⁻¹.
struct MassForm {
  SparseSystem system;
  /// For each variable of `system` the velocity of the problem that it is.
  std::vector<int> velocity_index;
  bool inverted = false;  ///< masses were inverted: equal to rounding, not to the bit
};

/// Two-body dynamics lose the variables of infinite mass; what those contribute to the constraint
/// velocities goes into the bias. Throws std::invalid_argument if only A and b are known, or if a
/// body's inverse inertia is singular along an oblique axis: no finite M says that.
MassForm ToMassForm(const Dynamics& dynamics);

}  // namespace nonsmooth
