// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/enzenhoefer/enzenhoefer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <string>

#include "demos/papers/iterates.h"

namespace nonsmooth::papers {
namespace {

namespace fs = std::filesystem;

/// Of this process alone: several builds may run their tests at once.
fs::path Folder(const std::string& name) {
  return fs::path(testing::TempDir()) / (name + "_" + std::to_string(getpid()));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x₂ = −b₂/a₂₂ and w₁ = a₁₂ x₂ + b₁ with b = −h (g ± 6 T/(m l)), a = (4, −2; −2, 4)/m.
TEST(EnzenhoeferRod, StatedParametersGiveTheirOwnNumbers) {
  const RodPivot pivot = MeasureRodPivot(StatedRod());
  EXPECT_NEAR(pivot.x[1], -0.063213, 1e-6);
  EXPECT_NEAR(pivot.w[0], -0.280483, 1e-6);
  EXPECT_NEAR(pivot.detail.energy[0], 1.47508e-2, 1e-7);
  EXPECT_NEAR(pivot.detail.energy[1], 5.32776e-3, 1e-8);
  EXPECT_NEAR(pivot.errors.energy.sum, 2.00786e-2, 1e-7);
}

// ½ 0.2981² + ½ 0.1019² = 4.96e-2 J; the natural residual adds 0.2981 and 0.1019, and Eq. 5 at
// (x, 0) with x < 0 is 2 x.
TEST(EnzenhoeferRod, PrintedNumbersAreThoseOfTheUnitMatrix) {
  const RodPivot pivot = MeasureRodPivot(PrintedRod());
  EXPECT_NEAR(pivot.x[1], -0.1019, 1e-15);
  EXPECT_NEAR(pivot.w[0], -0.2981, 1e-15);
  EXPECT_NEAR(pivot.errors.energy.sum, 4.96e-2, 5e-5);
  EXPECT_NEAR(pivot.errors.natural.sum, 0.4, 1e-15);
  EXPECT_NEAR(pivot.errors.fischer_burmeister.sum, 0.5019, 1e-15);
}

// 1 J = 10⁹ g mm²/s²; an impulse takes 10⁶ and a velocity 10³.
TEST(EnzenhoeferRod, OnlyTheEnergyErrorFollowsTheUnits) {
  const RodPivot si = MeasureRodPivot(StatedRod());
  const RodPivot milli = MeasureRodPivot(StatedRod(), 1000, 1000);
  EXPECT_NEAR(milli.errors.energy.sum / si.errors.energy.sum, 1e9, 1e-3);
  EXPECT_NEAR(milli.errors.natural.sum, 1e3 * -si.w[0] + 1e6 * -si.x[1], 1e-6);
}

// Eq. 20 with a = 1: min(½ w², ½ x²) inside, ½ max(x², w²) where both are negative.
TEST(EnzenhoeferIsolines, RowErrorIsEquation20) {
  EXPECT_DOUBLE_EQ(RowEnergyError(0, kInfinity, 0.5, 1.5), 0.125);
  EXPECT_DOUBLE_EQ(RowEnergyError(0, kInfinity, -0.5, -1.5), 1.125);
  EXPECT_DOUBLE_EQ(RowEnergyError(0, kInfinity, -2, 1), 2);
  EXPECT_EQ(RowEnergyError(0, kInfinity, 0, 2), 0);
  EXPECT_DOUBLE_EQ(RowEnergyError(-1, 1, 0, -2), 0.5);
  EXPECT_DOUBLE_EQ(RowEnergyError(-1, 1, 0.5, -2), 0.125);
  EXPECT_EQ(RowEnergyError(-1, 1, 1, -2), 0);
}

// At the start the eight contacts on the ground are wrong by g h = 9.81/60 m/s each. The energy
// error falls in each iteration from there, while the sums that mix units rise for about ten.
TEST(EnzenhoeferWall, OnlyTheEnergyErrorFallsFromTheFirstIteration) {
  const fs::path folder = Folder("enzenhoefer_wall");
  PaperOutput output(folder, true);
  const WallErrors errors = EnzenhoeferWall(output, 4);
  fs::remove_all(folder);
  ASSERT_EQ(errors.energy.size(), 101U);
  for (std::size_t step = 0; step < 4; ++step) {
    std::size_t highest = 0;
    for (std::size_t k = 1; k < errors.energy.size(); ++k) {
      EXPECT_LT(errors.energy[k][step], errors.energy[k - 1][step]) << k;
      if (errors.natural[k][step] > errors.natural[highest][step]) highest = k;
    }
    EXPECT_GE(highest, 5U);
    EXPECT_LE(highest, 15U);
    EXPECT_NEAR(errors.energy[0][step], 0.0636, 1e-4);
    EXPECT_NEAR(errors.natural[0][step], 8 * 9.81 / 60, 0.02);
    EXPECT_GT(errors.fischer_burmeister[10][step], 2 * errors.fischer_burmeister[0][step]);
  }
  ASSERT_EQ(output.claims().size(), 6U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(output.claims()[i].holds) << i;
}

// Ten pivots are not enough from zero, where the last iterate is then worse than the best.
TEST(EnzenhoeferSelection, LeastErrorIsBetterThanTheLastIterate) {
  const fs::path folder = Folder("enzenhoefer_selection");
  PaperOutput output(folder, true);
  EnzenhoeferSelection(output);
  fs::remove_all(folder);
  ASSERT_EQ(output.claims().size(), 2U);
  for (const Claim& claim : output.claims()) EXPECT_TRUE(claim.holds) << claim.ours;
}

// Mean 2, squares of the deviations 1 + 0 + 1 over n − 1 = 2.
TEST(Spread, IsOfTheSample) {
  const Spread spread = SpreadOf({1, 2, 3});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.deviation, 1);
  EXPECT_EQ(SpreadOf({5}).deviation, 0);
}

}  // namespace
}  // namespace nonsmooth::papers
