// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/front_tree.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cstddef>
#include <numeric>

namespace nonsmooth {
namespace {

constexpr int kDenseRows = 48;          // below, a single front is never slower
constexpr double kDenseShare = 0.4;     // of the pairs that are neighbours: likewise
constexpr int kSmallFront = 16;         // rows: fronts are merged whatever zeros that brings
constexpr double kZerosAllowed = 0.25;  // share of a merged front's columns

}  // namespace

void FrontTree::Analyse(const GroupGraph& graph) {
  if (graph.start == graph_.start && graph.neighbour == graph_.neighbour &&
      graph.weight == graph_.weight) {
    return;
  }
  graph_ = graph;
  const double n = graph.groups();
  const int rows = std::accumulate(graph.weight.begin(), graph.weight.end(), 0);
  if (rows <= kDenseRows || static_cast<double>(graph.neighbour.size()) >= kDenseShare * n * n) {
    OneFront(graph.groups());
    return;
  }
  OrderByDegree(graph);
  OrderByTree(graph);
  FindStructures(graph);
  MergeFronts(graph);
}

void FrontTree::OneFront(int groups) {
  order_.resize(groups);
  std::iota(order_.begin(), order_.end(), 0);
  place_ = order_;
  rows_.clear();
  fronts_.assign(1, Front{0, groups, 0, 0, -1});
}

void FrontTree::OrderByDegree(const GroupGraph& graph) {
  const int n = graph.groups();
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.resizeNonZeros(static_cast<Eigen::Index>(graph.neighbour.size()));
  std::copy(graph.start.begin(), graph.start.end(), pattern.outerIndexPtr());
  std::copy(graph.neighbour.begin(), graph.neighbour.end(), pattern.innerIndexPtr());
  std::fill(pattern.valuePtr(), pattern.valuePtr() + graph.neighbour.size(), 1.0);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  order_.assign(permutation.indices().data(), permutation.indices().data() + n);
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
}

void FrontTree::OrderByTree(const GroupGraph& graph) {
  // The elimination tree with path compression (T. Davis, "Direct methods for sparse linear
  // systems", Sect. 4.1), then a postorder, so that every subtree is consecutive.
  const int n = graph.groups();
  std::vector<int> ancestor(n, -1);
  parent_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    const int g = order_[k];
    for (int e = graph.start[g]; e < graph.start[g + 1]; ++e) {
      int i = place_[graph.neighbour[e]];
      while (i != -1 && i < k) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent_[i] = k;
        i = next;
      }
    }
  }
  std::vector<int> head(n, -1), sibling(n, -1), stack, post;
  for (int k = n - 1; k >= 0; --k) {
    if (parent_[k] == -1) continue;
    sibling[k] = head[parent_[k]];
    head[parent_[k]] = k;
  }
  post.reserve(n);
  for (int root = 0; root < n; ++root) {
    if (parent_[root] != -1) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (head[k] != -1) {
        stack.push_back(head[k]);
        head[k] = sibling[head[k]];
      } else {
        post.push_back(k);
        stack.pop_back();
      }
    }
  }
  std::vector<int> order(n), new_place(n), parent(n);
  for (int k = 0; k < n; ++k) {
    order[k] = order_[post[k]];
    new_place[post[k]] = k;
  }
  for (int k = 0; k < n; ++k) {
    parent[k] = parent_[post[k]] == -1 ? -1 : new_place[parent_[post[k]]];
  }
  order_.swap(order);
  parent_.swap(parent);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
}

void FrontTree::FindStructures(const GroupGraph& graph) {
  const int n = graph.groups();
  std::vector<int> mark(n, -1);
  structure_.resize(n);
  for (std::vector<int>& s : structure_) s.clear();
  // A place hands its structure on to its parent, which by then has not been looked at.
  for (int k = 0; k < n; ++k) {
    std::vector<int>& mine = structure_[k];
    std::size_t kept = 0;
    mark[k] = k;
    for (int i : mine) {
      if (mark[i] == k) continue;
      mark[i] = k;
      mine[kept++] = i;
    }
    mine.resize(kept);
    const int g = order_[k];
    for (int e = graph.start[g]; e < graph.start[g + 1]; ++e) {
      const int i = place_[graph.neighbour[e]];
      if (i <= k || mark[i] == k) continue;
      mark[i] = k;
      mine.push_back(i);
    }
    std::sort(mine.begin(), mine.end());
    if (parent_[k] == -1) continue;
    std::vector<int>& above = structure_[parent_[k]];
    above.insert(above.end(), mine.begin(), mine.end());
  }
}

void FrontTree::MergeFronts(const GroupGraph& graph) {
  const int n = graph.groups();
  const auto weight_of = [&](const std::vector<int>& places) {
    int sum = 0;
    for (int i : places) sum += graph.weight[order_[i]];
    return sum;
  };
  fronts_.clear();
  rows_.clear();
  std::vector<int> front_of(n);
  double pivots = 0;  // rows of the front that is being collected
  double zeros = 0;
  double below = 0;  // rows below its last pivot
  for (int k = 0; k < n; ++k) {
    const double weight = graph.weight[order_[k]];
    const double next_below = weight_of(structure_[k]);
    bool merge = false;
    if (k > 0 && parent_[k - 1] == k) {
      const double added = zeros + pivots * (next_below + weight - below);
      const double all = (pivots + weight) * (pivots + weight + next_below);
      merge = added <= kZerosAllowed * all || pivots + weight + next_below <= kSmallFront;
      if (merge) zeros = added;
    }
    if (merge) {
      ++fronts_.back().pivots;
      pivots += weight;
    } else {
      fronts_.push_back({k, 1, 0, 0, -1});
      pivots = weight;
      zeros = 0;
    }
    below = next_below;
    front_of[k] = static_cast<int>(fronts_.size()) - 1;
  }
  for (Front& front : fronts_) {
    const int last = front.first_pivot + front.pivots - 1;
    front.first_row = static_cast<int>(rows_.size());
    front.rows = static_cast<int>(structure_[last].size());
    for (int i : structure_[last]) rows_.push_back(order_[i]);
    front.parent = parent_[last] == -1 ? -1 : front_of[parent_[last]];
  }
}

}  // namespace nonsmooth
