// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/formulations/lcp.h"
#include "common/problem/problem.h"
#include "common/solve/driver.h"

namespace nonsmooth::papers {

/// A solution of 0 ≤ y = M z + q ⊥ z ≥ 0, found by trying all 2ⁿ complementary bases: independent
/// of every solver. Of several, as degenerate problems have them, the one whose least basic value
/// is greatest. Throws std::invalid_argument for free variables or n > kMostEnumerated, and
/// std::runtime_error if no basis is feasible to `tolerance`.
inline constexpr int kMostEnumerated = 12;
std::vector<double> EnumerateLcp(const Lcp& lcp, double tolerance = 1e-10);

/// Solves steps of planar contacts (Glocker and Studer, Eq. 17) to rounding, by one of
///
/// - `enumeration`: all bases of the LCP of Eq. 33, in units of √J;
/// - `lemke`: on that LCP;
/// - any registered solver that takes law `coupled_box`, which one tangent makes Coulomb's.
class PlanarSolver {
 public:
  /// Throws std::invalid_argument naming what there is.
  explicit PlanarSolver(const std::string& name);

  /// Velocities and impulses. Throws std::runtime_error if the solver has not found a solution: a
  /// step that is off would otherwise go unnoticed.
  const Solution& Solve(const Problem& problem);

  /// Solves for which the solver had to fall back to something else.
  int fallbacks() const { return fallbacks_; }

  static std::vector<std::string> Names();

 private:
  void Enumerate(const Problem& problem);

  std::unique_ptr<Driver> driver_;  ///< none: enumeration
  SolveOptions options_;
  Solution solution_;
  Result result_;
  FeasibleSet set_;
  OperatorWorkspace workspace_;
  int fallbacks_ = 0;
};

}  // namespace nonsmooth::papers
