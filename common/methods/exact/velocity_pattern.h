// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../../linalg/front_tree.h"
#include "../../problem/problem.h"

namespace nonsmooth {

class TwoBodyDynamics;

/// Which velocities hang together: blocks of up to six, the groups of rows that touch them, and
/// the graph of blocks that H = M + Jᵀ D J couples. From the pattern alone: no value is looked at.
/// A movable body is a block; of other variables neighbours that rows reach together are.
class VelocityPattern {
 public:
  /// True if the dynamics has velocities in one of the forms that are known here.
  static bool Applies(const Dynamics& dynamics);

  /// Reuses memory.
  void Build(const Problem& problem);

  const TwoBodyDynamics* bodies() const { return bodies_; }  ///< null: rows of jacobian()
  const CsrMatrix* jacobian() const { return jacobian_; }    ///< J, or J R where M⁻¹ = R Rᵀ
  const CsrMatrix* mass() const { return mass_; }            ///< M; null: the identity
  bool mass_symmetric() const { return mass_symmetric_; }

  int blocks() const { return static_cast<int>(first_of_.size()); }
  int block_of(int variable) const { return block_of_[variable]; }    ///< or body; −1: none
  int member_of(int variable) const { return member_of_[variable]; }  ///< place in its block
  int first_of(int block) const { return first_of_[block]; }          ///< variable, or body

  int members(int block) const { return members_[block]; }  ///< variables of a block

  /// Blocks that a group touches, ascending.
  const int* begin(int group) const { return group_block_.data() + group_start_[group]; }
  int count(int group) const { return group_start_[group + 1] - group_start_[group]; }

  /// By group; equal where they touch the same blocks.
  const std::vector<std::uint64_t>& keys() const { return keys_; }
  const GroupGraph& graph() const { return graph_; }

  /// Likewise, of what M alone couples; only where there is a mass().
  const GroupGraph& mass_graph() const { return mass_graph_; }

 private:
  void FindBodies();
  void FindVariables();
  void FindGroups(const Problem& problem);
  void MakeKeys();
  template <class Visit>
  void ForEachMassPair(Visit&& visit) const;
  template <class Visit>
  void ForEachGroupPair(Visit&& visit) const;
  template <class ForEach>
  void BuildGraph(ForEach&& for_each, GroupGraph* graph);

  const TwoBodyDynamics* bodies_ = nullptr;
  const CsrMatrix* jacobian_ = nullptr;
  const CsrMatrix* mass_ = nullptr;
  bool mass_symmetric_ = true;
  std::vector<int> block_of_, member_of_, first_of_, members_;
  std::vector<int> group_start_, group_block_;
  std::vector<std::uint64_t> keys_;
  std::vector<int> by_list_;
  GroupGraph graph_, mass_graph_;
  std::vector<int> count_, pairs_;
};

}  // namespace nonsmooth
