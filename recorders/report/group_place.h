// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "../capture/captured_step.h"

namespace nonsmooth {

/// Where a group of rows acts, for those who look at it.
struct GroupPlace {
  std::array<int, 2> bodies{-1, -1};  ///< indices into the step's; −1: none, or not known
  std::array<double, 3> point{};      ///< [m] world; NaN: not known
};

/// Of group `g`; `contact` counts the contact groups before it. A contact's place was recorded;
/// that of a joint follows from its rows: the point r on body b whose lever arms they have, r × d =
/// its angular part for each direction d, in the sense of least squares and nearest to the body.
GroupPlace PlaceOf(const CapturedStep& step, int g, int contact);

}  // namespace nonsmooth
