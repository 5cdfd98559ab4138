// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../../linalg/front_tree.h"
#include "../../problem/problem.h"

namespace nonsmooth {

/// Which rows hang together where only A is known: whole groups that follow each other, packed into
/// blocks of up to six rows, and the graph of blocks that A couples.
class RowPattern {
 public:
  /// Reuses memory. The dynamics is a MatrixDynamics.
  void Build(const Problem& problem);

  int blocks() const { return static_cast<int>(members_.size()); }
  int block_of(int row) const { return block_of_[row]; }
  int member_of(int row) const { return member_of_[row]; }
  int members(int block) const { return members_[block]; }

  /// Groups by their place, for UnitLayout.
  const std::vector<std::uint64_t>& keys() const { return keys_; }
  const GroupGraph& graph() const { return graph_; }

 private:
  std::vector<int> block_of_, member_of_, members_;
  std::vector<std::uint64_t> keys_;
  GroupGraph graph_;
  std::vector<std::uint64_t> pairs_;
};

}  // namespace nonsmooth
