// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/supernodal_factor.h"

#include <algorithm>
#include <cassert>

namespace nonsmooth {

SupernodalWork WorkOf(const FrontTree& tree) {
  SupernodalWork work;
  for (const FrontTree::Front& front : tree.fronts()) {
    const double size = front.pivots + front.rows;
    work.blocks += size * front.pivots;
    for (int c = 0; c < front.pivots; ++c) {
      // An inverse, a scaled column and the lower triangle of its products with itself.
      const double below = size - c - 1;
      work.flops += kBlockRows * kBlockRows * kBlockRows * (2 + 2 * below + below * (below + 1));
    }
  }
  return work;
}

void SupernodalFactor::Analyse(const GroupGraph& graph) {
  if (graph.start == graph_.start && graph.neighbour == graph_.neighbour && !first_block_.empty()) {
    return;
  }
  graph_ = graph;
  tree_.Analyse(graph);
  place_ = tree_.place();
  LayOut();
  FindTargets();
}

void SupernodalFactor::LayOut() {
  const int n = blocks();
  const std::vector<FrontTree::Front>& fronts = tree_.fronts();
  nodes_.assign(fronts.size(), Supernode());
  node_of_.resize(n);
  first_block_.resize(fronts.size());
  places_.clear();
  for (int row : tree_.rows()) places_.push_back(place_[row]);
  total_ = 0;
  work_ = WorkOf(tree_).flops;
  for (std::size_t s = 0; s < fronts.size(); ++s) {
    const FrontTree::Front& front = fronts[s];
    Supernode& node = nodes_[s];
    node.first = front.first_pivot;
    node.pivots = front.pivots;
    node.size = front.pivots + front.rows;
    first_block_[s] = total_;
    total_ += node.size * node.pivots;
    for (int c = 0; c < node.pivots; ++c) node_of_[node.first + c] = static_cast<int>(s);
  }
  upper_.resize(std::size_t{kBlockSize} * total_);
  lower_.resize(std::size_t{kBlockSize} * total_);
}

int SupernodalFactor::Find(int first, int second) const {
  const int s = node_of_[first];
  const Supernode& node = nodes_[s];
  int row = second - node.first;
  if (row >= node.pivots) {
    const int* end = node.places + node.size - node.pivots;
    const int* at = std::lower_bound(node.places, end, second);
    assert(at != end && *at == second);
    row = node.pivots + static_cast<int>(at - node.places);
  }
  return first_block_[s] + row * node.pivots + (first - node.first);
}

void SupernodalFactor::FindTargets() {
  std::size_t count = 0;
  for (const Supernode& node : nodes_) {
    const std::size_t rows = node.size - node.pivots;
    count += rows * (rows + 1) / 2;
  }
  targets_.resize(count);
  int* target = targets_.data();
  int* places = places_.data();
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    Supernode& node = nodes_[s];
    node.places = places;
    node.targets = target;
    node.upper = upper(first_block_[s]);
    node.lower = lower(first_block_[s]);
    places += node.size - node.pivots;
    const int rows = node.size - node.pivots;
    target += rows * (rows + 1) / 2;
  }
  for (const Supernode& node : nodes_) {
    int* to = targets_.data() + (node.targets - targets_.data());
    const int rows = node.size - node.pivots;
    for (int j = 0; j < rows; ++j) {
      // Both lists ascend: what follows is found by walking along the ancestor's rows.
      const int s = node_of_[node.places[j]];
      const Supernode& above = nodes_[s];
      const int column = node.places[j] - above.first;
      int at = 0;
      for (int i = j; i < rows; ++i) {
        int row = node.places[i] - above.first;
        if (row >= above.pivots) {
          while (above.places[at] != node.places[i]) ++at;
          row = above.pivots + at;
        }
        *to++ = first_block_[s] + row * above.pivots + column;
      }
    }
  }
}

void SupernodalFactor::Clear(bool symmetric) {
  std::fill(upper_.begin(), upper_.end(), 0.0);
  if (!symmetric) std::fill(lower_.begin(), lower_.end(), 0.0);
}

bool SupernodalFactor::Factorise(bool symmetric) {
  for (const Supernode& node : nodes_) {
    if (!FactoriseSupernode(node, symmetric, upper_.data(), lower_.data())) return false;
  }
  return true;
}

void SupernodalFactor::Solve(double* v) const {
  for (const Supernode& node : nodes_) SolveForward(node, v);
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) SolveBackward(*node, v);
}

}  // namespace nonsmooth
