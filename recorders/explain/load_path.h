// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../capture/captured_step.h"

namespace nonsmooth {

/// How much heavier a body is than one it rests on, along the way that its load takes to the
/// ground.
struct LoadPath {
  double ratio = 1;  ///< the largest of all bodies; 1: nothing rests on anything
  int heavy = -1;    ///< indices of bodies
  int light = -1;
  int length = 0;  ///< contacts and joints from the ground to the highest body
};

/// Contacts and joints that carry an impulse in x connect bodies; each body's way is the shortest
/// one over these to a body that does not move, or, where there is none, to the lightest of them.
LoadPath LoadPathOf(const CapturedStep& step, const std::vector<double>& x);

}  // namespace nonsmooth
