// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../law/feasible_set.h"

namespace nonsmooth {

/// Where a row of a boxed problem stands: the index sets of pivoting methods.
enum class RowState : unsigned char {
  kLower,  ///< x = l, w ≥ 0 wanted
  kUpper,  ///< x = u, w ≤ 0 wanted
  kFree,   ///< w = 0, l ≤ x ≤ u wanted
};

/// Enzenhöfer et al., Eqs. 2–4: w = A x + b, 0 ≤ u − x ⊥ w₋ ≥ 0, 0 ≤ x − l ⊥ w₊ ≥ 0, row by row.
/// A and b stay where they are, in the problem's dynamics; this is what is left of the laws.
///
/// Equality rows are kept as rows with infinite bounds. Pivoting methods never move them out of the
/// free set, which eliminates them by a Schur complement inside the factorisation, without
/// forming one.
struct BoxedMlcp {
  std::vector<double> lower;
  std::vector<double> upper;

  /// Bounds under the law of `set`, whose contacts are under `box` (frozen at the estimate x̄_n) or
  /// `coupled_box` (frozen at the normal impulses of x, rows() entries; the law holds where x
  /// solves the problem it was frozen at). Inert rows are held at zero or the bound next to it.
  /// Throws std::invalid_argument if a contact has a cone. Reuses memory.
  void Freeze(const FeasibleSet& set, const double* x);

  /// The law changes with x: some contact is under `coupled_box`, and has friction.
  static bool Moves(const FeasibleSet& set);

  /// The state that the branch of the natural map x − w/a lies on; a > 0.
  RowState StateOf(int row, double x, double w, double a) const;

  /// x of a row in `state` which is not free.
  double BoundOf(int row, RowState state) const {
    return state == RowState::kUpper ? upper[row] : lower[row];
  }
};

}  // namespace nonsmooth
