// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "lcp.h"

namespace nonsmooth {

/// A mixed LCP without its free variables: with M = [M_ff M_fc; M_cf M_cc],
///
///     z_f = −M_ff⁻¹ (M_fc z_c + q_f),   M' = M_cc − M_cf M_ff⁻¹ M_fc,   q' = q_c − M_cf M_ff⁻¹
///     q_f.
///
/// M_ff is the joints' own part of A, positive semidefinite. Redundant joints make it singular:
/// kRelative of its diagonal is added, and taken back by refinement, which is exact for joints that
/// do not contradict each other since M_fc lies in the range of M_ff.
///
/// Dense, row-major. The complement of a monotone or copositive M by a positive definite block is
/// monotone or copositive again.
struct FreeElimination {
  static constexpr double kRelative = 1e-10;

  int size = 0;                ///< of what is left
  std::vector<double> matrix;  ///< M', size × size
  std::vector<double> vector;  ///< q'
  std::vector<int> kept;       ///< index of each variable in the mixed LCP
  std::vector<int> removed;    ///< the free ones
  std::vector<double> gain;    ///< M_ff⁻¹ M_fc, removed × size, row-major
  std::vector<double> rest;    ///< M_ff⁻¹ q_f

  /// False if M_ff is not positive semidefinite: nothing can then be said.
  bool Eliminate(const Lcp& lcp);

  /// z of the mixed LCP from z' of this.
  void Recover(const double* reduced, double* z) const;
};

}  // namespace nonsmooth
