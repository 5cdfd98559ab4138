// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/block_factor.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

template <int B>
using Block = Eigen::Matrix<double, B, B, B == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

template <int B>
Eigen::Map<Block<B>> At(std::vector<double>& values, int k) {
  return Eigen::Map<Block<B>>(values.data() + static_cast<std::ptrdiff_t>(k) * B * B);
}

template <int B>
Eigen::Map<const Block<B>> At(const std::vector<double>& values, int k) {
  return Eigen::Map<const Block<B>>(values.data() + static_cast<std::ptrdiff_t>(k) * B * B);
}

/// inverse ← D⁻¹; false where D is singular or not finite.
template <int B>
bool Invert(const Block<B>& d, Eigen::Map<Block<B>> inverse) {
  if constexpr (B == 1) {
    inverse(0, 0) = 1 / d(0, 0);
    return d(0, 0) != 0 && std::isfinite(inverse(0, 0));
  } else {
    inverse = Eigen::PartialPivLU<Block<B>>(d).inverse();
    return inverse.allFinite();
  }
}

}  // namespace

void BlockFactor::Analyse(int block, const std::vector<int>& start, const std::vector<int>& index) {
  Require(block == 1 || block == 3 || block == 6, "block factor: block = ", block,
          ", expected 1, 3 or 6");
  if (block == block_ && start == start_ && index == index_) return;
  block_ = block;
  start_ = start;
  index_ = index;
  n_ = static_cast<int>(start.size()) - 1;
  Order();
  BuildTree();
  const std::size_t area = static_cast<std::size_t>(block) * block;
  l_.resize(area * fill());
  pivot_.resize(area * n_);
  above_.assign(area * n_, 0.0);
  scratch_.resize(static_cast<std::size_t>(block) * n_);
}

double BlockFactor::work() const {
  double sum = 0;
  for (int k = 0; k < n_; ++k) {
    const double rows = 1 + column_[k + 1] - column_[k];
    sum += rows * rows;
  }
  return sum * block_ * block_ * block_;
}

void BlockFactor::Order() {
  Eigen::SparseMatrix<double> pattern(n_, n_);
  pattern.resizeNonZeros(static_cast<Eigen::Index>(index_.size()));
  std::copy(start_.begin(), start_.end(), pattern.outerIndexPtr());
  std::copy(index_.begin(), index_.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), index_.size(), 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  if (n_ > 0) Eigen::AMDOrdering<int>()(pattern, permutation);
  order_.resize(n_);
  place_.resize(n_);
  for (int k = 0; k < n_; ++k) {
    order_[k] = permutation.indices()[k];
    place_[order_[k]] = k;
  }
}

void BlockFactor::BuildTree() {
  parent_.assign(n_, -1);
  mark_.assign(n_, -1);
  filled_.assign(n_, 0);
  path_.resize(n_);
  stack_.resize(n_);
  for (int k = 0; k < n_; ++k) {
    mark_[k] = k;
    const int row = order_[k];
    for (int p = start_[row]; p < start_[row + 1]; ++p) {
      for (int i = place_[index_[p]]; i < k && mark_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++filled_[i];
        mark_[i] = k;
      }
    }
  }
  column_.assign(n_ + 1, 0);
  for (int k = 0; k < n_; ++k) column_[k + 1] = column_[k] + filled_[k];
  row_.resize(column_[n_]);
}

bool BlockFactor::Factorise(const double* values, bool symmetric) {
  symmetric_ = symmetric;
  if (!symmetric) {
    u_.resize(l_.size());
    left_.resize(above_.size(), 0.0);
  }
  switch (block_) {
    case 1:
      return FactoriseBlocks<1>(values, symmetric);
    case 3:
      return FactoriseBlocks<3>(values, symmetric);
    default:
      return FactoriseBlocks<6>(values, symmetric);
  }
}

