// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/law/feasible_set.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/error/energy_error.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One contact with a diagonal A.
Problem OneContact(const std::vector<double>& diagonal, const std::vector<double>& b, double mu,
                   double estimate = std::numeric_limits<double>::quiet_NaN()) {
  const int n = static_cast<int>(diagonal.size());
  std::vector<Triplet> entries(n);
  for (int i = 0; i < n; ++i) entries[i] = {i, i, diagonal[i]};
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.size = n;
  group.tangents = n - 1;
  group.friction = mu;
  group.normal_estimate = estimate;
  return Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", n, n, entries), b), {group},
                 std::vector<double>(n, 0.0), std::vector<double>(n, 0.0));
}

FeasibleSet MakeSet(const Problem& problem, const Law& law, const double* warm = nullptr) {
  FeasibleSet set;
  set.Reset(problem, law, warm);
  return set;
}
FeasibleSet MakeSet(Problem&& problem, const Law& law, const double* warm = nullptr) = delete;

// Laws without axes share one weight over the tangents, laws with axes keep diag(A).
TEST(FeasibleSet, AveragesTheWeightsOfTheTangents) {
  const Problem problem = OneContact({1, 2, 4}, {0, 0, 0}, 0.5);
  for (Law law : {Law{LawKind::kCcp, 0}, Law{LawKind::kNcp, 0}, Law{LawKind::kPyramid, 4}}) {
    EXPECT_EQ(MakeSet(problem, law).weights(), (std::vector<double>{1, 3, 3}));
  }
  for (Law law : {Law{LawKind::kBox, 0}, Law{LawKind::kCoupledBox, 0}}) {
    EXPECT_EQ(MakeSet(problem, law).weights(), (std::vector<double>{1, 2, 4}));
  }
}

// The estimate of the problem comes first, then the warm start, then −b_n / a_nn.
TEST(FeasibleSet, BoxBoundsAreFrozenInTheDocumentedOrder) {
  const Law box{LawKind::kBox, 0};
  const double warm[3] = {5, 0, 0};
  const Problem with = OneContact({2, 1, 1}, {-6, 0, 0}, 0.5, 7.0);
  const Problem without = OneContact({2, 1, 1}, {-6, 0, 0}, 0.5);
  EXPECT_EQ(MakeSet(with, box, warm).group(0).normal_estimate, 7);
  EXPECT_EQ(MakeSet(without, box, warm).group(0).normal_estimate, 5);
  EXPECT_EQ(MakeSet(without, box).group(0).normal_estimate, 3);
  const Problem opening = OneContact({2, 1, 1}, {6, 0, 0}, 0.5);
  EXPECT_EQ(MakeSet(opening, box).group(0).normal_estimate, 0);
  double lower[3], upper[3];
  const double x[3] = {100, 0, 0};
  MakeSet(with, box).RowBounds(0, x, lower, upper);
  EXPECT_EQ(upper[1], 3.5);
  EXPECT_EQ(lower[2], -3.5);
  EXPECT_EQ(lower[0], 0);
  EXPECT_EQ(upper[0], kInfinity);
}

// Bullet's rule: the bound follows the normal impulse, and is zero for a pulling one.
TEST(FeasibleSet, CoupledBoxBoundsFollowTheNormal) {
  const Problem problem = OneContact({1, 1, 1}, {0, 0, 0}, 0.5);
  const FeasibleSet set = MakeSet(problem, {LawKind::kCoupledBox, 0});
  double y[3] = {2, 3, -0.4};
  set.Project(0, y);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], -0.4);
  double pulling[3] = {-2, 3, -0.4};
  set.Project(0, pulling);
  EXPECT_EQ(pulling[0], 0);
  EXPECT_EQ(pulling[1], 0);
}

// De Saxcé's term μ‖w_t‖ belongs to ncp and, with the polygon's speed, to pyramid, not to ccp.
TEST(FeasibleSet, ShiftsTheNormalForCoulombOnly) {
  const Problem problem = OneContact({1, 1, 1}, {0, 0, 0}, 0.5);
  const auto shifted = [&](const Law& law) {
    double w[3] = {0.1, 3, 4};
    MakeSet(problem, law).AddShift(0, w);
    return w[0];
  };
  EXPECT_NEAR(shifted({LawKind::kNcp, 0}), 0.1 + 0.5 * 5, 1e-15);
  EXPECT_NEAR(shifted({LawKind::kPyramid, 4}), 0.1 + 0.5 * 4, 1e-15);
  EXPECT_EQ(shifted({LawKind::kCcp, 0}), 0.1);
  EXPECT_EQ(shifted({LawKind::kCoupledBox, 0}), 0.1);
}

