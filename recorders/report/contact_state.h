// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../../common/law/feasible_set.h"

namespace nonsmooth {

/// What a group of rows does in a solution.
enum class GroupState : std::uint8_t {
  kOpen = 0,      ///< a contact that does not push
  kSticking = 1,  ///< a contact within its friction
  kSliding = 2,   ///< a contact at the bound of a part of its friction
  kJoint = 3,     ///< no contact, all rows within their bounds
  kAtBound = 4,   ///< no contact, some row at a bound: a limit that is reached, a motor at its most
  kNotFinite = 5,  ///< numbers that are not finite
};

/// The state of every group, from the branch of the natural map that it lies on rather than from
/// the size of an impulse, so that rounding does not decide: docs/error_measures.md, Lu et al.
std::vector<GroupState> StatesOf(const FeasibleSet& set, const double* x, const double* w);

}  // namespace nonsmooth
