// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/psor.h"

#include <gtest/gtest.h>

#include <string>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

Result SolveTower(double momentum, int measure_every) {
  Driver driver("psor");
  Set("psor", driver.Options(), "momentum", std::to_string(momentum));
  SolveOptions options;
  options.max_iterations = 100000;
  options.measure_every = measure_every;
  Solution solution;
  return driver.Solve(BoxStack(12), options, solution);
}

// A mode that a sweep multiplies by λ = 1 − ε dies with the roots of m² − (1 + β) λ m + β λ, that
// is like 1 − ε/(1 − β): at β = 0.7 in 0.3 times the sweeps, and half of them is a safe demand. It
// must not matter how often the error is measured, though a measured rise drops the momentum.
TEST(Psor, MomentumHalvesTheSweepsOfATower) {
  for (int measure_every : {1, 10}) {
    const Result plain = SolveTower(0, measure_every);
    const Result fast = SolveTower(PsorOptions().momentum, measure_every);
    EXPECT_TRUE(plain.converged() && fast.converged());
    EXPECT_LT(2 * fast.iterations, plain.iterations) << measure_every;
  }
}

// The first sweep has no step before it: it is the same with and without momentum, to the bit.
TEST(Psor, FirstSweepKnowsNoMomentum) {
  SolveOptions options;
  options.max_iterations = 1;
  Solution x[2];
  for (int k = 0; k < 2; ++k) {
    Driver driver("psor");
    Set("psor", driver.Options(), "momentum", k == 0 ? "0" : "0.9");
    EXPECT_EQ(driver.Solve(BrickWall(), options, x[k]).iterations, 1);
  }
  EXPECT_EQ(x[0].x, x[1].x);
}

}  // namespace
}  // namespace nonsmooth
