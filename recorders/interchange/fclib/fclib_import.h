// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../../../common/problem/problem.h"
#include "fclib_problem.h"

namespace nonsmooth {

/// An FCLIB problem as ours: contacts in the file's order under law `ncp`, then the equalities.
/// A local problem becomes a MatrixDynamics with A = [[W, V], [Vᵀ, R]], b = (q, s); a global one a
/// SparseDynamics with J = [Hᵀ; Gᵀ], b₀ = (w, b), v = 0 and h f = f.
struct FclibImport {
  Problem problem;
  std::vector<double> x;             ///< the file's solution (r, l); empty if it has none
  std::vector<double> guess;         ///< its first guess; empty if it has none
  std::vector<std::string> remarks;  ///< what a reader of the results should know
};

/// Throws std::invalid_argument naming the object and the rule it violates. An unsymmetric W is
/// kept as it is, with a remark; an unsymmetric or singular M is refused.
FclibImport ImportFclib(const FclibProblem& file);

}  // namespace nonsmooth
