// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "common/error/energy_error.h"
#include "common/formulations/free_elimination.h"
#include "tests/support/lcp_enumeration.h"

namespace nonsmooth::test {

inline Eigen::MatrixXd Dense(const CsrMatrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.columns);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      dense(i, matrix.column[k]) = matrix.value[k];
    }
  }
  return dense;
}

inline Lcp LcpOf(const LcpMap& map, const Problem& problem) {
  return MakeLcp(map, problem.dynamics().Assembled(), problem.dynamics().bias());
}

/// Impulses of every solution of the LCP, found by enumeration after the free variables are gone.
inline std::vector<std::vector<double>> EnumerateImpulses(const LcpMap& map,
                                                          const Problem& problem) {
  const Lcp lcp = LcpOf(map, problem);
  FreeElimination reduced;
  EXPECT_TRUE(reduced.Eliminate(lcp));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd m =
      Eigen::Map<const RowMajor>(reduced.matrix.data(), reduced.size, reduced.size);
  const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(reduced.vector.data(), reduced.size);
  std::vector<std::vector<double>> all;
  for (const Eigen::VectorXd& solution : EnumerateLcp(m, q)) {
    std::vector<double> z(lcp.size());
    reduced.Recover(solution.data(), z.data());
    std::vector<double> x(problem.rows());
    ToImpulses(map, z.data(), x.data());
    all.push_back(x);
  }
  return all;
}

/// Energy error of x under the law of `set`.
inline EnergyError EnergyOf(const FeasibleSet& set, const std::vector<double>& x) {
  const Problem& problem = set.problem();
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return MeasureEnergy(set, FreeEnergy(set), x.data(), w.data());
}

inline double RelativeEnergyOf(const FeasibleSet& set, const std::vector<double>& x) {
  return EnergyOf(set, x).relative;
}

}  // namespace nonsmooth::test
