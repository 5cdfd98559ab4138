// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/impulse_response.h"

#include <algorithm>

#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {
void MatrixResponse::Prepare(const Problem& problem) {
  problem_ = &problem;
  const Dynamics& dynamics = problem.dynamics();
  const auto* only_matrix = dynamic_cast<const MatrixDynamics*>(&dynamics);
  const CsrMatrix& a = only_matrix != nullptr ? only_matrix->matrix() : dynamics.Assembled();
  const std::vector<RowGroup>& posed = problem.groups();
  const int count = static_cast<int>(posed.size());
  groups_.resize(count);
  group_of_row_.resize(a.rows);
  w_.resize(a.rows);
  for (int g = 0; g < count; ++g) {
    groups_[g] = {posed[g].first_row, posed[g].size, 0, 0, 0};
    std::fill_n(group_of_row_.begin() + posed[g].first_row, posed[g].size, g);
  }
  // Entries of a row of A are sorted, so those of one group stand side by side.
  const auto for_each_entry = [&](auto&& begin_entry, auto&& add) {
    for (int i = 0; i < a.rows; ++i) {
      int last = -1;
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        const int g = group_of_row_[a.column[k]];
        if (g != last) begin_entry(g, i);
        last = g;
        add(g, a.column[k], a.value[k]);
      }
    }
  };
  for_each_entry([&](int g, int) { ++groups_[g].end_entry; }, [](int, int, double) {});
  int entries = 0;
  int values = 0;
  for (Group& group : groups_) {
    const int own = group.end_entry;
    group.first_entry = group.end_entry = entries;  // the end moves as entries come in
    group.first_value = values;
    entries += own;
    values += own * group.size;
  }
  row_.resize(entries);
  value_.assign(values, 0.0);
  for_each_entry([&](int g, int row) { row_[groups_[g].end_entry++] = row; },
                 [&](int g, int column, double value) {
                   const Group& group = groups_[g];
                   const int entry = group.end_entry - 1 - group.first_entry;
                   value_[group.first_value + entry * group.size + column - group.first_row] =
                       value;
                 });
}

void MatrixResponse::Load(const double* x) {
  problem_->dynamics().ConstraintVelocity(x, w_.data(), workspace_);
}

void MatrixResponse::Add(int g, const double* change) {
  const Group& group = groups_[g];
  const double* value = value_.data() + group.first_value;
  if (group.size == 3) {
    const double d0 = change[0];
    const double d1 = change[1];
    const double d2 = change[2];
    for (int k = group.first_entry; k < group.end_entry; ++k, value += 3) {
      w_[row_[k]] += value[0] * d0 + value[1] * d1 + value[2] * d2;
    }
    return;
  }
  for (int k = group.first_entry; k < group.end_entry; ++k, value += group.size) {
    double sum = 0;
    for (int i = 0; i < group.size; ++i) sum += value[i] * change[i];
    w_[row_[k]] += sum;
  }
}

void BodyResponse::Prepare(const Problem& problem) {
  problem_ = &problem;
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(problem.dynamics());
  roots_.clear();
  for (const Body& body : dynamics.bodies()) roots_.push_back(RootOf(body));
  const int sink = static_cast<int>(roots_.size());
  z_.resize(PackedRow::kRecord * (roots_.size() + 1));
  w_.resize(dynamics.rows());
  rows_.clear();
  rows_.reserve(dynamics.rows());
  for (int i = 0; i < dynamics.rows(); ++i) {
    rows_.emplace_back(dynamics.body_rows()[i], dynamics.bias()[i], roots_, sink);
  }
}

void BodyResponse::Load(const double* x) {
  std::fill(z_.begin(), z_.end(), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (x[i] != 0) rows_[i].Add(x[i], z_.data());
  }
}

const double* BodyResponse::Velocity(int g, const double* x) {
  const RowGroup& group = problem_->groups()[g];
  for (int i = 0; i < group.size; ++i) {
    const int row = group.first_row + i;
    group_w_[i] = rows_[row].Velocity(z_.data(), x[row]);
  }
  return group_w_;
}

void BodyResponse::Add(int g, const double* change) {
  const RowGroup& group = problem_->groups()[g];
  for (int i = 0; i < group.size; ++i) rows_[group.first_row + i].Add(change[i], z_.data());
}

const double* BodyResponse::All(const double* x) {
  for (std::size_t i = 0; i < rows_.size(); ++i) w_[i] = rows_[i].Velocity(z_.data(), x[i]);
  return w_.data();
}

}  // namespace nonsmooth
