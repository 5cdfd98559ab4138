// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nonsmooth {

/// An undirected graph over the groups of a problem: two are neighbours where A couples them. Every
/// group is its own neighbour.
struct GroupGraph {
  std::vector<int> start;      ///< groups + 1 offsets
  std::vector<int> neighbour;  ///< ascending within a group
  std::vector<int> weight;     ///< rows of a group

  int groups() const { return static_cast<int>(weight.size()); }
};

/// The order in which a matrix with the pattern of a GroupGraph is eliminated: dense fronts, each
/// with the groups that it eliminates (pivots) and those that their elimination couples (rows).
/// The multifrontal method: J. Liu, "The multifrontal method for sparse matrix solution: theory
/// and practice", SIAM Review 34, 1992.
class FrontTree {
 public:
  struct Front {
    int first_pivot = 0;  ///< place of the first pivot in order(); the others follow
    int pivots = 0;
    int first_row = 0;  ///< offset into rows()
    int rows = 0;
    int parent = -1;  ///< comes later; −1: none
  };

  /// Orders by approximate minimum degree, or leaves a full graph as it is, a single front. Keeps
  /// what it has if the graph has not changed.
  void Analyse(const GroupGraph& graph);

  const std::vector<Front>& fronts() const { return fronts_; }
  const std::vector<int>& order() const { return order_; }  ///< group at a place
  const std::vector<int>& place() const { return place_; }  ///< of a group in the order
  const std::vector<int>& rows() const { return rows_; }    ///< groups, by ascending place

 private:
  void OneFront(int groups);
  void OrderByDegree(const GroupGraph& graph);
  void OrderByTree(const GroupGraph& graph);
  void FindStructures(const GroupGraph& graph);
  void MergeFronts(const GroupGraph& graph);

  GroupGraph graph_;  ///< of the last analysis
  std::vector<Front> fronts_;
  std::vector<int> order_;
  std::vector<int> place_;
  std::vector<int> rows_;
  std::vector<int> parent_;                  ///< by place, in the elimination tree
  std::vector<std::vector<int>> structure_;  ///< by place: places below the diagonal, ascending
};

}  // namespace nonsmooth
