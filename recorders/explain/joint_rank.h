// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../common/problem/problem.h"

namespace nonsmooth {

/// Whether the rows of joints (groups of kind equality) can hold at all, by the eigenvalues of
/// D^-½ J M⁻¹ Jᵀ D^-½ over them, D = diag(A), compliance left out.
struct JointRank {
  bool computed = false;  ///< false: more coupled rows than kMostCoupledRows
  int rows = 0;
  int rank = 0;

  /// [J] ½ ‖Nᵀ D^-½ b‖², N spanning what no impulse reaches: by so much the joints contradict each
  /// other. No solver can go below, and no contact changes it, since Jᵀ N = 0.
  double contradiction = 0;

  bool compliant = false;  ///< some of the rows have compliance, which makes up for a missing rank
  std::vector<int>
      redundant;  ///< groups that take part in what is missing, the most involved first
};

/// Rows that hang together through bodies are looked at as one dense matrix.
inline constexpr int kMostCoupledRows = 1200;

JointRank RankOfJoints(const Problem& problem);

}  // namespace nonsmooth
