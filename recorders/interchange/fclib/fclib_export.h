// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../../../common/problem/problem.h"
#include "../../../common/solver/result.h"
#include "fclib_problem.h"

namespace nonsmooth {

/// A problem of ours in FCLIB's terms, and where its rows and velocities went.
struct FclibExport {
  FclibProblem problem;
  std::vector<int> contact_row;  ///< row of each entry of r and u; −1: a tangent added as padding
  std::vector<int> equality_row;    ///< row of each entry of l
  std::vector<int> velocity_index;  ///< velocity of each entry of v; −1 − row: row's virtual one
  std::vector<double> compliance;   ///< of the virtual velocities' rows, by row; empty if none
  std::vector<std::string> remarks;  ///< what the file does not say, in words

  /// /solution of x, w = A x + b and v (empty where only A and b are known).
  FclibSolution SolutionOf(const Solution& solution) const;
};

/// Throws std::invalid_argument naming what FCLIB cannot say: bounded rows, frozen friction bounds
/// (law `box`), spinning and rolling friction; for kGlobal, a problem without M and J.
///
/// Said in other words, with a remark: laws other than `ncp` (FCLIB knows no other), compliance
/// (added to W; in a global problem one virtual velocity a row), masses that had to be inverted,
/// contacts with fewer tangents than others (padded by rows of zeros), contact identities (left
/// out). What came from ImportFclib() is exported to the bit.
FclibExport ExportFclib(const Problem& problem, FclibKind kind, FclibStorage storage);

}  // namespace nonsmooth
