// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../common/problem/problem.h"

namespace nonsmooth {

/// Eigenvalues of D^-½ A D^-½, D = diag(A): how fast sweeps and gradients can be at best.
struct Condition {
  bool computed = false;  ///< false: more than kMostConditionRows
  double number = 0;      ///< largest over smallest eigenvalue that is not zero
  int rank = 0;           ///< rows that are independent; further ones share their load arbitrarily
  int rows = 0;           ///< that are not inert
};

/// A second of a dense eigenvalue solve.
inline constexpr int kMostConditionRows = 900;

Condition ConditionOf(const Problem& problem);

}  // namespace nonsmooth
