// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/row_system.h"

#include <algorithm>

#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {

bool RowSystem::Applies(const Dynamics& dynamics) {
  return dynamic_cast<const MatrixDynamics*>(&dynamics) != nullptr;
}

const std::vector<std::uint64_t>& RowSystem::Keys(const FeasibleSet& set) {
  pattern_.Build(set.problem());
  return pattern_.keys();
}

void RowSystem::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  factor_.Analyse(pattern_.graph());
  v_.assign(std::size_t{kPadded} * factor_.blocks(), 0.0);
  index_of_.assign(layout.set().problem().rows(), -1);
  at_.assign(layout.size(), -1);
  member_of_.assign(layout.size(), 0);
  for (int k = 0; k < layout.size(); ++k) {
    const int row = layout.row()[k];
    if (row < 0) continue;
    index_of_[row] = k;
    member_of_[k] = pattern_.member_of(row);
    at_[k] = std::ptrdiff_t{kPadded} * factor_.place(pattern_.block_of(row)) + member_of_[k];
  }
  FindEntries();
}

void RowSystem::FindEntries() {
  const Problem& problem = layout_->set().problem();
  const CsrMatrix& a = dynamic_cast<const MatrixDynamics&>(problem.dynamics()).matrix();
  entries_.clear();
  start_.assign(1, 0);
  for (int k = 0; k < layout_->size(); ++k) {
    const int row = layout_->row()[k];
    if (row >= 0) {
      const int row_place = factor_.place(pattern_.block_of(row));
      int last_block = -1;
      std::ptrdiff_t block_at = 0;
      for (int e = a.row_start[row]; e < a.row_start[row + 1]; ++e) {
        const int column = index_of_[a.column[e]];
        if (column < 0) continue;
        const int block = pattern_.block_of(a.column[e]);
        const int column_place = factor_.place(block);
        if (block != last_block) {
          last_block = block;
          block_at = std::ptrdiff_t{kBlockSize} * factor_.Find(std::min(row_place, column_place),
                                                               std::max(row_place, column_place));
        }
        // L is kept transposed.
        const bool lower = row_place > column_place;
        const int member = member_of_[column];
        entries_.push_back({layout_->scale()[k] * a.value[e] * layout_->scale()[column], column,
                            lower, block_at + (lower ? member * kPadded : member),
                            lower ? 1 : kPadded});
      }
    }
    start_.push_back(static_cast<int>(entries_.size()));
  }
}

/// The rows of I + D Â that belong to a unit.
void RowSystem::AddEntries(const UnitFamily& family, int i, const double* matrix) {
  double* upper = factor_.upper(0);
  double* lower = factor_.lower(0);
  const int n = family.rows;
  for (int c = 0; c < n; ++c) {
    const int from = family.first + c * family.stride + i;
    for (int e = start_[from]; e < start_[from + 1]; ++e) {
      const Entry& entry = entries_[e];
      double* to = (entry.lower ? lower : upper) + entry.target;
      for (int r = 0; r < n; ++r) {
        const int row = family.first + r * family.stride + i;
        if (at_[row] < 0) continue;
        const double d = matrix[family.first_matrix + (r * n + c) * family.stride + i];
        to[member_of_[row] * entry.stride] += d * entry.value;
      }
    }
  }
}

bool RowSystem::Factorise(const double* matrix, bool /*symmetric*/) {
  factor_.Clear(false);
  for (int i = 0; i < factor_.blocks(); ++i) {
    double* diagonal = factor_.upper(factor_.Find(i, i));
    for (int k = 0; k < kBlockRows; ++k) diagonal[k * kPadded + k] = 1;
  }
  for (const UnitFamily& family : layout_->families()) {
    for (int i = 0; i < family.count; ++i) AddEntries(family, i, matrix);
  }
  return factor_.Factorise(false);
}

void RowSystem::Solve(const double* y, double* delta, double* q) {
  std::fill(v_.begin(), v_.end(), 0.0);
  for (std::size_t k = 0; k < at_.size(); ++k) {
    if (at_[k] >= 0) v_[at_[k]] = y[k];
  }
  factor_.Solve(v_.data());
  for (std::size_t k = 0; k < at_.size(); ++k) delta[k] = at_[k] >= 0 ? v_[at_[k]] : 0;
  Multiply(delta, q);
}

void RowSystem::Multiply(const double* x, double* q) {
  for (std::size_t k = 0; k + 1 < start_.size(); ++k) {
    double sum = 0;
    for (int e = start_[k]; e < start_[k + 1]; ++e) {
      sum += entries_[e].value * x[entries_[e].column];
    }
    q[k] = sum;
  }
}

double RowSystem::Work(bool /*symmetric*/) const {
  return factor_.factor_work(false) + 6.0 * static_cast<double>(entries_.size());
}

}  // namespace nonsmooth
