// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Dense>
#include <algorithm>

#include "common/linalg/velocity_schur.h"

namespace nonsmooth {
namespace {

constexpr int kLocal = kMostGroupRows;  // rows of a block at most

using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kLocal, kLocal>;
using SmallMap = Eigen::Map<SmallMatrix>;
using ConstSmallMap = Eigen::Map<const SmallMatrix>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

bool VelocitySchur::InvertBlocks(const double* blocks) {
  const std::vector<RowGroup>& groups = problem_->groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int size = groups[g].size;
    const ConstSmallMap d(blocks + block_start_[g], size, size);
    SmallMap left(left_.data() + block_start_[g], size, size);
    left = Eigen::PartialPivLU<SmallMatrix>(d).inverse();
    if (!left.allFinite()) return false;
    SmallMap(right_.data() + block_start_[g], size, size).setIdentity();
  }
  return true;
}

/// With D⁻¹ = L R: (D + C)⁻¹ = L (I + R C L)⁻¹ R.
void VelocitySchur::AddCompliance() {
  const std::vector<RowGroup>& groups = problem_->groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int size = groups[g].size;
    const double* c = compliance_.data() + groups[g].first_row;
    if (std::all_of(c, c + size, [](double value) { return value == 0; })) continue;
    const SmallMap left(left_.data() + block_start_[g], size, size);
    SmallMap right(right_.data() + block_start_[g], size, size);
    SmallMatrix middle = SmallMatrix::Identity(size, size);
    for (int i = 0; i < size; ++i) middle += c[i] * right.col(i) * left.row(i);
    const SmallMatrix product = Eigen::PartialPivLU<SmallMatrix>(middle).solve(right);
    right = product;
  }
}

void VelocitySchur::Assemble() {
  const std::vector<RowGroup>& groups = problem_->groups();
  const int b = factor_.block();
  std::fill(values_.begin(), values_.end(), 0.0);
  for (int i = 0; i < factor_.rows(); ++i) {
    const auto at =
        std::lower_bound(index_.begin() + start_[i], index_.begin() + start_[i + 1], i) -
        index_.begin();
    for (int k = 0; k < b; ++k) values_[at * b * b + k * b + k] = 1;
  }
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int size = groups[g].size;
    const int touched = group_start_[g + 1] - group_start_[g];
    const int width = touched * b;
    group_rows_.assign(static_cast<std::size_t>(size) * width, 0.0);
    group_left_.resize(group_rows_.size());
    group_right_.resize(group_rows_.size());
    for (int i = 0; i < size; ++i) {
      const int row = groups[g].first_row + i;
      for (int k = row_start_[row]; k < row_start_[row + 1]; ++k) {
        const auto begin = group_block_.begin() + group_start_[g];
        const auto at = std::lower_bound(begin, begin + touched, row_block_[k]) - begin;
        std::copy_n(row_value_.begin() + k * b, b, group_rows_.begin() + i * width + at * b);
      }
    }
    const Eigen::Map<const RowMatrix> rows(group_rows_.data(), size, width);
    const ConstSmallMap left(left_.data() + block_start_[g], size, size);
    const ConstSmallMap right(right_.data() + block_start_[g], size, size);
    Eigen::Map<RowMatrix>(group_left_.data(), size, width) = left.transpose().lazyProduct(rows);
    Eigen::Map<RowMatrix>(group_right_.data(), size, width) = right.lazyProduct(rows);
    const int* pair = pair_.data() + pair_start_[g];
    for (int p = 0; p < touched; ++p) {
      for (int q = 0; q < touched; ++q) {
        double* to = values_.data() + static_cast<std::ptrdiff_t>(pair[p * touched + q]) * b * b;
        for (int i = 0; i < size; ++i) {
          const double* from = group_left_.data() + i * width + p * b;
          const double* to_right = group_right_.data() + i * width + q * b;
          for (int k = 0; k < b; ++k) {
            for (int l = 0; l < b; ++l) to[k * b + l] += from[k] * to_right[l];
          }
        }
      }
    }
  }
}

bool VelocitySchur::FactoriseInverse(const double* left, const double* right) {
  left_.assign(left, left + block_start_.back());
  if (right != nullptr) {
    right_.assign(right, right + block_start_.back());
  } else {
    const std::vector<RowGroup>& groups = problem_->groups();
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
      const int size = groups[g].size;
      SmallMap(right_.data() + block_start_[g], size, size) =
          ConstSmallMap(left + block_start_[g], size, size).transpose();
    }
  }
  AddCompliance();
  Assemble();
  return factor_.Factorise(values_.data(), right == nullptr);
}

bool VelocitySchur::Factorise(const double* blocks, bool symmetric) {
  if (!InvertBlocks(blocks)) return false;
  AddCompliance();
  Assemble();
  return factor_.Factorise(values_.data(), symmetric);
}

void VelocitySchur::TimesInverse(const double* r, double* z) const {
  const std::vector<RowGroup>& groups = problem_->groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int size = groups[g].size;
    const double* left = left_.data() + block_start_[g];
    const double* right = right_.data() + block_start_[g];
    const double* from = r + groups[g].first_row;
    double* to = z + groups[g].first_row;
    double middle[kLocal];
    for (int i = 0; i < size; ++i) {
      middle[i] = 0;
      for (int j = 0; j < size; ++j) middle[i] += right[i * size + j] * from[j];
    }
    for (int i = 0; i < size; ++i) {
      to[i] = 0;
      for (int j = 0; j < size; ++j) to[i] += left[i * size + j] * middle[j];
    }
  }
}

void VelocitySchur::Solve(const double* r, double* z) {
  const int n = problem_->rows();
  const int b = factor_.block();
  TimesInverse(r, z_.data());
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      double* y = y_.data() + row_block_[k] * b;
      for (int l = 0; l < b; ++l) y[l] += row_value_[k * b + l] * z_[i];
    }
  }
  factor_.Solve(y_.data());
  for (int i = 0; i < n; ++i) {
    double sum = r[i];
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      const double* y = y_.data() + row_block_[k] * b;
      for (int l = 0; l < b; ++l) sum -= row_value_[k * b + l] * y[l];
    }
    z_[i] = sum;
  }
  TimesInverse(z_.data(), z);
}

}  // namespace nonsmooth
