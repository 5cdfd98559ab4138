// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/pyramid_lcp.h"

#include <gtest/gtest.h>

#include "tests/common/formulations/formulations_support.h"
#include "tests/support/expect_refusal.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

using test::Dense;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A block of 2 kg whose contact lies at its centre: G_nᵀM⁻¹G_n = ½, G_d = D, so that Eq. 19 reads
// M = [½ 0 0; 0 ½ DᵀD e; μ −eᵀ 0] with the four facets d = ±t₁, ±t₂ and s last.
TEST(PyramidLcp, OneContactWithFourFacetsIsEquation19) {
  const Law law{LawKind::kPyramid, 4};
  const Problem problem = FindProblem("SlidingBlock").make(law).problem;
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const Lcp lcp = test::LcpOf(PyramidLcp(set), problem);
  ASSERT_EQ(lcp.size(), 6);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  expected(0, 0) = 0.5;
  const double d[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      expected(1 + i, 1 + j) = 0.5 * (d[i][0] * d[j][0] + d[i][1] * d[j][1]);
    }
    expected(1 + i, 5) = 1;
    expected(5, 1 + i) = -1;
  }
  expected(5, 0) = 0.4;
  EXPECT_LE((Dense(lcp.matrix) - expected).cwiseAbs().maxCoeff(), 1e-15);
  const std::vector<double>& b = problem.dynamics().bias();
  const double vector[6] = {b[0], b[1], b[2], -b[1], -b[2], 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(lcp.vector[i], vector[i], 1e-15) << i;
}

struct Named {
  const char* problem;
  Law law;
};

class PyramidLcpSolutions : public testing::TestWithParam<Named> {};

// What solves the LCP, by trying every basis, solves the problem it was made of, and is there.
TEST_P(PyramidLcpSolutions, SolveTheProblem) {
  const TestProblem test = FindProblem(GetParam().problem).make(GetParam().law);
  FeasibleSet set;
  set.Reset(test.problem, GetParam().law, nullptr);
  const auto solutions = test::EnumerateImpulses(PyramidLcp(set), test.problem);
  ASSERT_FALSE(solutions.empty());
  for (const std::vector<double>& x : solutions) {
    EXPECT_LE(test::RelativeEnergyOf(set, x), 1e-16);
    if (!test.unique_x) continue;
    for (int i = 0; i < test.problem.rows(); ++i) EXPECT_NEAR(x[i], test.x[i], 1e-9) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, PyramidLcpSolutions,
                         testing::Values(Named{"SlidingBlock", {LawKind::kPyramid, 6}},
                                         Named{"SlidingBlock", {LawKind::kCoupledBox, 0}},
                                         Named{"SlidingBlock", {LawKind::kBox, 0}},
                                         Named{"BlockPulledBelowFriction", {LawKind::kPyramid, 4}},
                                         Named{"RodOnBothEnds", {LawKind::kPyramid, 4}},
                                         Named{"EqualityJoints", {LawKind::kPyramid, 4}},
                                         Named{"MotorSaturated", {LawKind::kPyramid, 4}},
                                         Named{"MotorNotSaturated", {LawKind::kBox, 0}},
                                         Named{"ContactBetweenFixedBodies",
                                               {LawKind::kPyramid, 4}}),
                         [](const auto& named) {
                           return std::string(named.param.problem) + "_" +
                                  test::LawName(named.param.law);
                         });

// Every kind of bounds, and joints, at random: l, u, both, none. b is made for the known x.
TEST(PyramidLcp, BoundsOfEveryKindGiveTheKnownSolution) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Law law{LawKind::kCoupledBox, 0};
    test::KnownProblemMaker maker(law, seed);
    maker.AddEquality();
    maker.AddBox(-1, 0.5);
    maker.AddBox(0, kInfinity);
    maker.AddBox(-kInfinity, 1);
    maker.AddBox(-kInfinity, kInfinity);
    maker.AddContact(0.2, 1);
    maker.AddContact(0, 0);
    const test::KnownProblem known = maker.Make();
    FeasibleSet set;
    set.Reset(known.problem, law, nullptr);
    const LcpMap map = PyramidLcp(set);
    EXPECT_EQ(map.size(), 1 + 2 + 1 + 1 + 1 + 4 + 1);
    const auto solutions = test::EnumerateImpulses(map, known.problem);
    bool found = false;
    for (const std::vector<double>& x : solutions) {
      double distance = 0;
      for (std::size_t i = 0; i < x.size(); ++i) distance += std::abs(x[i] - known.x[i]);
      found = found || distance < 1e-8;
      EXPECT_LE(test::RelativeEnergyOf(set, x), 1e-16) << "seed " << seed;
    }
    EXPECT_TRUE(found) << "seed " << seed;
  }
}

// Two equal joints: M_ff is singular, and what is left is as if there were one.
TEST(FreeElimination, RedundantJointsLeaveNoTrace) {
  // z₀ = z₁ free with M_ff = [2 2; 2 2]; the Schur complement is 3 − 1/2 and q' = 1 − (1/2) 4.
  Lcp lcp{test::DenseMatrix(3, 3, {2, 2, 1, 2, 2, 1, 1, 1, 3}), {4, 4, 1}, {1, 1, 0}};
  FreeElimination reduced;
  ASSERT_TRUE(reduced.Eliminate(lcp));
  ASSERT_EQ(reduced.size, 1);
  EXPECT_NEAR(reduced.matrix[0], 2.5, 1e-12);
  EXPECT_NEAR(reduced.vector[0], -1, 1e-12);
  const double kept = 0.4;  // −q'/M'
  double z[3];
  reduced.Recover(&kept, z);
  EXPECT_NEAR(z[0] + z[1], -(4 + 0.4) / 2, 1e-12);
  EXPECT_EQ(z[2], kept);
}

TEST(FreeElimination, IndefiniteJointsAreReported) {
  Lcp lcp{test::DenseMatrix(2, 2, {1, 2, 2, 1}), {0, 0}, {1, 1}};
  FreeElimination reduced;
  EXPECT_FALSE(reduced.Eliminate(lcp));
}

TEST(PyramidLcp, RoundConesAreRefused) {
  for (LawKind kind : {LawKind::kCcp, LawKind::kNcp}) {
    const Law law{kind, 0};
    const Problem problem = FindProblem("SphereAtRest").make(law).problem;
    FeasibleSet set;
    set.Reset(problem, law, nullptr);
    test::ExpectRefusal([&] { PyramidLcp(set); }, {"pyramid LCP", "group 0", "round cone"});
  }
}

TEST(MakeLcp, SizesThatDisagreeAreRefused) {
  const Law law{LawKind::kPyramid, 4};
  const Problem problem = FindProblem("SphereAtRest").make(law).problem;
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  const LcpMap map = PyramidLcp(set);
  test::ExpectRefusal(
      [&] {
        MakeLcp(map, FromTriplets("A", 2, 2, {}), {0, 0});
      },
      {"A is 2 x 2", "expected 3"});
  test::ExpectRefusal([&] { MakeLcp(map, problem.dynamics().Assembled(), {0}); },
                      {"b has 1 entries, expected 3"});
}

}  // namespace
}  // namespace nonsmooth
