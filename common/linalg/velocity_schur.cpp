// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/velocity_schur.h"

#include <algorithm>

#include "common/linalg/mass_root.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {

bool VelocitySchur::Applies(const Dynamics& dynamics) {
  return dynamic_cast<const TwoBodyDynamics*>(&dynamics) != nullptr ||
         dynamics.ScaledJacobian() != nullptr;
}

void VelocitySchur::Prepare(const Problem& problem, const std::vector<double>& scale,
                            const std::vector<int>& block_start) {
  problem_ = &problem;
  block_start_ = block_start;
  row_start_.assign(1, 0);
  row_block_.clear();
  row_value_.clear();
  compliance_.resize(problem.rows());
  const bool bodies = dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics()) != nullptr;
  if (bodies) {
    CollectBodies(scale);
  } else {
    CollectScaled(scale);
  }
  BuildPattern();
  const int block = bodies ? 6 : 1;
  factor_.Analyse(block, start_, index_);
  values_.resize(index_.size() * block * block);
  y_.resize(static_cast<std::size_t>(block) * factor_.rows());
  z_.resize(problem.rows());
  left_.resize(block_start_.back());
  right_.resize(block_start_.back());
}

void VelocitySchur::CollectBodies(const std::vector<double>& scale) {
  const auto& two = dynamic_cast<const TwoBodyDynamics&>(problem_->dynamics());
  std::vector<MassRoot> roots;
  for (const Body& body : two.bodies()) roots.push_back(RootOf(body));
  for (int i = 0; i < problem_->rows(); ++i) {
    const TwoBodyRow& row = two.body_rows()[i];
    compliance_[i] = scale[i] * scale[i] * row.compliance;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? row.body_a : row.body_b;
      if (body < 0 || !roots[body].movable) continue;
      double value[6];
      const double* j = row.jacobian.data() + 6 * side;
      TimesWholeRoot(roots[body], j, value);
      const bool again = side == 1 && body == row.body_a;
      if (!again) {
        row_block_.push_back(body);
        row_value_.resize(row_value_.size() + 6, 0.0);
      }
      double* to = row_value_.data() + row_value_.size() - 6;
      for (int k = 0; k < 6; ++k) to[k] += scale[i] * value[k];
    }
    row_start_.push_back(static_cast<int>(row_block_.size()));
  }
  start_.assign(two.bodies().size() + 1, 0);
}

void VelocitySchur::CollectScaled(const std::vector<double>& scale) {
  const Dynamics& dynamics = problem_->dynamics();
  const CsrMatrix& root = *dynamics.ScaledJacobian();
  for (int i = 0; i < problem_->rows(); ++i) {
    compliance_[i] = scale[i] * scale[i] * dynamics.Compliance(i);
    for (int k = root.row_start[i]; k < root.row_start[i + 1]; ++k) {
      row_block_.push_back(root.column[k]);
      row_value_.push_back(scale[i] * root.value[k]);
    }
    row_start_.push_back(static_cast<int>(row_block_.size()));
  }
  start_.assign(root.columns + 1, 0);
}

void VelocitySchur::BuildPattern() {
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

}  // namespace nonsmooth
