// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/supernodal_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

using test::Random;

/// Blocks that hang together in this way, each with itself.
GroupGraph Graph(int blocks, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::vector<int>> neighbours(blocks);
  for (int i = 0; i < blocks; ++i) neighbours[i].push_back(i);
  for (const auto& [a, b] : pairs) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  GroupGraph graph;
  graph.start.push_back(0);
  graph.weight.assign(blocks, kBlockRows);
  for (std::vector<int>& row : neighbours) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    graph.neighbour.insert(graph.neighbour.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

GroupGraph Grid(int width, int height) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < width * height; ++i) {
    if (i % width > 0) pairs.push_back({i - 1, i});
    if (i >= width) pairs.push_back({i - width, i});
  }
  return Graph(width * height, pairs);
}

GroupGraph Star(int leaves) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 1; i <= leaves; ++i) pairs.push_back({0, i});
  return Graph(leaves + 1, pairs);
}

/// A random matrix on this graph, definite by its diagonal, as the factor takes it and dense.
Eigen::MatrixXd Fill(const GroupGraph& graph, bool symmetric, SupernodalFactor& factor) {
  Random random(3);
  const int n = graph.groups();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(kBlockRows * n, kBlockRows * n);
  factor.Clear(symmetric);
  for (int i = 0; i < n; ++i) {
    for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      const int j = graph.neighbour[e];
      if (j < i) continue;
      Eigen::MatrixXd block(kBlockRows, kBlockRows), other(kBlockRows, kBlockRows);
      for (int k = 0; k < block.size(); ++k) {
        block(k) = random.Uniform(-1, 1);
        other(k) = random.Uniform(-1, 1);
      }
      if (i == j) {
        block += 8.0 * graph.groups() * Eigen::MatrixXd::Identity(kBlockRows, kBlockRows);
        if (symmetric) block = (block + block.transpose()).eval() / 2;
        other = block;
      } else if (symmetric) {
        other = block.transpose();
      }
      dense.block(kBlockRows * i, kBlockRows * j, kBlockRows, kBlockRows) = block;
      dense.block(kBlockRows * j, kBlockRows * i, kBlockRows, kBlockRows) = other;
      const bool swap = factor.place(i) > factor.place(j);
      const int at = factor.Find(std::min(factor.place(i), factor.place(j)),
                                 std::max(factor.place(i), factor.place(j)));
      const Eigen::MatrixXd upper = swap ? other : block;
      const Eigen::MatrixXd lower = (swap ? block : other).transpose();
      for (int r = 0; r < kBlockRows; ++r) {
        for (int c = 0; c < kBlockRows; ++c) {
          factor.upper(at)[r * kPadded + c] = upper(r, c);
          factor.lower(at)[r * kPadded + c] = lower(r, c);
        }
      }
    }
  }
  return dense;
}

/// Largest difference to Eigen's dense LU, relative to the solution.
double Difference(const GroupGraph& graph, bool symmetric) {
  SupernodalFactor factor;
  factor.Analyse(graph);
  const Eigen::MatrixXd dense = Fill(graph, symmetric, factor);
  EXPECT_TRUE(factor.Factorise(symmetric));
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(dense.rows(), -1, 2);
  const Eigen::VectorXd expected = dense.partialPivLu().solve(right);
  AlignedVector v(std::size_t{kPadded} * graph.groups(), 0.0);
  for (int i = 0; i < graph.groups(); ++i) {
    for (int k = 0; k < kBlockRows; ++k)
      v[kPadded * factor.place(i) + k] = right(kBlockRows * i + k);
  }
  factor.Solve(v.data());
  double worst = 0;
  for (int i = 0; i < graph.groups(); ++i) {
    for (int k = 0; k < kBlockRows; ++k) {
      worst = std::max(worst,
                       std::abs(v[kPadded * factor.place(i) + k] - expected(kBlockRows * i + k)));
    }
  }
  return worst / expected.cwiseAbs().maxCoeff();
}

// Against Eigen's dense factorisation: one block, one dense supernode (up to eight blocks), a
// chain, grids with fill, a star whose centre has all as neighbours, and blocks that nothing
// connects.
TEST(SupernodalFactor, AgreesWithADenseFactorisation) {
  const GroupGraph graphs[] = {Graph(1, {}), Grid(2, 2), Grid(40, 1),
                               Grid(7, 9),   Star(60),   Graph(20, {{3, 17}})};
  for (const GroupGraph& graph : graphs) {
    for (const bool symmetric : {true, false}) {
      EXPECT_LE(Difference(graph, symmetric), 1e-13)
          << graph.groups() << " blocks, symmetric " << symmetric;
    }
  }
}

// A second pattern replaces the first, and the first comes back.
TEST(SupernodalFactor, PatternsMayChange) {
  SupernodalFactor factor;
  for (const int width : {5, 9, 5}) {
    const GroupGraph graph = Grid(width, 4);
    factor.Analyse(graph);
    EXPECT_EQ(factor.blocks(), 4 * width);
    Fill(graph, true, factor);
    EXPECT_TRUE(factor.Factorise(true));
  }
}

// A zero pivot and one that is not a number are reported.
TEST(SupernodalFactor, SingularPivotsAreReported) {
  for (const double pivot : {0.0, std::nan("")}) {
    SupernodalFactor factor;
    factor.Analyse(Graph(1, {}));
    factor.Clear(true);
    for (int k = 0; k < kBlockRows; ++k) factor.upper(0)[k * kPadded + k] = k == 4 ? pivot : 1.0;
    EXPECT_FALSE(factor.Factorise(true)) << pivot;
  }
}

// A chain of n blocks: every pivot but the last has one block below it. An inverse and a scaled
// column are 2·6³ each, and so is half of the product, of which the lower triangle is one block.
TEST(SupernodalFactor, WorkIsThatOfTheFill) {
  SupernodalFactor chain, twice;
  chain.Analyse(Grid(100, 1));
  twice.Analyse(Grid(200, 1));
  EXPECT_GE(chain.factor_work(true), 216 * (99 * 6 + 2));
  EXPECT_NEAR(twice.factor_work(true) / chain.factor_work(true), 2, 0.1);
}

}  // namespace
}  // namespace nonsmooth
