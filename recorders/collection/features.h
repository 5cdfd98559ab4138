// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../common/problem/problem.h"

namespace nonsmooth {

/// What makes problems easy or hard, as far as it can be told without solving them.
struct ProblemFeatures {
  int contacts = 0;
  int rows = 0;
  int velocities = 0;               ///< 0: only A and b are known
  int rank_deficiency = -1;         ///< rows − rank(A), compliance included; −1: not known
  double joint_share = 0;           ///< rows of equalities and boxes / rows
  double mass_ratio = 0;            ///< heaviest / lightest body that moves; NaN: not known
  double effective_mass_ratio = 0;  ///< largest / least diagonal entry of A that is not zero
  double friction_min = 0;          ///< μ over the contacts; NaN where there is none
  double friction_max = 0;
  std::string law;  ///< of the contacts; "mixed" if there are several, "" without contacts
};

/// The rank takes O(rows³): of problems with more than `most_rank_rows` it is not found out.
ProblemFeatures FeaturesOf(const Problem& problem, int most_rank_rows);

}  // namespace nonsmooth
