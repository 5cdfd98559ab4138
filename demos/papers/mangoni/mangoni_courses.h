// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth::papers {

/// A brick of 2 kg, 0.2 × 0.1 × 0.06 m, that drops by a tenth of a millimetre, a little tilted, and
/// comes to rest on its four lower corners, on ground that shakes by a hundredth of gravity: the
/// problems of `steps` steps of 0.01 s without friction, the same four contacts in every one.
std::vector<Problem> BrickCourse(int steps);

/// A ball of 2 kg and radius 0.1 m that does the same, with one contact.
std::vector<Problem> BallCourse(int steps);

/// A brick at rest on n × n contacts, of which three would do. `compliance` [1/kg] of each.
Problem BrickOnGrid(int n, double compliance);

}  // namespace nonsmooth::papers
