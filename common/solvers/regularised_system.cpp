// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/regularised_system.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/solvers/mass_root.h"
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
using SmallMap = Eigen::Map<SmallMatrix>;
using ConstSmallMap = Eigen::Map<const SmallMatrix>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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
  const auto* sparse = dynamic_cast<const SparseDynamics*>(&dynamics);
  const bool two_body = dynamic_cast<const TwoBodyDynamics*>(&dynamics) != nullptr;
  const bool factored = two_body || (sparse != nullptr && sparse->symmetric());
  if (factored && n > kFewRows) {
    form_ = Form::kVelocities;
    symmetric_ = true;
    PrepareVelocities();
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

void RegularisedSystem::PrepareVelocities() {
  const int n = problem_->rows();
  row_start_.assign(1, 0);
  row_block_.clear();
  row_value_.clear();
  compliance_.resize(n);
  if (const auto* two = dynamic_cast<const TwoBodyDynamics*>(&problem_->dynamics())) {
    std::vector<MassRoot> roots;
    for (const Body& body : two->bodies()) roots.push_back(RootOf(body));
    for (int i = 0; i < n; ++i) {
      const TwoBodyRow& row = two->body_rows()[i];
      compliance_[i] = scale_[i] * scale_[i] * row.compliance;
      for (int side = 0; side < 2; ++side) {
        const int body = side == 0 ? row.body_a : row.body_b;
        if (body < 0 || !roots[body].movable) continue;
        double value[6];
        const double* j = row.jacobian.data() + 6 * side;
        for (int k = 0; k < 3; ++k) value[k] = j[k] * roots[body].linear[k];
        TimesRoot(roots[body], j + 3, value + 3);
        const bool again = side == 1 && body == row.body_a;
        if (!again) {
          row_block_.push_back(body);
          row_value_.resize(row_value_.size() + 6, 0.0);
        }
        double* to = row_value_.data() + row_value_.size() - 6;
        for (int k = 0; k < 6; ++k) to[k] += scale_[i] * value[k];
      }
      row_start_.push_back(static_cast<int>(row_block_.size()));
    }
    start_.assign(two->bodies().size() + 1, 0);
    BuildVelocityPattern();
    factor_.Analyse(6, start_, index_);
  } else {
    const auto& sparse = dynamic_cast<const SparseDynamics&>(problem_->dynamics());
    const CsrMatrix& root = sparse.root();
    for (int i = 0; i < n; ++i) {
      compliance_[i] = scale_[i] * scale_[i] * sparse.system().compliance[i];
      for (int k = root.row_start[i]; k < root.row_start[i + 1]; ++k) {
        row_block_.push_back(root.column[k]);
        row_value_.push_back(scale_[i] * root.value[k]);
      }
      row_start_.push_back(static_cast<int>(row_block_.size()));
    }
    start_.assign(root.columns + 1, 0);
    BuildVelocityPattern();
    factor_.Analyse(1, start_, index_);
  }
  const int block = factor_.block();
  values_.resize(index_.size() * block * block);
  y_.resize(static_cast<std::size_t>(block) * factor_.rows());
  left_.resize(block_values());
  right_.resize(block_values());
}

void RegularisedSystem::BuildVelocityPattern() {
  const int blocks = static_cast<int>(start_.size()) - 1;
  group_start_.assign(1, 0);
  group_block_.clear();
  pair_start_.assign(1, 0);
  for (const RowGroup& group : problem_->groups()) {
    const std::size_t first = group_block_.size();
    group_block_.insert(group_block_.end(), row_block_.begin() + row_start_[group.first_row],
                        row_block_.begin() + row_start_[group.first_row + group.size]);
    std::sort(group_block_.begin() + first, group_block_.end());
    group_block_.erase(std::unique(group_block_.begin() + first, group_block_.end()),
                       group_block_.end());
    const int touched = static_cast<int>(group_block_.size() - first);
    group_start_.push_back(static_cast<int>(group_block_.size()));
    pair_start_.push_back(pair_start_.back() + touched * touched);
  }
  // Every pair of a group, sorted into rows by counting, then made unique.
  const int groups = static_cast<int>(group_start_.size()) - 1;
  std::vector<int> count(blocks + 1, 0);
  const auto for_each_pair = [&](auto&& visit) {
    for (int i = 0; i < blocks; ++i) visit(i, i);
    for (int g = 0; g < groups; ++g) {
      for (int p = group_start_[g]; p < group_start_[g + 1]; ++p) {
        for (int q = group_start_[g]; q < group_start_[g + 1]; ++q) {
          visit(group_block_[p], group_block_[q]);
        }
      }
    }
  };
  for_each_pair([&](int i, int) { ++count[i + 1]; });
  for (int i = 0; i < blocks; ++i) count[i + 1] += count[i];
  std::vector<int> all(count[blocks]);
  std::vector<int> next(count.begin(), count.end() - 1);
  for_each_pair([&](int i, int j) { all[next[i]++] = j; });
  index_.clear();
  for (int i = 0; i < blocks; ++i) {
    std::sort(all.begin() + count[i], all.begin() + count[i + 1]);
    const auto end = std::unique(all.begin() + count[i], all.begin() + count[i + 1]);
    index_.insert(index_.end(), all.begin() + count[i], end);
    start_[i + 1] = static_cast<int>(index_.size());
  }
  pair_.clear();
  for (int g = 0; g < groups; ++g) {
    for (int p = group_start_[g]; p < group_start_[g + 1]; ++p) {
      const auto begin = index_.begin() + start_[group_block_[p]];
      const auto end = index_.begin() + start_[group_block_[p] + 1];
      for (int q = group_start_[g]; q < group_start_[g + 1]; ++q) {
        const auto at = std::lower_bound(begin, end, group_block_[q]) - index_.begin();
        pair_.push_back(static_cast<int>(at));
      }
    }
  }
}

bool RegularisedSystem::InvertBlocks(const double* blocks) {
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
void RegularisedSystem::AddCompliance() {
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

void RegularisedSystem::AssembleVelocities() {
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

bool RegularisedSystem::FactoriseInverse(const double* left, const double* right) {
  Require(form_ == Form::kVelocities, "regularised system: D^-1 is for the form kVelocities");
  left_.assign(left, left + block_values());
  if (right != nullptr) {
    right_.assign(right, right + block_values());
  } else {
    const std::vector<RowGroup>& groups = problem_->groups();
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
      const int size = groups[g].size;
      SmallMap(right_.data() + block_start_[g], size, size) =
          ConstSmallMap(left + block_start_[g], size, size).transpose();
    }
  }
  AddCompliance();
  AssembleVelocities();
  return factor_.Factorise(values_.data(), right == nullptr);
}

bool RegularisedSystem::Factorise(const double* blocks, bool symmetric) {
  const std::vector<RowGroup>& groups = problem_->groups();
  if (form_ == Form::kVelocities) {
    if (!InvertBlocks(blocks)) return false;
    AddCompliance();
    AssembleVelocities();
    return factor_.Factorise(values_.data(), symmetric);
  }
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

void RegularisedSystem::TimesInverse(const double* r, double* z) const {
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

void RegularisedSystem::Solve(const double* r, double* z) {
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
  if (form_ == Form::kRows) {
    if (z != r) std::copy(r, r + n, z);
    factor_.Solve(z);
    return;
  }
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