// A row that nothing moves along cannot be in error, whatever its velocity; the rest still counts.
TEST(FeasibleSet, InertRowsHaveNoError) {
  const double x[3] = {1, 5, -5};
  const double w[3] = {0.2, -1, 3};
  double r[3];
  for (Law law : test::AllLaws()) {
    const Problem tangents = OneContact({2, 0, 0}, {0, 0, 0}, 0.5, 1.0);
    MakeSet(tangents, law).NaturalMap(0, x, w, r);
    EXPECT_GT(std::abs(r[0]), 0) << ToString(law);
    EXPECT_EQ(r[1], 0) << ToString(law);
    EXPECT_EQ(r[2], 0) << ToString(law);
    const Problem normal = OneContact({0, 2, 2}, {0, 0, 0}, 0.5, 1.0);
    MakeSet(normal, law).NaturalMap(0, x, w, r);
    EXPECT_EQ(r[0], 0) << ToString(law);
    EXPECT_GT(std::abs(r[1]), 0) << ToString(law);
  }
}

// Under `pyramid` with ever more facets the energy error tends to that under `ncp`.
TEST(FeasibleSet, PyramidTendsToCoulomb) {
  const Problem problem = OneContact({1, 2, 2}, {0, 0, 0}, 0.6);
  test::Random random(1);
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> x = random.Vector(3, -1, 2);
    const std::vector<double> w = random.Vector(3, -1, 1);
    const auto energy = [&](const Law& law) {
      return MeasureEnergy(MakeSet(problem, law), 1, x.data(), w.data()).sum;
    };
    const double exact = energy({LawKind::kNcp, 0});
    EXPECT_NEAR(energy({LawKind::kPyramid, 100}), exact, 0.05 * (1 + exact));
    EXPECT_NEAR(energy({LawKind::kPyramid, 10000}), exact, 5e-4 * (1 + exact));
  }
}

// One tangent row: disc, polygon and axis are the same interval, so the three laws agree.
TEST(FeasibleSet, LawsAgreeOnOneTangent) {
  const Problem problem = OneContact({1, 2}, {0, 0}, 0.6);
  const double x[2] = {0.7, 0.9};
  const double w[2] = {0.1, -0.5};
  double ncp[2], pyramid[2];
  MakeSet(problem, {LawKind::kNcp, 0}).NaturalMap(0, x, w, ncp);
  MakeSet(problem, {LawKind::kPyramid, 4}).NaturalMap(0, x, w, pyramid);
  EXPECT_NEAR(ncp[0], pyramid[0], 1e-14);
  EXPECT_NEAR(ncp[1], pyramid[1], 1e-14);
}

// The frozen set is convex and agrees with the law at the point it was frozen at.
TEST(FeasibleSet, FreezingKeepsTheBoundsOfThePoint) {
  const Problem problem = OneContact({1, 1, 1}, {0, 0, 0}, 0.5);
  const FeasibleSet set = MakeSet(problem, {LawKind::kCoupledBox, 0});
  const double x[3] = {2, 0, 0};
  FeasibleSet frozen;
  frozen.Freeze(set, x);
  double y[3] = {10, 3, -3};
  frozen.Project(0, y);
  EXPECT_EQ(y[0], 10);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], -1);
  FeasibleSet convex;
  convex.Freeze(MakeSet(problem, {LawKind::kNcp, 0}), x);
  EXPECT_FALSE(convex.group(0).shifted);
}

// `native` takes each contact's own law.
TEST(FeasibleSet, NativeIsTheLawOfTheContact) {
  Problem problem = OneContact({1, 1, 1}, {0, 0, 0}, 0.5);
  std::vector<RowGroup> groups = problem.groups();
  groups[0].law = Law{LawKind::kCcp, 0};
  const Problem ccp(problem.shared_dynamics(), groups, {0, 0, 0}, {0, 0, 0});
  EXPECT_TRUE(MakeSet(problem, Law()).group(0).shifted);
  EXPECT_FALSE(MakeSet(ccp, Law()).group(0).shifted);
}

}  // namespace
}  // namespace nonsmooth
