// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/alart_curnier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// One contact with A = 1 and friction ½.
Problem OneContact(double normal_bias, double tangent_bias) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.size = 3;
  group.tangents = 2;
  group.friction = 0.5;
  CsrMatrix a = FromTriplets("A", 3, 3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
  auto dynamics = std::make_shared<MatrixDynamics>(
      std::move(a), std::vector<double>{normal_bias, 0.6 * tangent_bias, 0.8 * tangent_bias});
  return {std::move(dynamics), {group}, {0, 0, 0}, {0, 0, 0}};
}

/// Solves with the given options and no sweeps before.
class AlartCurnier : public testing::Test {
 protected:
  Result Solve(const Problem& problem, LawKind law, double tolerance) {
    auto solver = std::make_unique<AlartCurnierSolver>();
    solver->options() = options_;
    Driver driver(FindSolver("alart_curnier"), std::move(solver));
    SolveOptions options;
    options.law = {law, 0};
    options.relative_tolerance = tolerance;
    options.history = true;
    return driver.Solve(problem, options, solution_);
  }

  void ExpectX(double normal, double tangent) {
    EXPECT_NEAR(solution_.x[0], normal, 1e-12);
    EXPECT_NEAR(solution_.x[1], 0.6 * tangent, 1e-12);
    EXPECT_NEAR(solution_.x[2], 0.8 * tangent, 1e-12);
  }

  AlartCurnierOptions options_;
  Solution solution_;
};

// b = (−1, 0.3): x = −b keeps the contact at rest, and 0.3 < ½ · 1. One linear system is enough
// from where the contact is seen to close and hold.
TEST_F(AlartCurnier, AContactThatHoldsTakesItsVelocityAway) {
  for (bool jean_moreau : {false, true}) {
    options_.jean_moreau = jean_moreau;
    for (LawKind law : {LawKind::kNcp, LawKind::kCcp}) {
      EXPECT_TRUE(Solve(OneContact(-1, 0.3), law, 1e-28).converged());
      ExpectX(1, -0.3);
    }
  }
}

// b = (−1, 2): Coulomb's friction is ½ · 1 against the motion, which leaves w_t = 1.5. Convexified,
// the contact opens with w_n = μ w_t: x = (1.6, −0.8), w = (0.6, 1.2), from x ∈ K and w ∈ K*.
TEST_F(AlartCurnier, AContactThatSlidesIsAtTheEdgeOfItsCone) {
  for (bool jean_moreau : {false, true}) {
    options_.jean_moreau = jean_moreau;
    EXPECT_TRUE(Solve(OneContact(-1, 2), LawKind::kNcp, 1e-28).converged());
    ExpectX(1, -0.5);
    EXPECT_NEAR(std::hypot(solution_.w[1], solution_.w[2]), 1.5, 1e-12);
  }
  EXPECT_TRUE(Solve(OneContact(-1, 2), LawKind::kCcp, 1e-28).converged());
  ExpectX(1.6, -0.8);
}

// b_n = 1: nothing presses.
TEST_F(AlartCurnier, AContactThatTakesOffHasNoImpulse) {
  for (LawKind law : {LawKind::kNcp, LawKind::kCcp}) {
    EXPECT_TRUE(Solve(OneContact(1, 0.4), law, 1e-28).converged());
    ExpectX(0, 0);
  }
}

// With a regular A and no proximal term, ‖F‖ is squared by every step near the solution, up to a
// constant: with e = ½‖F‖² relative to the free energy, e_{k+1} ≤ C e_k². C = 1e4 is generous, and
// the last steps begin below 1e-6.
TEST_F(AlartCurnier, ConvergesQuadraticallyAtTheEnd) {
  const Law law{LawKind::kNcp, 0};
  const TestProblem test = FindProblem("RandomFullRank").make(law);
  options_.newton.proximal = false;
  const Result result = Solve(test.problem, LawKind::kNcp, 1e-26);
  ASSERT_TRUE(result.converged());
  int seen = 0;
  for (std::size_t k = 1; k < result.history.size(); ++k) {
    const double before = result.history[k - 1].energy / result.energy.free_energy;
    const double after = result.history[k].energy / result.energy.free_energy;
    if (before > 1e-6) continue;
    EXPECT_LE(after, 1e4 * before * before + 1e-28) << "iteration " << k;
    ++seen;
  }
  EXPECT_GE(seen, 1);
}

// Three boxes on twelve contacts: 36 rows on 18 velocities, so that A is singular. No fallback is
// needed with the proximal term.
TEST_F(AlartCurnier, TheProximalTermCopesWithRedundantContacts) {
  const Problem stack = BoxStack(3);
  const Result with = Solve(stack, LawKind::kNcp, 1e-20);
  EXPECT_TRUE(with.converged());
  EXPECT_EQ(with.fallbacks, 0);
  EXPECT_LE(with.iterations, 30);
}

// Wherever w is unique and known, it is found to 1e-9 of the largest free velocity.
TEST_F(AlartCurnier, FindsTheUniqueVelocitiesToNineDigits) {
  int compared = 0;
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : {LawKind::kNcp, LawKind::kCcp}) {
      if (std::count(entry.laws.begin(), entry.laws.end(), kind) == 0) continue;
      const TestProblem test = entry.make({kind, 0});
      if (!test.unique_w) continue;
      double scale = 0;
      for (double b : test.problem.dynamics().bias()) scale = std::max(scale, std::abs(b));
      Solve(test.problem, kind, 1e-24);
      for (std::size_t i = 0; i < test.w.size(); ++i) {
        ASSERT_NEAR(solution_.w[i], test.w[i], 1e-9 * scale)
            << entry.name << " under " << ToString(kind) << ", row " << i;
      }
      ++compared;
    }
  }
  EXPECT_GE(compared, 20);
}

// A wall of bricks, some hundred redundant contacts: a few dozen systems to an error that takes
// Gauss–Seidel many thousand sweeps.
TEST_F(AlartCurnier, SolvesTheBrickWallInAFewDozenSystems) {
  const Result result = Solve(BrickWall(), LawKind::kNcp, 1e-20);
  EXPECT_TRUE(result.converged());
  EXPECT_LE(result.iterations, 60);
}

// A start that solves the problem is returned as it is.
TEST_F(AlartCurnier, AWarmStartThatSolvesTheProblemCostsNothing) {
  const Problem problem = BoxStack(5);
  EXPECT_TRUE(Solve(problem, LawKind::kNcp, 1e-16).converged());
  const std::vector<double> start = solution_.x;
  Driver driver("alart_curnier");
  Result result;
  driver.Solve(problem, SolveOptions(), &start, solution_, result);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(solution_.x, start);
}

}  // namespace
}  // namespace nonsmooth
