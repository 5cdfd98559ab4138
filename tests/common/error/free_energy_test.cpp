// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The scale of all errors: only what the free motion violates counts.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "common/error/energy_error.h"
#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "tests/support/known_problem.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kStepOfGravity = 0.00981;  // [m/s] in a millisecond

/// A = I, so that every row stands alone: x_i = −b_i where it acts.
Problem Rows(std::vector<double> b, std::vector<RowGroup> groups, std::vector<double> lower,
             std::vector<double> upper) {
  const int n = static_cast<int>(b.size());
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) entries.push_back({i, i, 1});
  auto dynamics =
      std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, std::move(entries)), std::move(b));
  return {std::move(dynamics), std::move(groups), std::move(lower), std::move(upper)};
}

RowGroup Group(GroupKind kind, int first_row, int tangents = 0) {
  RowGroup group;
  group.kind = kind;
  group.first_row = first_row;
  group.size = 1 + tangents;
  group.tangents = tangents;
  group.friction = 0.5;
  return group;
}

double FreeEnergyOf(const Problem& problem, const Law& law = Law()) {
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  return FreeEnergy(set);
}

/// Solved by every solver that can, with nothing but the default tolerance.
void ExpectSolvedTo(const Problem& problem, const std::vector<double>& x) {
  for (const SolverInfo& info : Solvers()) {
    Driver driver(info.name);
    SolveOptions options;
    if (!info.Handles(LawKind::kNcp)) {
      if (problem.contacts() > 0) options.law = {info.laws.front(), 8};
    }
    Solution solution;
    const Result result = driver.Solve(problem, options, solution);
    EXPECT_EQ(result.status, Status::kConverged) << info.name;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(solution.x[i], x[i], 2e-4 * kStepOfGravity) << info.name << " row " << i;
    }
  }
}

// A slider held against gravity; its limit is 100 m away, which at a millisecond is b = 1e5 m/s.
// Counted in, the limit's ½ b² = 5e9 J allow an error of 50 J, and the slider would fall.
TEST(FreeEnergy, LimitOutOfReachIsNoScale) {
  const Problem slider =
      Rows({-kStepOfGravity, 1e5}, {Group(GroupKind::kEquality, 0), Group(GroupKind::kBox, 1)},
           {0, 0}, {0, kInfinity});
  EXPECT_DOUBLE_EQ(FreeEnergyOf(slider), 0.5 * kStepOfGravity * kStepOfGravity);
  ExpectSolvedTo(slider, {kStepOfGravity, 0});
}

// The same for a limit on the other side, x ≤ 0, and for one that is hit.
TEST(FreeEnergy, LimitsOfEitherSideCountWhereTheyAreHit) {
  const RowGroup limit = Group(GroupKind::kBox, 0);
  EXPECT_EQ(FreeEnergyOf(Rows({-7}, {limit}, {-kInfinity}, {0})), 0);
  EXPECT_EQ(FreeEnergyOf(Rows({2}, {limit}, {-kInfinity}, {0})), 2);
  EXPECT_EQ(FreeEnergyOf(Rows({-2}, {limit}, {0}, {kInfinity})), 2);
  // A motor that can give 1 N s of the 2 it would take: r = 1.
  EXPECT_EQ(FreeEnergyOf(Rows({-2}, {limit}, {-1}, {1})), 0.5);
}

// One contact closed, one whose gap of 10 cm takes b = 100 m/s to close within the step.
TEST(FreeEnergy, ContactAcrossAGapIsNoScale) {
  const Problem pair = Rows({-kStepOfGravity, 0, 0, 100, 0, 0},
                            {Group(GroupKind::kContact, 0, 2), Group(GroupKind::kContact, 3, 2)},
                            std::vector<double>(6, 0), std::vector<double>(6, 0));
  for (const LawKind kind : {LawKind::kCoupledBox, LawKind::kCcp, LawKind::kNcp}) {
    EXPECT_DOUBLE_EQ(FreeEnergyOf(pair, {kind, 0}), 0.5 * kStepOfGravity * kStepOfGravity)
        << ToString(kind);
  }
  ExpectSolvedTo(pair, {kStepOfGravity, 0, 0, 0, 0, 0});
}

// However fast it slides, what takes off is not held back. Under `ccp` that is true only where it
// takes off by more than μ times the sliding: the convexified law lifts what slides.
TEST(FreeEnergy, WhatSlidesAndTakesOffIsFree) {
  const std::vector<RowGroup> contact{Group(GroupKind::kContact, 0, 2)};
  const Problem problem = Rows({0.1, 30, 40}, contact, {0, 0, 0}, {0, 0, 0});
  for (const LawKind kind : {LawKind::kCoupledBox, LawKind::kPyramid, LawKind::kNcp}) {
    EXPECT_EQ(FreeEnergyOf(problem, {kind, 8}), 0) << ToString(kind);
  }
  EXPECT_GT(FreeEnergyOf(problem, {LawKind::kCcp, 0}), 0);
  EXPECT_EQ(FreeEnergyOf(Rows({26, 30, 40}, contact, {0, 0, 0}, {0, 0, 0}), {LawKind::kCcp, 0}), 0);
}

// A robot whose joints move with 1e-3 J has limits that are rad/h away: the scale stays 1e-3 J.
TEST(FreeEnergy, DistantLimitsOfManyJointsAddNothing) {
  constexpr int kJoints = 20;
  std::vector<double> b, lower, upper;
  std::vector<RowGroup> groups;
  for (int k = 0; k < kJoints; ++k) {
    groups.push_back(Group(GroupKind::kEquality, 2 * k));
    groups.push_back(Group(GroupKind::kBox, 2 * k + 1));
    b.insert(b.end(), {-0.01, 70.0});
    lower.insert(lower.end(), {0, 0});
    upper.insert(upper.end(), {0, kInfinity});
  }
  EXPECT_NEAR(FreeEnergyOf(Rows(b, groups, lower, upper)), 1e-3, 1e-15);
}

class FreeEnergyOfLaw : public testing::TestWithParam<Law> {};

// It is the energy error at x = 0, so that the relative error of doing nothing is 1.
TEST_P(FreeEnergyOfLaw, IsTheErrorOfDoingNothing) {
  for (int seed = 0; seed < 200; ++seed) {
    const Problem problem = test::MakeKnownProblem(GetParam(), seed).problem;
    FeasibleSet set;
    set.Reset(problem, GetParam(), nullptr);
    const std::vector<double> zero(problem.rows(), 0.0);
    const double free_energy = FreeEnergy(set);
    const EnergyError error =
        MeasureEnergy(set, free_energy, zero.data(), problem.dynamics().bias().data());
    EXPECT_NEAR(error.sum, free_energy, 1e-14 * free_energy) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, FreeEnergyOfLaw,
                         testing::Values(Law{LawKind::kBox, 0}, Law{LawKind::kCoupledBox, 0},
                                         Law{LawKind::kPyramid, 5}, Law{LawKind::kCcp, 0},
                                         Law{LawKind::kNcp, 0}));

}  // namespace
}  // namespace nonsmooth
