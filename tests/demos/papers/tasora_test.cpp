// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/tasora/tasora.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/papers/tasora/tasora_iteration.h"
#include "demos/papers/tasora/tasora_shaker.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth::papers {
namespace {

/// A ball of `mass` on the ground, which `bias` makes it leave at −bias.
Problem Ball(double mass, double bias) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  ContactPoint point;
  point.body_a = ground;
  point.body_b = builder.AddSphere(mass, 0.1, {0, 0, -0.0981});
  point.lever_b = {0, 0, -0.1};
  point.normal = {0, 0, 1};
  point.bias = bias;
  builder.AddContact(point, {});
  return WithoutFriction(builder.Build());
}

// γ = m (g h + e), whole in the first iteration; by the paper's print e is not multiplied by
// 1/g = m.
TEST(Algorithm41, OneContactIsTheClosedForm) {
  const double mass = 3, speed = 0.2;
  const Problem problem = Ball(mass, -speed);
  EXPECT_NEAR(RunAlgorithm41(problem, 1, 1).gamma[0], mass * (0.0981 + speed), 1e-14);
  EXPECT_NEAR(RunAlgorithm41(problem, 1, 1, Reading::kPrinted).gamma[0], mass * 0.0981 + speed,
              1e-14);
}

// A ball that moves away by itself gets no impulse.
TEST(Algorithm41, UnilateralConstraintsOnlyPush) {
  EXPECT_EQ(RunAlgorithm41(Ball(3, 0.2), 1, 10).gamma[0], 0);
}

TEST(Algorithm41, FrictionIsRefused) {
  EXPECT_THROW(RunAlgorithm41(SpherePile(20), 1, 1), std::invalid_argument);
}

// Gauss–Seidel descends: the objective falls in every iteration, and ends where an exact method
// does.
TEST(Algorithm41, FallsMonotonicallyToTheExactSolution) {
  const Problem problem = WithoutFriction(SpherePile(200));
  const FixedPointRun run = RunAlgorithm41(problem, 1, 2000);
  ASSERT_EQ(run.objective.size(), 2001U);
  for (std::size_t r = 1; r < run.objective.size(); ++r)
    ASSERT_LE(run.objective[r], run.objective[r - 1] + 1e-13 * std::abs(run.objective.back())) << r;
  Driver driver("bpp");
  SolveOptions options;
  options.law = {LawKind::kBox, 0};
  options.relative_tolerance = 1e-20;
  Solution exact;
  ASSERT_EQ(driver.Solve(problem, options, exact).status, Status::kConverged);
  std::vector<double> w(exact.w.size()), v(exact.v.size());
  OperatorWorkspace workspace;
  problem.dynamics().Evaluate(run.gamma.data(), w.data(), v.data(), workspace);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], exact.v[i], 1e-9);
}

// The second slip, s γ for s Δγ, adds the impulse again in every iteration.
TEST(Algorithm41, AsPrintedDiverges) {
  const Problem problem = WithoutFriction(SpherePile(200));
  const FixedPointRun printed = RunAlgorithm41(problem, 1, 100, Reading::kPrinted);
  EXPECT_FALSE(printed.objective.back() < 0);
  EXPECT_LT(RunAlgorithm41(problem, 1, 100).objective.back(), 0);
}

TEST(WithoutFriction, KeepsNormalsAndJoints) {
  const Problem pile = SpherePile(100), plain = WithoutFriction(pile);
  EXPECT_EQ(plain.contacts(), pile.contacts());
  EXPECT_EQ(plain.rows(), pile.contacts());
  for (int c = 0; c < plain.contacts(); ++c) {
    EXPECT_EQ(plain.groups()[c].key, pile.groups()[c].key);
    EXPECT_EQ(plain.dynamics().bias()[c], pile.dynamics().bias()[pile.groups()[c].first_row]);
  }
  EXPECT_EQ(WithoutFriction(Chain(5, 1)).rows(), Chain(5, 1).rows());
}

// 100 spheres stay in the box, touch each other and the walls, and their contacts are known again
// in the next step.
TEST(TasoraShaker, KeepsItsLastProblems) {
  ShakerOptions options;
  options.spheres = 100;
  options.steps = 60;
  options.kept = 3;
  const ShakerRun run = RunShaker(options);
  EXPECT_TRUE(run.inside);
  EXPECT_EQ(run.steps.size(), 60U);
  EXPECT_EQ(run.centres.size(), 100U);
  EXPECT_NEAR(run.radius, 0.01, 1e-15);
  ASSERT_EQ(run.problems.size(), 3U);
  for (const Problem& problem : run.problems) {
    EXPECT_GT(problem.contacts(), 100);
    EXPECT_EQ(problem.rows(), 3 * problem.contacts());
    const auto& groups = problem.groups();
    EXPECT_TRUE(
        std::all_of(groups.begin(), groups.end(), [](const auto& g) { return g.key != 0; }));
  }
}

// Every claim at the small size but those about time, which others may be taking.
TEST(Tasora, ClaimsHold) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tasora_claims";
  PaperOutput output(folder, true);
  ReproduceTasora(output);
  EXPECT_GE(output.claims().size(), 14U);
  for (const Claim& claim : output.claims()) {
    if (claim.what.rfind("time", 0) == 0) continue;
    EXPECT_TRUE(claim.holds) << claim.where << ", " << claim.what << ": " << claim.ours;
  }
  for (const char* table : {"growth", "lemke", "shaker", "warm_start", "monotone"})
    EXPECT_TRUE(std::filesystem::exists(folder / (std::string(table) + ".csv"))) << table;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace nonsmooth::papers
