// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/mass_factor.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

using SparseColumns = Eigen::SparseMatrix<double>;

/// Rounding in the engine's assembly is allowed for.
constexpr double kSymmetric = 1e-12;

Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> View(const CsrMatrix& matrix) {
  return {matrix.rows,          matrix.columns,     matrix.nonzeros(), matrix.row_start.data(),
          matrix.column.data(), matrix.value.data()};
}

}  // namespace

class MassFactor::Unsymmetric {
 public:
  explicit Unsymmetric(const SparseColumns& mass) {
    lu_.compute(mass);
    Require(lu_.info() == Eigen::Success, "mass matrix: cannot be factorised");
  }

  void Solve(double* v, std::vector<double>& scratch) const {
    Eigen::Map<Eigen::VectorXd> to(v, lu_.rows());
    Eigen::Map<Eigen::VectorXd> from(scratch.data(), lu_.rows());
    from = to;
    to = lu_.solve(from);
  }

  /// (M⁻¹ Jᵀ)ᵀ, by rows.
  CsrMatrix Responses(const CsrMatrix& jacobian) const {
    const SparseColumns right = SparseColumns(View(jacobian)).transpose();
    const SparseColumns columns = lu_.solve(right);
    CsrMatrix rows{jacobian.rows, jacobian.columns, {0}, {}, {}};
    for (int i = 0; i < rows.rows; ++i) {
      for (SparseColumns::InnerIterator it(columns, i); it; ++it) {
        rows.column.push_back(static_cast<int>(it.row()));
        rows.value.push_back(it.value());
      }
      rows.row_start.push_back(rows.nonzeros());
    }
    return rows;
  }

 private:
  Eigen::SparseLU<SparseColumns> lu_;
};

MassFactor::MassFactor() = default;
MassFactor& MassFactor::operator=(MassFactor&&) noexcept = default;

MassFactor::MassFactor(const CsrMatrix& mass) : size_(mass.rows) {
  column_.assign(1, 0);
  if (size_ == 0) return;  // Eigen's products of empty matrices read through null
  const bool symmetric = Asymmetry(mass) <= kSymmetric;
  const SparseColumns columns(View(mass));
  // A matrix that is positive definite without being symmetric is one whose symmetric part is.
  const SparseColumns transposed = columns.transpose();
  const Eigen::SimplicialLDLT<SparseColumns> ldlt(
      symmetric ? columns : SparseColumns(0.5 * (columns + transposed)));
  const Eigen::VectorXd diagonal = ldlt.vectorD();
  Require(ldlt.info() == Eigen::Success && diagonal.minCoeff() > 0,
          "mass matrix: not positive definite");
  if (!symmetric) {
    lu_ = std::make_unique<Unsymmetric>(columns);
    return;
  }
  const SparseColumns& lower = ldlt.matrixL().nestedExpression();
  for (int k = 0; k < size_; ++k) {
    for (SparseColumns::InnerIterator it(lower, k); it; ++it) {
      if (it.row() <= k) continue;
      row_.push_back(static_cast<int>(it.row()));
      value_.push_back(it.value());
    }
    column_.push_back(static_cast<int>(row_.size()));
  }
  diagonal_.assign(diagonal.data(), diagonal.data() + size_);
  place_.assign(ldlt.permutationP().indices().data(), ldlt.permutationP().indices().data() + size_);
}

MassFactor::~MassFactor() = default;

void MassFactor::BecomePart(const MassFactor& whole, const CsrMatrix& mass,
                            const Renumbering& variables, Renumbering& pivots) {
  if (!whole.symmetric()) {
    *this = MassFactor(mass);
    return;
  }
  lu_.reset();
  size_ = variables.size();
  place_.clear();
  for (const int variable : variables.whole) place_.push_back(whole.place_[variable]);
  pivots.Reset(whole.size_);
  std::vector<int>& order = pivots.whole;
  order = place_;
  std::sort(order.begin(), order.end());
  for (int k = 0; k < size_; ++k) pivots.part[order[k]] = k;
  for (int& place : place_) place = pivots.part[place];
  column_.assign(1, 0);
  row_.clear();
  value_.clear();
  diagonal_.clear();
  for (const int k : order) {
    for (int j = whole.column_[k]; j < whole.column_[k + 1]; ++j) {
      // What is zero only by cancellation or because it was stored may point elsewhere.
      if (!pivots.Holds(whole.row_[j])) continue;
      row_.push_back(pivots.part[whole.row_[j]]);
      value_.push_back(whole.value_[j]);
    }
    column_.push_back(static_cast<int>(row_.size()));
    diagonal_.push_back(whole.diagonal_[k]);
  }
}

void MassFactor::Solve(double* v, std::vector<double>& scratch) const {
  scratch.resize(size_);
  if (lu_ != nullptr) {
    lu_->Solve(v, scratch);
    return;
  }
  double* y = scratch.data();
  for (int i = 0; i < size_; ++i) y[place_[i]] = v[i];
  for (int k = 0; k < size_; ++k) {
    for (int j = column_[k]; j < column_[k + 1]; ++j) y[row_[j]] -= value_[j] * y[k];
  }
  for (int k = size_ - 1; k >= 0; --k) {
    double sum = y[k] / diagonal_[k];
    for (int j = column_[k]; j < column_[k + 1]; ++j) sum -= value_[j] * y[row_[j]];
    y[k] = sum;
  }
  for (int i = 0; i < size_; ++i) v[i] = y[place_[i]];
}

void MassFactor::Split(const CsrMatrix& jacobian, CsrMatrix* left, CsrMatrix* right) const {
  if (lu_ != nullptr) {
    *left = jacobian;
    *right = lu_->Responses(jacobian);
    return;
  }
  *right = CsrMatrix();
  *left = CsrMatrix{jacobian.rows, size_, {0}, {}, {}};
  std::vector<double> z(size_, 0.0);
  std::vector<int> reached_by(size_, -1);
  std::vector<int> reach;
  for (int i = 0; i < jacobian.rows; ++i) {
    reach.clear();
    for (int k = jacobian.row_start[i]; k < jacobian.row_start[i + 1]; ++k) {
      if (jacobian.value[k] == 0) continue;
      int node = place_[jacobian.column[k]];
      z[node] = jacobian.value[k];
      // A node's parent in the elimination tree is the first row below it.
      while (reached_by[node] != i) {
        reached_by[node] = i;
        reach.push_back(node);
        if (column_[node] < column_[node + 1]) node = row_[column_[node]];
      }
    }
    std::sort(reach.begin(), reach.end());  // parents come after their children
    for (int node : reach) {
      for (int j = column_[node]; j < column_[node + 1]; ++j) z[row_[j]] -= value_[j] * z[node];
      left->column.push_back(node);
      left->value.push_back(z[node] / std::sqrt(diagonal_[node]));
      z[node] = 0;
    }
    left->row_start.push_back(left->nonzeros());
  }
}

}  // namespace nonsmooth
