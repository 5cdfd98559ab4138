// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "problem.h"

namespace nonsmooth {

/// A stretch of a list of indices.
struct IndexRange {
  const int* first = nullptr;
  const int* last = nullptr;
  const int* begin() const { return first; }
  const int* end() const { return last; }
  int size() const { return static_cast<int>(last - first); }
  int operator[](int i) const { return first[i]; }
};

/// The parts of a problem that have nothing to do with each other: no impulse in one changes a
/// velocity in another, so that each can be solved by itself and the solution is all of theirs.
///
/// Groups belong together if they share a body that moves (packed form), a variable or two that M
/// couples (sparse and articulated form), or an entry of A (where only A and b are known). What
/// cannot move couples nothing: two towers on one ground are two islands. Groups that move nothing
/// at all go along with the first island. Islands are numbered in the order of their first groups.
class Islands {
 public:
  /// Reuses memory. A union-find over bodies or variables: linear in the size of the problem.
  void Find(const Problem& problem);

  /// 0 for a problem without rows. Where there is one island, it is the whole problem, and the
  /// lists below are not made.
  int count() const { return count_; }

  /// Groups of an island, ascending.
  IndexRange groups(int island) const { return Part(group_start_, group_, island); }

  /// What moves in an island, ascending: bodies, variables, or rows where only A and b are known.
  IndexRange nodes(int island) const { return Part(node_start_, node_, island); }

  /// Number of rows.
  int rows(int island) const { return rows_[island]; }

  /// The island of a group, if there are several.
  int of_group(int group) const { return island_of_group_[group]; }

 private:
  static IndexRange Part(const std::vector<int>& start, const std::vector<int>& list, int island) {
    return {list.data() + start[island], list.data() + start[island + 1]};
  }
  void Reset(int nodes);
  int Root(int node);
  void Join(int& root, int node);
  void JoinPacked(const Problem& problem);
  void JoinVariables(const Problem& problem, const CsrMatrix& jacobian, const CsrMatrix& coupling);
  void JoinMatrix(const Problem& problem);
  void List(const Problem& problem);

  int count_ = 0;
  std::vector<int> parent_;      ///< by node: itself for a root; kFixed; kUntouched
  std::vector<int> group_root_;  ///< a node of each group; −1: it moves nothing
  std::vector<int> label_;       ///< island of a root
  std::vector<int> island_of_group_;
  std::vector<int> rows_;
  std::vector<int> group_start_;
  std::vector<int> group_;
  std::vector<int> node_start_;
  std::vector<int> node_;
};

}  // namespace nonsmooth
