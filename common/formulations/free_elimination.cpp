// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/free_elimination.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace nonsmooth {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kRefinements = 3;

}  // namespace

bool FreeElimination::Eliminate(const Lcp& lcp) {
  kept.clear();
  removed.clear();
  std::vector<int> place(lcp.size());
  for (int i = 0; i < lcp.size(); ++i) {
    std::vector<int>& list = lcp.free[i] != 0 ? removed : kept;
    place[i] = static_cast<int>(list.size());
    list.push_back(i);
  }
  size = static_cast<int>(kept.size());
  const int free = static_cast<int>(removed.size());
  matrix.assign(static_cast<std::size_t>(size) * size, 0.0);
  vector.resize(size);
  gain.assign(static_cast<std::size_t>(free) * size, 0.0);
  rest.assign(free, 0.0);
  Eigen::Map<Matrix> reduced(matrix.data(), size, size);
  Eigen::Map<Eigen::VectorXd> q(vector.data(), size);
  Matrix own = Matrix::Zero(free, free);        // M_ff
  Matrix right = Matrix::Zero(free, size + 1);  // M_fc, q_f
  Matrix left = Matrix::Zero(size, free);       // M_cf
  for (int i = 0; i < lcp.size(); ++i) {
    const bool row_free = lcp.free[i] != 0;
    if (row_free) {
      right(place[i], size) = lcp.vector[i];
    } else {
      q(place[i]) = lcp.vector[i];
    }
    for (int k = lcp.matrix.row_start[i]; k < lcp.matrix.row_start[i + 1]; ++k) {
      const int j = lcp.matrix.column[k];
      const int row = place[i];
      const int column = place[j];
      if (lcp.free[j] != 0) {
        (row_free ? own(row, column) : left(row, column)) = lcp.matrix.value[k];
      } else {
        (row_free ? right(row, column) : reduced(row, column)) = lcp.matrix.value[k];
      }
    }
  }
  if (free == 0) return true;
  Matrix regular = own;
  regular.diagonal() += kRelative * own.diagonal();
  const Eigen::LLT<Matrix> factor(regular);
  if (factor.info() != Eigen::Success) return false;
  Matrix solution = factor.solve(right);
  for (int i = 0; i < kRefinements; ++i) solution += factor.solve(right - own * solution);
  Eigen::Map<Matrix>(gain.data(), free, size) = solution.leftCols(size);
  Eigen::Map<Eigen::VectorXd>(rest.data(), free) = solution.col(size);
  reduced.noalias() -= left * solution.leftCols(size);
  q.noalias() -= left * solution.col(size);
  return true;
}

void FreeElimination::Recover(const double* reduced, double* z) const {
  for (int i = 0; i < size; ++i) z[kept[i]] = reduced[i];
  for (std::size_t i = 0; i < removed.size(); ++i) {
    double sum = rest[i];
    const double* row = gain.data() + i * static_cast<std::size_t>(size);
    for (int j = 0; j < size; ++j) sum += row[j] * reduced[j];
    z[removed[i]] = -sum;
  }
}

}  // namespace nonsmooth
