// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/bpp.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>

namespace nonsmooth {

struct BppSolver::Factor {
  // Dense: rows of F in order.
  std::vector<int> rows;
  std::vector<int> place;
  std::vector<double> storage;
  std::vector<double> right;

  // Sparse: all rows, lower triangle by columns (the rows of A up to the diagonal, transposed).
  std::vector<int> row_start, column;  ///< of the A that was analysed
  Eigen::SparseMatrix<double> masked;
  std::vector<int> source;  ///< entry of A behind every entry of `masked`
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt;
};

BppSolver::BppSolver() : factor_(std::make_unique<Factor>()) {}
BppSolver::~BppSolver() = default;

void BppSolver::Allocate(const Model& model) {
  const int n = model.rows();
  w_.resize(n);
  factored_.clear();
  Factor& factor = *factor_;
  if (n <= kDenseRows) {
    factor.rows.reserve(n);
    factor.place.resize(n);
    factor.storage.resize(static_cast<std::size_t>(n) * n);
    factor.right.resize(n);
    return;
  }
  if (factor.row_start == model.matrix.row_start && factor.column == model.matrix.column) return;
  factor.row_start = model.matrix.row_start;
  factor.column = model.matrix.column;
  factor.source.clear();
  factor.masked.resize(n, n);
  factor.masked.reserve(static_cast<int>(factor.column.size()) / 2 + n);
  // Ã is symmetric: the part of row i from the diagonal on is column i of the lower triangle.
  for (int i = 0; i < n; ++i) {
    factor.masked.startVec(i);
    for (int k = factor.row_start[i]; k < factor.row_start[i + 1]; ++k) {
      if (factor.column[k] < i) continue;
      factor.masked.insertBack(factor.column[k], i) = 1;
      factor.source.push_back(k);
    }
  }
  factor.masked.finalize();
  factor.llt.analyzePattern(factor.masked);
}

OptionFields BppSolver::Tuning() {
  OptionFields fields = BoxedPivoting::Tuning();
  fields.insert(
      fields.end(),
      {
          {"patience", "pivots", "Without fewer violations before only the worst rows change sides",
           &tuning_.patience, 1, 1000000.0},
          {"greedy_patience", "pivots", "Of those, before rows change sides one by one",
           &tuning_.greedy_patience, 1, 1000000.0},
          {"greedy_share", "-", "Of the worst violation: what counts as one of the worst",
           &tuning_.greedy_share, 0, 1},
      });
  return fields;
}

bool BppSolver::Factorise(const Model& model, const std::vector<RowState>& state) {
  if (factored_ == state) return true;
  factored_.clear();
  const int n = model.rows();
  const CsrMatrix& a = model.matrix;
  Factor& factor = *factor_;
  if (n <= kDenseRows) {
    factor.rows.clear();
    for (int i = 0; i < n; ++i) {
      factor.place[i] = state[i] == RowState::kFree ? static_cast<int>(factor.rows.size()) : -1;
      if (state[i] == RowState::kFree) factor.rows.push_back(i);
    }
    const int f = static_cast<int>(factor.rows.size());
    Eigen::Map<Eigen::MatrixXd> lower(factor.storage.data(), f, f);
    lower.setZero();
    for (int i : factor.rows) {
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        const int j = factor.place[a.column[k]];
        if (j >= 0) lower(factor.place[i], j) = a.value[k];
      }
    }
    if (f > 0) {
      Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(lower);
      if (llt.info() != Eigen::Success) return false;
    }
  } else {
    double* value = factor.masked.valuePtr();
    std::size_t entry = 0;
    for (int i = 0; i < n; ++i) {
      const bool free = state[i] == RowState::kFree;
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        const int j = a.column[k];
        if (j < i) continue;
        const bool both = free && state[j] == RowState::kFree;
        value[entry++] = both ? a.value[k] : i == j ? 1.0 : 0.0;
      }
    }
    factor.llt.factorize(factor.masked);
    if (factor.llt.info() != Eigen::Success) return false;
  }
  factored_ = state;
  return true;
}

void BppSolver::SolveFree(const std::vector<RowState>& state, std::vector<double>& y) {
  Factor& factor = *factor_;
  const int n = static_cast<int>(y.size());
  if (n <= kDenseRows) {
    const int f = static_cast<int>(factor.rows.size());
    if (f == 0) return;
    Eigen::Map<Eigen::VectorXd> right(factor.right.data(), f);
    for (int i = 0; i < f; ++i) right(i) = y[factor.rows[i]];
    const Eigen::Map<const Eigen::MatrixXd> lower(factor.storage.data(), f, f);
    lower.triangularView<Eigen::Lower>().solveInPlace(right);
    lower.triangularView<Eigen::Lower>().transpose().solveInPlace(right);
    for (int i = 0; i < f; ++i) y[factor.rows[i]] = right(i);
    return;
  }
  Eigen::Map<Eigen::VectorXd> all(y.data(), n);
  for (int i = 0; i < n; ++i) {
    if (state[i] != RowState::kFree) all(i) = 0;
  }
  all = factor.llt.solve(all).eval();
}

BppSolver::Outcome BppSolver::SolveModel(const Model& model, std::vector<double>& x,
                                         std::vector<RowState>& state, Monitor& monitor) {
  const int n = model.rows();
  for (int i = 0; i < n; ++i) {
    if (model.pinned[i] != 0) state[i] = RowState::kLower;
  }
  int least = n + 1;
  int patience = tuning_.patience;
  for (;;) {
    if (!factorisation_.Begin(static_cast<double>(n) * n, monitor)) return Outcome::kStopped;
    const bool definite = Factorise(model, state);
    factorisation_.End(monitor);
    if (!definite) return Outcome::kNotDefinite;
    for (int i = 0; i < n; ++i) {
      if (state[i] != RowState::kFree) x[i] = model.bounds.BoundOf(i, state[i]);
    }
    for (int refinement = 0; refinement < 2; ++refinement) {
      ModelVelocity(model.matrix, model.vector, x, w_);
      SolveFree(state, w_);
      for (int i = 0; i < n; ++i) {
        if (state[i] == RowState::kFree) x[i] -= w_[i];
      }
    }
    ModelVelocity(model.matrix, model.vector, x, w_);
    if (!Report(x, monitor)) return Outcome::kStopped;

    int violations = 0;
    int first = -1;
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      const double violation = Violation(model, i, state[i], x[i], w_[i]);
      if (violation == 0) continue;
      largest = std::max(largest, violation);
      if (first < 0) first = i;
      ++violations;
    }
    if (violations == 0) return Outcome::kSolved;
    if (violations < least) {
      least = violations;
      patience = tuning_.patience;
    } else {
      --patience;
    }
    if (patience < -tuning_.greedy_patience) {
      if (!model.must_end) return Outcome::kHard;
      state[first] = Pivoted(model, first, state[first], x[first]);
      continue;
    }
    const double cut = patience >= 0 ? 0 : tuning_.greedy_share * largest;
    for (int i = 0; i < n; ++i) {
      if (Violation(model, i, state[i], x[i], w_[i]) > cut) {
        state[i] = Pivoted(model, i, state[i], x[i]);
      }
    }
  }
}

}  // namespace nonsmooth
