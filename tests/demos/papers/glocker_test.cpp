// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/glocker/glocker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "common/methods/pivoting/lemke_basis.h"
#include "demos/papers/glocker/woodpecker.h"

namespace nonsmooth::papers {
namespace {

constexpr double kStep = 2e-5;  // [s]

// Two others have found 0.14606 s and 19.476 mm at this step, and over seven cycles at smaller ones
// 0.1460 ± 0.0002 s and 19.45 ± 0.15 mm; the beak hits the pole at 16.92 rad/s and ε_N = 0.5.
TEST(Woodpecker, HasTheKnownPeriodAndDrop) {
  PlanarSolver solver("lemke");
  const auto steps = Simulate(WoodpeckerParameters(), WoodpeckerState(), kStep, 1.25, solver);
  const std::vector<WoodpeckerCycle> cycles = Cycles(steps);
  ASSERT_EQ(cycles.size(), 8U);
  const WoodpeckerCycle mean = MeanCycle(cycles);
  EXPECT_NEAR(mean.period, 0.1460, 0.0002);
  EXPECT_NEAR(mean.drop, 19.45e-3, 0.15e-3);
  EXPECT_EQ(solver.fallbacks(), 0);
  int impacts = 0;
  for (const WoodpeckerStep& step : steps) {
    if (!step.carrying[kBeak]) continue;
    ++impacts;
    EXPECT_NEAR(step.before.u[2], 16.92, 0.1);
    EXPECT_NEAR(step.after.u[2], -0.5 * step.before.u[2], 1e-9);
  }
  EXPECT_EQ(impacts, 9);
}

// What is gained by falling, m g · drop, is dissipated in the contacts.
TEST(Woodpecker, LosesWhatItGainsByFalling) {
  const WoodpeckerParameters p;
  PlanarSolver solver("lemke");
  const WoodpeckerCycle mean =
      MeanCycle(Cycles(Simulate(p, WoodpeckerState(), kStep, 1.25, solver)));
  const double gained = (p.m_s + p.m_m) * p.g * mean.drop;
  EXPECT_NEAR(mean.loss[0] + mean.loss[1] + mean.loss[2], gained, 5e-3 * gained);
  for (const double loss : mean.loss) EXPECT_GT(loss, 0);
}

// With the pole out of reach nothing is lost: spring and gravity have a potential, and the midpoint
// rule's error is of second order.
TEST(Woodpecker, KeepsItsEnergyInFlight) {
  WoodpeckerParameters p;
  p.r_o = -1;
  PlanarSolver solver("lemke");
  const WoodpeckerState start;
  double drift[2];
  for (const int k : {0, 1}) {
    const auto steps = Simulate(p, start, k == 0 ? 1e-4 : 5e-5, 0.05, solver);
    drift[k] = std::abs(Energy(p, steps.back().after) - Energy(p, start));
    EXPECT_EQ(steps.back().closed, 0);
  }
  EXPECT_LT(drift[1], 1e-4 * Energy(p, start));
  EXPECT_LT(drift[1], 0.3 * drift[0]);
}

// Lemke, all complementary bases and block principal pivoting, on every step of one cycle.
TEST(Woodpecker, ThreeSolversAgreeOnEveryStepOfACycle) {
  const WoodpeckerParameters p;
  PlanarSolver lemke("lemke"), all("enumeration"), bpp("bpp");
  WoodpeckerState state;
  int closed = 0;
  for (int i = 0; i < 7300; ++i) {
    const WoodpeckerStep step = Advance(p, state, kStep, lemke);
    const WoodpeckerState by_all = Advance(p, state, kStep, all).after;
    const WoodpeckerState by_bpp = Advance(p, state, kStep, bpp).after;
    for (int c = 0; c < 3; ++c) {
      ASSERT_NEAR(by_all.u[c], step.after.u[c], 1e-10) << i;
      ASSERT_NEAR(by_bpp.u[c], step.after.u[c], 1e-8) << i;
    }
    closed += step.closed > 0 ? 1 : 0;
    state = step.after;
  }
  EXPECT_GT(closed, 3000);
}

// Beak and upper edge closed together make the paper's largest LCP, of dimension 6; lower and upper
// edge never are, their gaps add up to 1.2 mm.
TEST(Woodpecker, ThreeSolversAgreeOnTwoContacts) {
  const WoodpeckerParameters p;
  PlanarSolver lemke("lemke"), all("enumeration"), bpp("bpp");
  for (int k = 0; k < 27; ++k) {
    WoodpeckerState state;
    state.q = {0, 0.1036, 0.1202};
    state.u = {0.3 * (k % 3 - 1), 10.0 * (k / 3 % 3 - 1), 10.0 * (k / 9 - 1)};
    const auto gaps = Gaps(p, state.q);
    EXPECT_NEAR(gaps[kLowerSleeve] + gaps[kUpperSleeve], 1.2e-3, 1e-15);
    const WoodpeckerStep step = Advance(p, state, 1e-9, lemke);
    ASSERT_EQ(step.closed, 2);
    const WoodpeckerState by_all = Advance(p, state, 1e-9, all).after;
    const WoodpeckerState by_bpp = Advance(p, state, 1e-9, bpp).after;
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(by_all.u[c], step.after.u[c], 1e-9) << k;
      EXPECT_NEAR(by_bpp.u[c], step.after.u[c], 1e-7) << k;
    }
  }
}

/// Lemke's method on a tableau, three variables, where of rows that tie the first leaves. True: it
/// has found a solution; false: it is on a ray.
bool PlainLemke(const double (&m)[3][3], const double (&q)[3]) {
  constexpr int kColumns = 8, kCover = 6, kRight = 7;  // y | z | z₀ | q
  double t[3][kColumns] = {};
  int basic[3] = {0, 1, 2};
  int row = 0;
  for (int i = 0; i < 3; ++i) {
    t[i][i] = 1;
    for (int j = 0; j < 3; ++j) t[i][3 + j] = -m[i][j];
    t[i][kCover] = -1;
    t[i][kRight] = q[i];
    if (q[i] < q[row]) row = i;
  }
  for (int entering = kCover, pivot = 0; pivot < 20; ++pivot) {
    const double by = t[row][entering];
    for (double& value : t[row]) value /= by;
    for (int i = 0; i < 3; ++i) {
      const double factor = t[i][entering];
      for (int j = 0; j < kColumns && i != row; ++j) t[i][j] -= factor * t[row][j];
    }
    const int leaving = basic[row];
    basic[row] = entering;
    if (leaving == kCover) return true;
    entering = leaving < 3 ? leaving + 3 : leaving - 3;
    row = -1;
    for (int i = 0; i < 3; ++i) {
      if (t[i][entering] <= 1e-12) continue;
      const double ratio = t[i][kRight] / t[i][entering];
      if (row < 0 || ratio < (1 - 1e-6) * (t[row][kRight] / t[row][entering])) row = i;
    }
    if (row < 0) return false;
  }
  return false;
}

// The toy's LCP on which Lemke's method without a rule for ties ends on a secondary ray, though
// x = (0, 0, 0.0287542) solves it. The lexicographic rule finds it.
TEST(Woodpecker, LexicographicRuleSolvesWhatPlainLemkeDoesNot) {
  const double m[3][3] = {{1403.1026, -1035.5174, 0}, {-1470.2088, 1448.9714, 1}, {0.6, -1, 0}};
  const double q[3] = {4.4487e-6, -0.0287542, 0};
  EXPECT_FALSE(PlainLemke(m, q));
  LemkeBasis basis;
  basis.Start(3, &m[0][0], q);
  LemkeBasis::Step step = LemkeBasis::Step::kPivoted;
  for (int i = 0; i < 20 && step == LemkeBasis::Step::kPivoted; ++i) step = basis.Pivot();
  ASSERT_EQ(step, LemkeBasis::Step::kSolved);
  double z[3];
  basis.Values(z);
  EXPECT_NEAR(z[0], 0, 1e-15);
  EXPECT_NEAR(z[1], 0, 1e-15);
  EXPECT_NEAR(z[2], 0.0287542, 1e-12);
}

// z = 1 by the only feasible basis of 0 ≤ 2 z − 2 ⊥ z ≥ 0; none for −z − 1.
TEST(EnumerateLcp, FindsTheSolutionOrSaysThatThereIsNone) {
  Lcp lcp;
  lcp.matrix = FromTriplets("M", 1, 1, {{0, 0, 2}});
  lcp.vector = {-2};
  lcp.free = {0};
  EXPECT_DOUBLE_EQ(EnumerateLcp(lcp)[0], 1);
  lcp.matrix.value[0] = -1;
  lcp.vector[0] = -1;
  EXPECT_THROW(EnumerateLcp(lcp), std::runtime_error);
  lcp.free[0] = 1;
  EXPECT_THROW(EnumerateLcp(lcp), std::invalid_argument);
}

TEST(PlanarSolver, UnknownNamesAreRefused) {
  EXPECT_THROW(PlanarSolver("lemkee"), std::invalid_argument);
}

// Every claim at the small size, with its tables.
TEST(Glocker, ClaimsHold) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "glocker_claims";
  PaperOutput output(folder, true);
  ReproduceGlocker(output);
  EXPECT_GE(output.claims().size(), 13U);
  for (const Claim& claim : output.claims())
    EXPECT_TRUE(claim.holds) << claim.where << ", " << claim.what << ": " << claim.ours;
  for (const char* table : {"motion", "cycles", "stability", "solvers", "step_size"})
    EXPECT_TRUE(std::filesystem::exists(folder / (std::string(table) + ".csv"))) << table;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace nonsmooth::papers
