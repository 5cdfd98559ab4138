// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/error_report.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/known_problem.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

constexpr int kSeeds = 200;
// Rounding leaves about 1e-16 of the impulses, whose square is the energy.
constexpr double kRounding = 1e-14;

std::vector<double> VelocityOf(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  return w;
}

double Sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

class EveryLaw : public testing::TestWithParam<Law> {};

// (x, w) obeys the law, so every measure of it is zero, FCLIB's if the law is Coulomb's own.
TEST_P(EveryLaw, AllMeasuresVanishAtTheSolution) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const test::KnownProblem known = test::MakeKnownProblem(GetParam(), seed);
    FeasibleSet set;
    set.Reset(known.problem, GetParam(), nullptr);
    const ErrorReport report = MeasureErrors(set, known.x.data(), known.w.data());
    EXPECT_LT(report.energy.sum, kRounding * kRounding) << "seed " << seed;
    EXPECT_GE(report.energy.sum, 0);
    EXPECT_LT(report.natural.sum, kRounding) << "seed " << seed;
    EXPECT_LT(report.fischer_burmeister.sum, kRounding) << "seed " << seed;
    EXPECT_LT(report.penalised_fischer_burmeister.sum, kRounding) << "seed " << seed;
    EXPECT_LT(report.lu.total, kRounding * kRounding) << "seed " << seed;
    EXPECT_LT(report.lu.normal, kRounding) << "seed " << seed;
    EXPECT_LT(report.lu.magnitude, kRounding) << "seed " << seed;
    EXPECT_LT(report.lu.direction, kRounding) << "seed " << seed;
    if (GetParam().kind == LawKind::kNcp) {
      EXPECT_LT(report.fclib.relative, kRounding);
    }
  }
}

// Nothing near a solution solves the problem: every measure is above zero, however small the step
// away from it, and none is ever below.
TEST_P(EveryLaw, AllMeasuresArePositiveAwayFromTheSolution) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    const test::KnownProblem known = test::MakeKnownProblem(GetParam(), seed);
    FeasibleSet set;
    set.Reset(known.problem, GetParam(), nullptr);
    test::Random random(seed + 1000);
    for (double distance : {1e-4, 1e-2, 1.0, 100.0}) {
      std::vector<double> x = known.x;
      for (double& value : x) value += random.Uniform(-distance, distance);
      const std::vector<double> w = VelocityOf(known.problem, x);
      ErrorDetail detail;
      const ErrorReport report = MeasureErrors(set, x.data(), w.data(), &detail);
      EXPECT_GT(report.energy.sum, 1e-6 * distance * distance) << "seed " << seed;
      EXPECT_GT(report.natural.sum, 1e-3 * distance) << "seed " << seed;
      EXPECT_GT(report.fischer_burmeister.sum, 1e-3 * distance) << "seed " << seed;
      EXPECT_GT(report.penalised_fischer_burmeister.sum, 1e-3 * distance) << "seed " << seed;
      EXPECT_GT(report.lu.total, 0);
      EXPECT_GT(report.lu.normal, 0);
      EXPECT_GE(report.lu.magnitude, 0);
      EXPECT_GE(report.lu.direction, 0);
      EXPECT_GT(report.fclib.relative, 0);
      for (double value : detail.energy) EXPECT_GE(value, 0);
      for (double value : detail.natural) EXPECT_GE(value, 0);
      for (double value : detail.fischer_burmeister) EXPECT_GE(value, 0);
    }
  }
}

// The system's value is the sum of its constraints' values, its maximum the largest of them.
TEST_P(EveryLaw, DetailAddsUpToTheReport) {
  const test::KnownProblem known = test::MakeKnownProblem(GetParam(), 7);
  FeasibleSet set;
  set.Reset(known.problem, GetParam(), nullptr);
  const std::vector<double> x = test::Random(3).Vector(known.problem.rows(), -1, 1);
  const std::vector<double> w = VelocityOf(known.problem, x);
  ErrorDetail detail;
  const ErrorReport report = MeasureErrors(set, x.data(), w.data(), &detail);
  EXPECT_NEAR(Sum(detail.energy), report.energy.sum, 1e-12 * report.energy.sum);
  EXPECT_NEAR(Sum(detail.natural), report.natural.sum, 1e-12 * report.natural.sum);
  EXPECT_NEAR(Sum(detail.fischer_burmeister), report.fischer_burmeister.sum, 1e-10);
  EXPECT_NEAR(Sum(detail.penalised_fischer_burmeister), report.penalised_fischer_burmeister.sum,
              1e-10);
  EXPECT_EQ(detail.energy[report.energy.max_row], report.energy.max);
  EXPECT_EQ(detail.natural[report.natural.max_row], report.natural.max);
  EXPECT_EQ(*std::max_element(detail.natural.begin(), detail.natural.end()), report.natural.max);
  ASSERT_EQ(static_cast<int>(detail.lu.size()), known.problem.contacts());
  double normal = 0, magnitude = 0, direction = 0;
  for (const LuContactErrors& contact : detail.lu) {
    normal += contact.normal;
    magnitude += contact.magnitude;
    direction += contact.direction;
    EXPECT_EQ(known.problem.groups()[contact.group].kind, GroupKind::kContact);
  }
  EXPECT_NEAR(normal, report.lu.normal, 1e-12);
  EXPECT_NEAR(magnitude, report.lu.magnitude, 1e-12);
  EXPECT_NEAR(direction, report.lu.direction, 1e-12);
  EXPECT_EQ(report.lu.detached + report.lu.sticking + report.lu.sliding, known.problem.contacts());
  ASSERT_EQ(detail.fclib.size(), known.problem.groups().size());
  double squares = 0;
  for (double value : detail.fclib) squares += value * value;
  EXPECT_NEAR(std::sqrt(squares), report.fclib.absolute, 1e-12);
}

