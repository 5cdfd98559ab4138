// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/anderson.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nonsmooth {
namespace {

/// z ← z − (A z − b) with A = diag(1, ½, …) whose plain iteration contracts by 1 − 1/n.
struct Diagonal {
  explicit Diagonal(int n) : g(n) {}
  void Apply(const std::vector<double>& z) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      g[i] = z[i] - (z[i] - 1) / (1 + static_cast<double>(i));
    }
  }
  std::vector<double> g;
};

double Distance(const std::vector<double>& z) {
  double largest = 0;
  for (double value : z) largest = std::max(largest, std::abs(value - 1));
  return largest;
}

// On a linear map with n distinct eigenvalues, n + 1 mixed iterates are exact (Walker and Ni,
// Theorem 2.2: GMRES), up to what the regularisation leaves; plain ones are not.
TEST(Anderson, LinearMapIsSolvedLikeByGmres) {
  constexpr int kSize = 6;
  const std::vector<double> weights(kSize, 1.0);
  double distance[2];
  for (int memory : {0, 8}) {
    Anderson anderson;
    anderson.Prepare(weights, memory);
    Diagonal map(kSize);
    std::vector<double> z(kSize, 0.0);
    for (int k = 0; k < 12; ++k) {
      map.Apply(z);
      anderson.Mix(map.g, z);
    }
    distance[memory > 0 ? 1 : 0] = Distance(z);
  }
  EXPECT_GT(distance[0], 0.05);
  EXPECT_LT(distance[1], 1e-8);
}

// Without memory, and in the first iteration, the next iterate is g.
TEST(Anderson, FirstIterateIsPlain) {
  const std::vector<double> weights(3, 2.0);
  Anderson anderson;
  anderson.Prepare(weights, 5);
  Diagonal map(3);
  std::vector<double> z(3, 0.25);
  map.Apply(z);
  EXPECT_FALSE(anderson.Mix(map.g, z));
  EXPECT_EQ(z, map.g);
  // ‖g − z‖² = 2 Σ (0.75 / (1 + i))²
  EXPECT_NEAR(anderson.residual(), std::sqrt(2 * 0.5625 * (1 + 0.25 + 1 / 9.0)), 1e-14);
}

// A mixed iterate whose residual has grown beyond twofold is taken back: what follows is the plain
// image of the one before.
TEST(Anderson, GrowingResidualIsTakenBack) {
  const std::vector<double> weights(2, 1.0);
  Anderson anderson;
  anderson.Prepare(weights, 5);
  Diagonal map(2);
  std::vector<double> z(2, 0.0);
  map.Apply(z);
  anderson.Mix(map.g, z);
  map.Apply(z);
  const std::vector<double> plain = map.g;
  ASSERT_TRUE(anderson.Mix(map.g, z));
  const std::vector<double> worse{z[0] + 10, z[1] - 10};
  EXPECT_FALSE(anderson.Mix(worse, z));
  EXPECT_EQ(z, plain);
}

}  // namespace
}  // namespace nonsmooth
