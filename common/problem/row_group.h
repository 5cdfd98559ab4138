// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "law.h"

namespace nonsmooth {

enum class GroupKind : std::uint8_t {
  kEquality,  ///< w = 0, x free
  kBox,       ///< l ≤ x ≤ u, complementary to w row by row
  kContact,   ///< one unilateral normal with friction, see RowGroup
};

/// No group has more rows: a contact needs six, joints can be split into groups at will.
inline constexpr int kMostGroupRows = 6;

/// Rows that belong together: the unit that is projected, measured and swept as one.
///
/// A contact's rows stand in this order, and each part may be missing:
///
///     normal | tangents (0, 1 or 2) | spinning (0 or 1) | rolling (0, 1 or 2)
///
/// The normal's impulse is non-negative. The others are bounded by it: tangents by `friction`,
/// the torque impulse about the normal by `spinning_friction`, the one about the tangents by
/// `rolling_friction`; in which shape is up to the law.
struct RowGroup {
  GroupKind kind = GroupKind::kEquality;
  int first_row = 0;
  int size = 0;  ///< number of rows, 1 + tangents + spinning + rolling for a contact

  int tangents = 0;
  int spinning = 0;
  int rolling = 0;
  double friction = 0;           ///< μ [-], ≥ 0
  double spinning_friction = 0;  ///< μ_s [m], ≥ 0
  double rolling_friction = 0;   ///< μ_r [m], ≥ 0
  Law law{LawKind::kNcp, 0};     ///< what `native` means for this contact

  /// Estimate x̄_n of the normal impulse [N s] that freezes the bounds of law `box`. NaN: none was
  /// given; then the warm start's normal impulse serves, and without one max(0, −b_n / a_nn).
  double normal_estimate = std::numeric_limits<double>::quiet_NaN();

  /// Identity of the contact across steps, for warm starting; 0: anonymous.
  std::uint64_t key = 0;
};

}  // namespace nonsmooth
