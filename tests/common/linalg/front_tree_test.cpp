// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/front_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace nonsmooth {
namespace {

/// Groups of three rows in a chain, each coupled to its neighbours.
GroupGraph Chain(int groups) {
  GroupGraph graph;
  graph.weight.assign(groups, 3);
  graph.start.assign(1, 0);
  for (int g = 0; g < groups; ++g) {
    for (int h = std::max(0, g - 1); h <= std::min(groups - 1, g + 1); ++h) {
      graph.neighbour.push_back(h);
    }
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

// Every group is eliminated once; whatever is coupled to it and not eliminated before is in its
// front; the rows that a front leaves are all in its parent, which comes later.
TEST(FrontTree, FrontsHoldEverythingThatEliminationCouples) {
  const GroupGraph graph = Chain(100);
  FrontTree tree;
  tree.Analyse(graph);
  std::vector<int> seen(graph.groups(), 0);
  const std::vector<FrontTree::Front>& fronts = tree.fronts();
  for (int f = 0; f < static_cast<int>(fronts.size()); ++f) {
    std::set<int> inside;
    for (int p = 0; p < fronts[f].pivots; ++p) {
      const int g = tree.order()[fronts[f].first_pivot + p];
      EXPECT_EQ(tree.place()[g], fronts[f].first_pivot + p);
      ++seen[g];
      inside.insert(g);
    }
    for (int r = 0; r < fronts[f].rows; ++r) inside.insert(tree.rows()[fronts[f].first_row + r]);
    for (int p = 0; p < fronts[f].pivots; ++p) {
      const int g = tree.order()[fronts[f].first_pivot + p];
      for (int e = graph.start[g]; e < graph.start[g + 1]; ++e) {
        const int h = graph.neighbour[e];
        const bool earlier = tree.place()[h] < fronts[f].first_pivot;
        EXPECT_TRUE(earlier || inside.count(h) == 1);
      }
    }
    if (fronts[f].rows == 0) continue;
    const int parent = fronts[f].parent;
    ASSERT_GT(parent, f);
    for (int r = 0; r < fronts[f].rows; ++r) {
      const int g = tree.rows()[fronts[f].first_row + r];
      const int* first = tree.rows().data() + fronts[parent].first_row;
      const bool row =
          std::find(first, first + fronts[parent].rows, g) != first + fronts[parent].rows;
      const int place = tree.place()[g] - fronts[parent].first_pivot;
      EXPECT_TRUE(row || (place >= 0 && place < fronts[parent].pivots));
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), graph.groups());
}

// A chain can be eliminated from its ends without new couplings: no front needs more than a few
// groups, however long it is.
TEST(FrontTree, ChainsHaveSmallFronts) {
  FrontTree tree;
  tree.Analyse(Chain(1000));
  for (const FrontTree::Front& front : tree.fronts()) EXPECT_LE(front.pivots + front.rows, 8);
}

// Where everything is coupled there is nothing to order.
TEST(FrontTree, AFullGraphIsOneFront) {
  GroupGraph graph;
  const int groups = 40;
  graph.weight.assign(groups, 3);
  graph.start.assign(1, 0);
  for (int g = 0; g < groups; ++g) {
    for (int h = 0; h < groups; ++h) graph.neighbour.push_back(h);
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  FrontTree tree;
  tree.Analyse(graph);
  ASSERT_EQ(tree.fronts().size(), 1U);
  EXPECT_EQ(tree.fronts()[0].pivots, groups);
  EXPECT_EQ(tree.fronts()[0].rows, 0);
}

}  // namespace
}  // namespace nonsmooth