template <int B>
bool BlockFactor::FactoriseBlocks(const double* values, bool symmetric) {
  std::fill(filled_.begin(), filled_.end(), 0);
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(above_.begin(), above_.end(), 0.0);
  std::fill(left_.begin(), left_.end(), 0.0);
  for (int k = 0; k < n_; ++k) {
    mark_[k] = k;
    Block<B> diagonal = Block<B>::Zero();
    int top = n_;
    const int row = order_[k];
    for (int p = start_[row]; p < start_[row + 1]; ++p) {
      int i = place_[index_[p]];
      if (i > k) continue;
      const Eigen::Map<const Block<B>> entry(values + static_cast<std::ptrdiff_t>(p) * B * B);
      if (i == k) {
        diagonal = entry;
        continue;
      }
      At<B>(above_, i) = entry.transpose();  // A_ik of a symmetric matrix; replaced below if not
      if (!symmetric) At<B>(left_, i) = entry;
      int length = 0;
      for (; mark_[i] != k; i = parent_[i]) {
        path_[length++] = i;
        mark_[i] = k;
      }
      while (length > 0) stack_[--top] = path_[--length];
    }
    if (!symmetric) {
      for (int p = start_[row]; p < start_[row + 1]; ++p) {
        const int i = place_[index_[p]];
        if (i >= k) continue;
        // The entry opposite to (k, i): (i, k) in the row of i.
        const int other = index_[p];
        const auto begin = index_.begin() + start_[other];
        const auto end = index_.begin() + start_[other + 1];
        const auto at = std::lower_bound(begin, end, row) - index_.begin();
        At<B>(above_, i) = Eigen::Map<const Block<B>>(values + at * B * B);
      }
    }
    for (; top < n_; ++top) {
      const int j = stack_[top];
      const Block<B> above = At<B>(above_, j);
      At<B>(above_, j).setZero();
      const int end = column_[j] + filled_[j];
      for (int p = column_[j]; p < end; ++p) {
        At<B>(above_, row_[p]).noalias() -= At<B>(l_, p) * above;
      }
      row_[end] = k;
      if (symmetric) {
        At<B>(l_, end).noalias() = above.transpose() * At<B>(pivot_, j);
      } else {
        const Block<B> left = At<B>(left_, j);
        At<B>(left_, j).setZero();
        for (int p = column_[j]; p < end; ++p) {
          At<B>(left_, row_[p]).noalias() -= left * At<B>(u_, p);
        }
        At<B>(l_, end).noalias() = left * At<B>(pivot_, j);
        At<B>(u_, end).noalias() = At<B>(pivot_, j) * above;
      }
      diagonal.noalias() -= At<B>(l_, end) * above;
      ++filled_[j];
    }
    if (!Invert<B>(diagonal, At<B>(pivot_, k))) return false;
  }
  return true;
}

bool BlockFactor::definite() const {
  switch (block_) {
    case 1:
      return DefiniteBlocks<1>();
    case 3:
      return DefiniteBlocks<3>();
    default:
      return DefiniteBlocks<6>();
  }
}

template <int B>
bool BlockFactor::DefiniteBlocks() const {
  for (int k = 0; k < n_; ++k) {
    const Eigen::Map<const Block<B>> inverse(pivot_.data() +
                                             static_cast<std::ptrdiff_t>(k) * B * B);
    if (Eigen::LLT<Block<B>>(inverse).info() != Eigen::Success) return false;
  }
  return true;
}

void BlockFactor::Solve(double* x) const {
  switch (block_) {
    case 1:
      return SolveBlocks<1>(x);
    case 3:
      return SolveBlocks<3>(x);
    default:
      return SolveBlocks<6>(x);
  }
}

template <int B>
void BlockFactor::SolveBlocks(double* x) const {
  using Vector = Eigen::Matrix<double, B, 1>;
  const auto y = [this](int k) { return Eigen::Map<Vector>(scratch_.data() + k * B); };
  for (int k = 0; k < n_; ++k) y(k) = Eigen::Map<const Vector>(x + order_[k] * B);
  for (int j = 0; j < n_; ++j) {
    const Vector value = y(j);
    for (int p = column_[j]; p < column_[j + 1]; ++p) {
      y(row_[p]).noalias() -= At<B>(l_, p) * value;
    }
    y(j).noalias() = At<B>(pivot_, j) * value;
  }
  for (int j = n_ - 1; j >= 0; --j) {
    Vector value = y(j);
    for (int p = column_[j]; p < column_[j + 1]; ++p) {
      if (symmetric_) {
        value.noalias() -= At<B>(l_, p).transpose() * y(row_[p]);
      } else {
        value.noalias() -= At<B>(u_, p) * y(row_[p]);
      }
    }
    y(j) = value;
  }
  for (int k = 0; k < n_; ++k) Eigen::Map<Vector>(x + order_[k] * B) = y(k);
}

}  // namespace nonsmooth
