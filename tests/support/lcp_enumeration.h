// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace nonsmooth::test {

/// All solutions of 0 ≤ M z + q ⊥ z ≥ 0 that belong to a nonsingular basis, found by trying each of
/// the 2ⁿ: independent of every solver, for n up to some fifteen. Values above −tolerance count as
/// non-negative. The same z may come from several bases.
inline std::vector<Eigen::VectorXd> EnumerateLcp(const Eigen::MatrixXd& m, const Eigen::VectorXd& q,
                                                 double tolerance = 1e-9) {
  const int n = static_cast<int>(q.size());
  if (n == 0) return {q};
  std::vector<Eigen::VectorXd> solutions;
  for (unsigned basis = 0; basis < (1U << n); ++basis) {
    // Row i of the system is z_i = 0, or (M z)_i = −q_i where i is in the basis.
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      if ((basis >> i & 1U) == 0) continue;
      system.row(i) = m.row(i);
      right(i) = -q(i);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(system);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd z = lu.solve(right);
    if (z.minCoeff() < -tolerance || (m * z + q).minCoeff() < -tolerance) continue;
    solutions.push_back(z);
  }
  return solutions;
}

}  // namespace nonsmooth::test
