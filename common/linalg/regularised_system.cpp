// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/regularised_system.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr int kFewRows = 48;            // dense without a second look
constexpr int kMostDenseRows = 3000;    // 72 MB
constexpr double kDenseFill = 0.25;     // of A's entries
constexpr double kSymmetric = 1e-10;    // of max |A|: what two ways of rounding make of it
constexpr int kLocal = kMostGroupRows;  // rows of a block at most

using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kLocal, kLocal>;
using ConstSmallMap = Eigen::Map<const SmallMatrix>;

}  // namespace

struct RegularisedSystem::Dense {
  Eigen::MatrixXd a;
  Eigen::MatrixXd sum;
  Eigen::LLT<Eigen::MatrixXd> cholesky;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  bool use_cholesky = true;
};

RegularisedSystem::RegularisedSystem() : dense_(std::make_unique<Dense>()) {}
RegularisedSystem::~RegularisedSystem() = default;

void RegularisedSystem::Prepare(const Problem& problem, const double* scale) {
  problem_ = &problem;
  const int n = problem.rows();
  scale_.assign(scale, scale + n);
  block_start_.assign(1, 0);
  bool threes = true;
  for (const RowGroup& group : problem.groups()) {
    block_start_.push_back(block_start_.back() + group.size * group.size);
    threes = threes && group.size == 3;
  }
  z_.resize(n);
  const Dynamics& dynamics = problem.dynamics();
  const bool factored = VelocitySchur::Applies(dynamics);
  if (factored && n > kFewRows) {
    form_ = Form::kVelocities;
    symmetric_ = true;
    velocities_.Prepare(problem, scale_, block_start_);
    return;
  }
  const CsrMatrix& a = dynamics.Assembled();
  symmetric_ = factored || Asymmetry(a) <= kSymmetric;
  const double fill = static_cast<double>(a.nonzeros()) / (static_cast<double>(n) * n);
  if (n <= kFewRows || (n <= kMostDenseRows && fill >= kDenseFill)) {
    form_ = Form::kDense;
    PrepareDense();
  } else {
    form_ = Form::kRows;
    PrepareRows(threes ? 3 : 1);
  }
}

void RegularisedSystem::PrepareDense() {
  const CsrMatrix& a = problem_->dynamics().Assembled();
  dense_->a.setZero(a.rows, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      dense_->a(i, a.column[k]) = scale_[i] * a.value[k] * scale_[a.column[k]];
    }
  }
}

void RegularisedSystem::PrepareRows(int block) {
  const CsrMatrix& a = problem_->dynamics().Assembled();
  const int blocks = a.rows / block;
  // Blocks of A and of its transpose, and the rows of one group among each other.
  std::vector<std::vector<int>> columns(blocks);
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      const int row = i / block;
      const int column = a.column[k] / block;
      if (!columns[row].empty() && columns[row].back() == column) continue;
      columns[row].push_back(column);
      columns[column].push_back(row);
    }
  }
  for (const RowGroup& group : problem_->groups()) {
    for (int i = 0; i < group.size; ++i) {
      for (int j = 0; j < group.size; ++j) {
        columns[(group.first_row + i) / block].push_back((group.first_row + j) / block);
      }
    }
  }
  start_.assign(1, 0);
  index_.clear();
  for (std::vector<int>& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    index_.insert(index_.end(), row.begin(), row.end());
    start_.push_back(static_cast<int>(index_.size()));
  }
  factor_.Analyse(block, start_, index_);

  const auto place = [&](int row, int column) {
    const auto begin = index_.begin() + start_[row / block];
    const auto end = index_.begin() + start_[row / block + 1];
    const auto entry = std::lower_bound(begin, end, column / block) - index_.begin();
    return static_cast<int>(entry) * block * block + row % block * block + column % block;
  };
  constant_.assign(index_.size() * block * block, 0.0);
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      constant_[place(i, a.column[k])] = scale_[i] * a.value[k] * scale_[a.column[k]];
    }
  }
  values_.resize(constant_.size());
  diagonal_.clear();
  for (const RowGroup& group : problem_->groups()) {
    for (int i = 0; i < group.size; ++i) {
      for (int j = 0; j < group.size; ++j) {
        diagonal_.push_back(place(group.first_row + i, group.first_row + j));
      }
    }
  }
}

bool RegularisedSystem::FactoriseInverse(const double* left, const double* right) {
  Require(form_ == Form::kVelocities, "regularised system: D^-1 is for the form kVelocities");
  return velocities_.FactoriseInverse(left, right);
}

bool RegularisedSystem::Factorise(const double* blocks, bool symmetric) {
  const std::vector<RowGroup>& groups = problem_->groups();
  if (form_ == Form::kVelocities) return velocities_.Factorise(blocks, symmetric);
  if (form_ == Form::kRows) {
    std::copy(constant_.begin(), constant_.end(), values_.begin());
    for (int k = 0; k < block_values(); ++k) values_[diagonal_[k]] += blocks[k];
    return factor_.Factorise(values_.data(), symmetric && symmetric_);
  }
  dense_->sum = dense_->a;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    const int size = groups[g].size;
    dense_->sum.block(first, first, size, size) +=
        ConstSmallMap(blocks + block_start_[g], size, size);
  }
  dense_->use_cholesky = symmetric && symmetric_;
  if (dense_->use_cholesky) {
    dense_->cholesky.compute(dense_->sum);
    if (dense_->cholesky.info() == Eigen::Success) {
      return dense_->cholesky.matrixLLT().diagonal().allFinite();
    }
    dense_->use_cholesky = false;  // not definite to rounding: pivoting copes
  }
  dense_->lu.compute(dense_->sum);
  return dense_->lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 &&
         dense_->lu.matrixLU().allFinite();
}

double RegularisedSystem::work() const {
  if (form_ == Form::kVelocities) return velocities_.work();
  const double n = problem_->rows();
  return form_ == Form::kDense ? n * n * n / 3 : factor_.work();
}

bool RegularisedSystem::definite() const {
  if (form_ == Form::kVelocities) return true;
  return form_ == Form::kDense ? dense_->use_cholesky : factor_.definite();
}

void RegularisedSystem::Solve(const double* r, double* z) {
  if (form_ == Form::kVelocities) return velocities_.Solve(r, z);
  const int n = problem_->rows();
  using Vector = Eigen::Map<Eigen::VectorXd>;
  using ConstVector = Eigen::Map<const Eigen::VectorXd>;
  if (form_ == Form::kDense) {
    if (z != r) std::copy(r, r + n, z);
    Vector out(z, n);
    if (dense_->use_cholesky) {
      dense_->cholesky.solveInPlace(out);
    } else {
      z_.assign(z, z + n);
      out = dense_->lu.solve(ConstVector(z_.data(), n));
    }
    return;
  }
  if (z != r) std::copy(r, r + n, z);
  factor_.Solve(z);
}

}  // namespace nonsmooth
