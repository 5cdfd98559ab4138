// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/velocity_pattern.h"

#include <algorithm>
#include <numeric>

#include "common/linalg/supernodal_kernel.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {

bool VelocityPattern::Applies(const Dynamics& dynamics) {
  return dynamic_cast<const TwoBodyDynamics*>(&dynamics) != nullptr ||
         dynamic_cast<const SparseDynamics*>(&dynamics) != nullptr ||
         dynamics.ScaledJacobian() != nullptr;
}

void VelocityPattern::FindBodies() {
  const int n = static_cast<int>(bodies_->bodies().size());
  block_of_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    if (!bodies_->bodies()[i].movable()) continue;
    block_of_[i] = static_cast<int>(first_of_.size());
    first_of_.push_back(i);
    members_.push_back(kBlockRows);
  }
}

/// Neighbours that a row of J or M reaches both are likely to be one body's.
void VelocityPattern::FindVariables() {
  const int n = jacobian_->columns;
  block_of_.assign(n, 0);
  member_of_.assign(n, 0);
  for (const CsrMatrix* matrix : {mass_, jacobian_}) {
    if (matrix == nullptr) continue;
    for (int i = 0; i < matrix->rows; ++i) {
      for (int k = matrix->row_start[i] + 1; k < matrix->row_start[i + 1]; ++k) {
        if (matrix->column[k - 1] + 1 == matrix->column[k]) member_of_[matrix->column[k]] = 1;
      }
    }
  }
  int members = kBlockRows;
  for (int j = 0; j < n; ++j) {
    if (member_of_[j] == 0 || members == kBlockRows) {
      first_of_.push_back(j);
      members_.push_back(0);
      members = 0;
    }
    block_of_[j] = blocks() - 1;
    member_of_[j] = members++;
    members_.back() = members;
  }
}

void VelocityPattern::FindGroups(const Problem& problem) {
  group_start_.assign(1, 0);
  group_block_.clear();
  for (const RowGroup& group : problem.groups()) {
    const auto first = static_cast<std::ptrdiff_t>(group_block_.size());
    for (int row = group.first_row; row < group.first_row + group.size; ++row) {
      if (bodies_ != nullptr) {
        const TwoBodyRow& body_row = bodies_->body_rows()[row];
        for (int body : {body_row.body_a, body_row.body_b}) {
          if (body >= 0 && block_of_[body] >= 0) group_block_.push_back(block_of_[body]);
        }
      } else {
        for (int k = jacobian_->row_start[row]; k < jacobian_->row_start[row + 1]; ++k) {
          group_block_.push_back(block_of_[jacobian_->column[k]]);
        }
      }
    }
    std::sort(group_block_.begin() + first, group_block_.end());
    group_block_.erase(std::unique(group_block_.begin() + first, group_block_.end()),
                       group_block_.end());
    group_start_.push_back(static_cast<int>(group_block_.size()));
  }
}

void VelocityPattern::MakeKeys() {
  const int groups = static_cast<int>(group_start_.size()) - 1;
  keys_.resize(groups);
  bool pairs = true;
  for (int g = 0; g < groups; ++g) pairs = pairs && count(g) <= 2;
  if (pairs) {
    for (int g = 0; g < groups; ++g) {
      std::uint64_t key = 0;
      for (int k = 0; k < count(g); ++k) {
        key = (key << 32) + static_cast<std::uint64_t>(begin(g)[k]) + 1;
      }
      keys_[g] = key;
    }
    return;
  }
  by_list_.resize(groups);
  std::iota(by_list_.begin(), by_list_.end(), 0);
  const auto less = [&](int a, int b) {
    return std::lexicographical_compare(begin(a), begin(a) + count(a), begin(b),
                                        begin(b) + count(b));
  };
  std::sort(by_list_.begin(), by_list_.end(),
            [&](int a, int b) { return less(a, b) || (!less(b, a) && a < b); });
  std::uint64_t key = 0;
  for (int i = 0; i < groups; ++i) {
    if (i > 0 && less(by_list_[i - 1], by_list_[i])) ++key;
    keys_[by_list_[i]] = key;
  }
}

/// Of blocks that are coupled, in both orders; many are visited several times.
template <class Visit>
void VelocityPattern::ForEachGroupPair(Visit&& visit) const {
  for (std::size_t g = 0; g < keys_.size(); ++g) {
    // Contacts of one pair of bodies follow each other, as a rule.
    if (g > 0 && keys_[g] == keys_[g - 1]) continue;
    const int* block = begin(static_cast<int>(g));
    const int n = count(static_cast<int>(g));
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q < n; ++q) {
        if (p != q) visit(block[p], block[q]);
      }
    }
  }
}

template <class Visit>
void VelocityPattern::ForEachMassPair(Visit&& visit) const {
  for (int i = 0; i < mass_->rows; ++i) {
    for (int k = mass_->row_start[i]; k < mass_->row_start[i + 1]; ++k) {
      const int p = block_of_[i], q = block_of_[mass_->column[k]];
      if (p == q) continue;
      visit(p, q);
      visit(q, p);
    }
  }
}

template <class ForEach>
void VelocityPattern::BuildGraph(ForEach&& for_each, GroupGraph* graph) {
  const int n = blocks();
  count_.assign(n + 1, 0);
  for_each([&](int i, int) { ++count_[i + 1]; });
  for (int i = 0; i < n; ++i) count_[i + 1] += count_[i] + 1;
  pairs_.resize(count_[n]);
  for (int i = 0; i < n; ++i) pairs_[count_[i]++] = i;
  for_each([&](int i, int j) { pairs_[count_[i]++] = j; });
  graph->weight.assign(n, kBlockRows);
  graph->start.assign(1, 0);
  graph->neighbour.clear();
  for (int i = 0, begin = 0; i < n; begin = count_[i++]) {
    std::sort(pairs_.begin() + begin, pairs_.begin() + count_[i]);
    const auto end = std::unique(pairs_.begin() + begin, pairs_.begin() + count_[i]);
    graph->neighbour.insert(graph->neighbour.end(), pairs_.begin() + begin, end);
    graph->start.push_back(static_cast<int>(graph->neighbour.size()));
  }
}

void VelocityPattern::Build(const Problem& problem) {
  bodies_ = dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics());
  const auto* sparse = dynamic_cast<const SparseDynamics*>(&problem.dynamics());
  mass_ = sparse != nullptr ? &sparse->system().mass : nullptr;
  mass_symmetric_ = sparse == nullptr || sparse->symmetric();
  jacobian_ = sparse != nullptr ? &sparse->system().jacobian : problem.dynamics().ScaledJacobian();
  first_of_.clear();
  members_.clear();
  if (bodies_ != nullptr) {
    FindBodies();
  } else {
    FindVariables();
  }
  FindGroups(problem);
  MakeKeys();
  BuildGraph(
      [this](auto&& visit) {
        ForEachGroupPair(visit);
        if (mass_ != nullptr) ForEachMassPair(visit);
      },
      &graph_);
  if (mass_ == nullptr) return;
  BuildGraph([this](auto&& visit) { ForEachMassPair(visit); }, &mass_graph_);
}

}  // namespace nonsmooth
