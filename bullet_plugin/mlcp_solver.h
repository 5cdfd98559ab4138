// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/MLCPSolvers/btMLCPSolverInterface.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/solve/driver.h"
#include "precision.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// For a btMLCPSolver, in the place of btDantzigSolver and its like: solves w = A x − b, l ≤ x ≤ u,
/// where the bounds of a friction row count in multiples of the normal it depends on.
///
/// btMLCPSolver forms A densely and drops rolling friction and compliance of single rows; those who
/// need none of it are better off with Solver. Where this one fails, solveMLCP() returns false and
/// btMLCPSolver falls back to sequential impulses (getNumFallbacks()).
class MlcpSolver : public btMLCPSolverInterface {
 public:
  /// Throws std::invalid_argument if there is no such solver, if it does not handle the law, or if
  /// an option is out of its range. Laws with a friction cone need a world with
  /// SOLVER_USE_2_FRICTION_DIRECTIONS. `max_iterations` is the world's, m_numIterations, unless
  /// `iterations_of_world` is false.
  explicit MlcpSolver(std::string_view solver_name = "auto", SolveOptions options = {},
                      bool iterations_of_world = true);

  bool solveMLCP(const btMatrixXu& a, const btVectorXu& b, btVectorXu& x, const btVectorXu& lower,
                 const btVectorXu& upper, const btAlignedObjectArray<int>& limit_dependency,
                 int iterations, bool use_sparsity = true) override;

  /// Of the last problem. With split impulses every group is two problems, velocities first.
  const Result& last_solve() const { return solve_; }

  /// Problems left to btMLCPSolver's own fallback, and why so the last time.
  std::int64_t fallbacks() const { return fallbacks_; }
  const std::string& trouble() const { return trouble_; }

 private:
  Problem MakeProblem(const btMatrixXu& a, const btVectorXu& b, const btVectorXu& lower,
                      const btVectorXu& upper, const btAlignedObjectArray<int>& limit_dependency);
  bool Fail(std::string why);

  Driver driver_;
  SolveOptions options_;
  bool iterations_of_world_;
  std::vector<int> order_;  ///< Bullet's row for each of ours
  std::vector<int> place_;  ///< our row for each of Bullet's
  std::vector<double> x0_;
  Solution solution_;
  Result solve_;
  std::int64_t fallbacks_ = 0;
  std::string trouble_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
