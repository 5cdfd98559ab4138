// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/explain/condition.h"

#include <Eigen/Dense>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr double kZero = 1e-10;  ///< of the largest eigenvalue

}  // namespace

Condition ConditionOf(const Problem& problem) {
  Condition result;
  const int n = problem.rows();
  if (n == 0 || n > kMostConditionRows) return result;
  const std::vector<double>& d = problem.dynamics().diagonal();
  const CsrMatrix& a = problem.dynamics().Assembled();
  Eigen::MatrixXd scaled = Eigen::MatrixXd::Zero(n, n);
  for (int row = 0; row < n; ++row) {
    if (d[row] > 0) ++result.rows;
    for (int k = a.row_start[row]; k < a.row_start[row + 1]; ++k) {
      const int column = a.column[k];
      if (d[row] > 0 && d[column] > 0)
        scaled(row, column) += a.value[k] / std::sqrt(d[row] * d[column]);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled, Eigen::EigenvaluesOnly);
  if (eigen.info() != Eigen::Success) return result;
  const double largest = eigen.eigenvalues()[n - 1];
  for (int k = n - 1; k >= 0 && eigen.eigenvalues()[k] > kZero * largest; --k) {
    ++result.rank;
    result.number = largest / eigen.eigenvalues()[k];
  }
  result.computed = std::isfinite(result.number);
  return result;
}

}  // namespace nonsmooth
