// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/lemke.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/formulations/planar_lcp.h"
#include "common/solve/driver.h"
#include "tests/support/known_problem.h"
#include "tests/support/lcp_enumeration.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

LemkeBasis::Step RunToTheEnd(LemkeBasis& basis, int most = 1000) {
  LemkeBasis::Step step = LemkeBasis::Step::kPivoted;
  for (int i = 0; i < most && step == LemkeBasis::Step::kPivoted; ++i) step = basis.Pivot();
  return step;
}

// The woodpecker's contact: with ties broken at will the method ends on a secondary ray; by the
// lexicographic rule it finds z = (0, 0, 0.0287542).
TEST(LemkeBasis, LexicographicRuleSolvesTheWoodpeckersContact) {
  const double m[9] = {1403.1026, -1035.5174, 0, -1470.2088, 1448.9714, 1, 0.6, -1, 0};
  const double q[3] = {4.4487e-6, -0.0287542, 0};
  LemkeBasis basis;
  basis.Start(3, m, q);
  ASSERT_EQ(RunToTheEnd(basis), LemkeBasis::Step::kSolved);
  double z[3];
  basis.Values(z);
  EXPECT_NEAR(z[0], 0, 1e-15);
  EXPECT_NEAR(z[1], 0, 1e-15);
  EXPECT_NEAR(z[2], 0.0287542, 1e-13);
}

// −z − 1 ≥ 0 has no solution with z ≥ 0.
TEST(LemkeBasis, EndsOnARayWhereThereIsNoSolution) {
  const double m = -1;
  const double q = -1;
  LemkeBasis basis;
  basis.Start(1, &m, &q);
  EXPECT_EQ(RunToTheEnd(basis), LemkeBasis::Step::kRay);
}

TEST(LemkeBasis, NothingIsDoneWhereQIsNotNegative) {
  const double m[4] = {1, 0, 0, 1};
  const double q[2] = {1, 0};
  LemkeBasis basis;
  basis.Start(2, m, q);
  EXPECT_EQ(basis.Pivot(), LemkeBasis::Step::kSolved);
  double z[2];
  basis.Values(z);
  EXPECT_EQ(z[0], 0);
  EXPECT_EQ(z[1], 0);
  EXPECT_FALSE(basis.Polish(z));
}

// Random positive definite M, and degenerate q: the one solution that trying all bases finds.
TEST(LemkeBasis, FindsWhatEnumerationFinds) {
  constexpr int kSize = 8;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    test::Random random(seed);
    const std::vector<double> m = test::RandomPositiveDefinite(kSize, random);
    std::vector<double> q = random.Vector(kSize, -1, 1);
    if (seed % 3 == 0) q[0] = q[3] = q[5] = -0.5;
    if (seed % 5 == 0) q[1] = q[2] = 0;
    LemkeBasis basis;
    basis.Start(kSize, m.data(), q.data());
    ASSERT_EQ(RunToTheEnd(basis), LemkeBasis::Step::kSolved) << seed;
    std::vector<double> z(kSize);
    basis.Values(z.data());
    const auto all = test::EnumerateLcp(Eigen::Map<const Eigen::MatrixXd>(m.data(), kSize, kSize),
                                        Eigen::Map<const Eigen::VectorXd>(q.data(), kSize), 1e-10);
    ASSERT_FALSE(all.empty());
    for (int i = 0; i < kSize; ++i) EXPECT_NEAR(z[i], all[0](i), 1e-10) << seed;
    std::vector<double> polished(kSize);
    if (basis.Polish(polished.data())) {
      for (int i = 0; i < kSize; ++i) EXPECT_NEAR(polished[i], all[0](i), 1e-10) << seed;
    }
  }
}

// A ball on a plane, thrown down and forwards with ε_N = 0.5 (Newton) and μ = 0.2:
// Λ_N = 1.5 m v_n, and it slides on with v_t − μ Λ_N / m. Both forms of the LCP agree.
TEST(Lemke, PlanarImpactWithRestitutionIsTheClosedForm) {
  PlanarImpact impact;
  impact.velocities = 2;
  impact.mass = {3, 0, 0, 3};
  impact.velocity = {-2, 4};
  impact.impulse = {0, 0};
  PlanarImpact::Contact contact;
  contact.normal = {1, 0};
  contact.tangent = {0, 1};
  contact.normal_restitution = 0.5;
  contact.friction = 0.2;
  impact.contacts = {contact};
  const Problem problem = MakePlanarProblem(impact);
  for (const char* planar : {"false", "true"}) {
    Driver driver("lemke");
    Set("lemke", driver.Options(), "planar", planar);
    Solution solution;
    const Result result = driver.Solve(problem, SolveOptions(), solution);
    EXPECT_EQ(result.status, Status::kConverged) << planar;
    EXPECT_NEAR(solution.x[0], 9, 1e-12) << planar;
    EXPECT_NEAR(solution.x[1], -1.8, 1e-12) << planar;
    EXPECT_NEAR(solution.v[0], 1, 1e-12) << planar;
    EXPECT_NEAR(solution.v[1], 3.4, 1e-12) << planar;
  }
}

// Under `pyramid` the disc of rolling friction about two axes is no polygon: the result says so.
TEST(Lemke, SaysThatADiscWasDiscretised) {
  const Law law{LawKind::kPyramid, 8};
  Driver driver("lemke");
  SolveOptions options;
  options.law = law;
  options.relative_tolerance = 1e-12;
  Solution solution;
  const Result result =
      driver.Solve(FindProblem("RandomRolling").make(law).problem, options, solution);
  EXPECT_EQ(result.status, Status::kStalled);
  EXPECT_NE(result.remark.find("polygon"), std::string::npos);
  EXPECT_LE(result.energy.relative, 1e-5);
}

// One frictionless contact, that is one variable, more than the dense basis takes.
TEST(Lemke, TooManyVariablesAreNotBegun) {
  const int rows = LemkeSolver::kMostVariables + 1;
  std::vector<Triplet> entries;
  std::vector<RowGroup> groups(rows);
  for (int i = 0; i < rows; ++i) {
    entries.push_back({i, i, 1});
    groups[i].kind = GroupKind::kContact;
    groups[i].first_row = i;
    groups[i].size = 1;
    groups[i].law = {LawKind::kBox, 0};
  }
  const std::vector<double> zero(rows, 0.0);
  const Problem problem(
      std::make_shared<MatrixDynamics>(FromTriplets("A", rows, rows, std::move(entries)),
                                       std::vector<double>(rows, -1.0)),
      groups, zero, zero);
  Driver driver("lemke");
  Solution solution;
  SolveOptions options;
  options.islands = false;  // each row alone would be small enough
  const Result result = driver.Solve(problem, options, solution);
  EXPECT_EQ(result.status, Status::kStalled);
  EXPECT_NE(result.remark.find("dense"), std::string::npos);
}

}  // namespace
}  // namespace nonsmooth