// Reordering the groups reorders the errors and changes none of them.
TEST_P(EveryLaw, PermutingTheGroupsLeavesAllMeasuresAlone) {
  const test::KnownProblem known = test::MakeKnownProblem(GetParam(), 11);
  const Problem& problem = known.problem;
  const int n = problem.rows();
  std::vector<RowGroup> groups(problem.groups().rbegin(), problem.groups().rend());
  std::vector<int> from;  // old row of every new one
  for (RowGroup& group : groups) {
    const int first = static_cast<int>(from.size());
    for (int i = 0; i < group.size; ++i) from.push_back(group.first_row + i);
    group.first_row = first;
  }
  std::vector<Triplet> entries;
  const std::vector<double> x = test::Random(5).Vector(n, -1, 1);
  const std::vector<double> w = VelocityOf(problem, x);
  std::vector<double> block(n * n);
  problem.dynamics().DiagonalBlock(0, n, block.data());
  std::vector<double> b(n), lower(n), upper(n), permuted_x(n), permuted_w(n);
  for (int i = 0; i < n; ++i) {
    b[i] = problem.dynamics().bias()[from[i]];
    lower[i] = problem.lower()[from[i]];
    upper[i] = problem.upper()[from[i]];
    permuted_x[i] = x[from[i]];
    permuted_w[i] = w[from[i]];
    for (int j = 0; j < n; ++j) entries.push_back({i, j, block[from[i] * n + from[j]]});
  }
  const Problem permuted(std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, entries), b),
                         groups, lower, upper);
  FeasibleSet set, permuted_set;
  set.Reset(problem, GetParam(), nullptr);
  permuted_set.Reset(permuted, GetParam(), nullptr);
  const ErrorReport before = MeasureErrors(set, x.data(), w.data());
  const ErrorReport after = MeasureErrors(permuted_set, permuted_x.data(), permuted_w.data());
  EXPECT_NEAR(after.energy.sum, before.energy.sum, 1e-12 * before.energy.sum);
  EXPECT_EQ(from[after.energy.max_row], before.energy.max_row);
  EXPECT_NEAR(after.energy.free_energy, before.energy.free_energy,
              1e-12 * before.energy.free_energy);
  EXPECT_NEAR(after.natural.sum, before.natural.sum, 1e-12 * before.natural.sum);
  EXPECT_NEAR(after.fischer_burmeister.sum, before.fischer_burmeister.sum, 1e-11);
  EXPECT_NEAR(after.lu.total, before.lu.total, 1e-11);
  EXPECT_NEAR(after.lu.friction(), before.lu.friction(), 1e-11);
  EXPECT_NEAR(after.fclib.relative, before.fclib.relative, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Errors, EveryLaw, testing::ValuesIn(test::AllLaws()),
                         [](const auto& tested) { return test::LawName(tested.param); });

// A problem without rows has no error, and nothing is divided by zero.
TEST(ErrorReport, EmptyProblemHasNoError) {
  const Problem problem;
  FeasibleSet set;
  set.Reset(problem, Law{LawKind::kNcp, 0}, nullptr);
  ErrorDetail detail;
  const ErrorReport report = MeasureErrors(set, nullptr, nullptr, &detail);
  EXPECT_EQ(report.energy.sum, 0);
  EXPECT_EQ(report.energy.relative, 0);
  EXPECT_EQ(report.natural.max_row, -1);
  EXPECT_EQ(report.fclib.relative, 0);
  EXPECT_TRUE(detail.energy.empty());
}

// An overflowed iterate must not look good: a NaN in any row of x or of w makes every sum NaN, and
// the largest value too, though finite errors follow it.
TEST_P(EveryLaw, NaNIsNotHidden) {
  const test::KnownProblem known = test::MakeKnownProblem(GetParam(), 1);
  FeasibleSet set;
  set.Reset(known.problem, GetParam(), nullptr);
  for (std::size_t row = 0; row < known.x.size(); ++row) {
    for (const bool in_x : {true, false}) {
      std::vector<double> x = known.x;
      std::vector<double> w = known.w;
      (in_x ? x : w)[row] = std::numeric_limits<double>::quiet_NaN();
      x.back() += 1;
      const ErrorReport report = MeasureErrors(set, x.data(), w.data());
      const std::string where = (in_x ? "x[" : "w[") + std::to_string(row) + "]";
      EXPECT_TRUE(std::isnan(report.energy.sum)) << where;
      EXPECT_TRUE(std::isnan(report.energy.max)) << where;
      EXPECT_LE(report.energy.max_row, static_cast<int>(row)) << where;
      EXPECT_TRUE(std::isnan(report.natural.sum)) << where;
      EXPECT_TRUE(std::isnan(report.natural.max)) << where;
      EXPECT_TRUE(std::isnan(report.fischer_burmeister.sum)) << where;
      EXPECT_TRUE(std::isnan(report.penalised_fischer_burmeister.sum)) << where;
      EXPECT_TRUE(std::isnan(report.lu.total)) << where;
      EXPECT_TRUE(std::isnan(report.fclib.relative)) << where;
    }
  }
}

}  // namespace
}  // namespace nonsmooth
