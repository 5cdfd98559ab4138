// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/islands.h"

#include <algorithm>
#include <numeric>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr int kFixed = -1;      ///< couples nothing
constexpr int kUntouched = -2;  ///< no group has met it yet
constexpr int kNone = -1;

/// Turns counts, one place further on, into the offsets of a list that is then filled with Place().
void StartLists(std::vector<int>& start) {
  std::partial_sum(start.begin(), start.end(), start.begin());
}

/// `item` at the end of part `k`; start[k] moves along, and is put back by EndLists().
void Place(int item, int k, std::vector<int>& start, std::vector<int>& list) {
  list[start[k]++] = item;
}

void EndLists(std::vector<int>& start) {
  for (std::size_t k = start.size() - 1; k > 0; --k) start[k] = start[k - 1];
  start[0] = 0;
}

}  // namespace

void Islands::Reset(int nodes) {
  parent_.assign(nodes, kUntouched);
  count_ = 0;
}

int Islands::Root(int node) {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

/// Adds `node` to the group or block whose root so far is `root` (kNone: none yet). The smaller
/// index becomes the root, whatever the order.
inline void Islands::Join(int& root, int node) {
  if (parent_[node] == kFixed) return;
  if (parent_[node] == kUntouched) {
    parent_[node] = node;
    ++count_;
  }
  const int other = Root(node);
  if (root == kNone) {
    root = other;
    return;
  }
  root = Root(root);
  if (root == other) return;
  --count_;
  if (root < other) {
    parent_[other] = root;
  } else {
    parent_[root] = other;
    root = other;
  }
}

void Islands::JoinPacked(const Problem& problem) {
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(problem.dynamics());
  const std::vector<Body>& bodies = dynamics.bodies();
  Reset(static_cast<int>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].movable()) parent_[i] = kFixed;
  }
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const RowGroup& group = problem.groups()[g];
    const TwoBodyRow* row = dynamics.body_rows().data() + group.first_row;
    int root = kNone;
    for (int i = 0; i < group.size; ++i) {
      if (i > 0 && row[i].body_a == row[i - 1].body_a && row[i].body_b == row[i - 1].body_b) {
        continue;
      }
      if (row[i].body_a >= 0) Join(root, row[i].body_a);
      if (row[i].body_b >= 0) Join(root, row[i].body_b);
    }
    group_root_[g] = root;
  }
}

/// Variables are coupled by entries of `coupling`, M or the root of its inverse; one that has
/// none does not move.
void Islands::JoinVariables(const Problem& problem, const CsrMatrix& jacobian,
                            const CsrMatrix& coupling) {
  Reset(coupling.rows);
  std::fill(parent_.begin(), parent_.end(), kFixed);
  for (int i = 0; i < coupling.rows; ++i) {
    for (int k = coupling.row_start[i]; k < coupling.row_start[i + 1]; ++k) {
      if (coupling.value[k] != 0) parent_[i] = parent_[coupling.column[k]] = kUntouched;
    }
  }
  // Only what M couples to a row matters; what it couples otherwise is no island.
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const RowGroup& group = problem.groups()[g];
    int root = kNone;
    for (int k = jacobian.row_start[group.first_row];
         k < jacobian.row_start[group.first_row + group.size]; ++k) {
      if (jacobian.value[k] != 0) Join(root, jacobian.column[k]);
    }
    group_root_[g] = root;
  }
  const int touched = count_;
  for (int i = 0; i < coupling.rows; ++i) {
    int root = kNone;
    for (int k = coupling.row_start[i]; k < coupling.row_start[i + 1]; ++k) {
      if (coupling.value[k] != 0) Join(root, coupling.column[k]);
    }
    if (root != kNone) Join(root, i);
  }
  if (touched == 0) count_ = 0;
}

void Islands::JoinMatrix(const Problem& problem) {
  const CsrMatrix& a = static_cast<const MatrixDynamics&>(problem.dynamics()).matrix();
  Reset(a.rows);
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const RowGroup& group = problem.groups()[g];
    int root = kNone;
    for (int i = group.first_row; i < group.first_row + group.size; ++i) {
      Join(root, i);
      for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
        if (a.value[k] != 0) Join(root, a.column[k]);
      }
    }
    group_root_[g] = root;
  }
}

void Islands::Find(const Problem& problem) {
  count_ = 0;
  if (problem.rows() == 0) return;
  group_root_.resize(problem.groups().size());
  const Dynamics* dynamics = &problem.dynamics();
  if (dynamic_cast<const TwoBodyDynamics*>(dynamics) != nullptr) {
    JoinPacked(problem);
  } else if (const auto* trees = dynamic_cast<const ArticulatedDynamics*>(dynamics)) {
    JoinVariables(problem, trees->system().jacobian, trees->system().mass_root);
  } else if (const auto* sparse = dynamic_cast<const SparseDynamics*>(dynamics)) {
    JoinVariables(problem, sparse->system().jacobian, sparse->system().mass);
  } else {
    JoinMatrix(problem);
  }
  // In these forms variables that no row touches have roots of their own.
  if (count_ > 1) List(problem);
  if (count_ == 0) count_ = 1;
}

void Islands::List(const Problem& problem) {
  const int groups = static_cast<int>(problem.groups().size());
  label_.assign(parent_.size(), kNone);
  island_of_group_.resize(groups);
  rows_.clear();
  for (int g = 0; g < groups; ++g) {
    int island = 0;
    if (group_root_[g] != kNone) {
      const int root = Root(group_root_[g]);
      if (label_[root] == kNone) {
        label_[root] = static_cast<int>(rows_.size());
        rows_.push_back(0);
      }
      island = label_[root];
    } else if (rows_.empty()) {
      // Its island is the first, whose root is not known yet.
      island = 0;
    }
    island_of_group_[g] = island;
    if (rows_.empty()) continue;
    rows_[island] += problem.groups()[g].size;
  }
  // Groups that move nothing and stand before the first that does.
  for (int g = 0; g < groups && group_root_[g] == kNone; ++g) rows_[0] += problem.groups()[g].size;
  count_ = static_cast<int>(rows_.size());

  group_start_.assign(count_ + 1, 0);
  for (int g = 0; g < groups; ++g) ++group_start_[island_of_group_[g] + 1];
  StartLists(group_start_);
  group_.resize(groups);
  for (int g = 0; g < groups; ++g) Place(g, island_of_group_[g], group_start_, group_);
  EndLists(group_start_);

  node_start_.assign(count_ + 1, 0);
  const int nodes = static_cast<int>(parent_.size());
  const auto island_of_node = [this](int node) {
    return parent_[node] < 0 ? kNone : label_[Root(node)];
  };
  for (int i = 0; i < nodes; ++i) {
    const int island = island_of_node(i);
    if (island != kNone) ++node_start_[island + 1];
  }
  StartLists(node_start_);
  node_.resize(node_start_.back());
  for (int i = 0; i < nodes; ++i) {
    const int island = island_of_node(i);
    if (island != kNone) Place(i, island, node_start_, node_);
  }
  EndLists(node_start_);
}

}  // namespace nonsmooth
