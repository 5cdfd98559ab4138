// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/planar_lcp.h"

#include <gtest/gtest.h>

#include "common/formulations/pyramid_lcp.h"
#include "tests/common/formulations/formulations_support.h"
#include "tests/support/expect_refusal.h"
#include "tests/support/known_problem.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// The woodpecker of Glocker and Studer, Eq. 14 and Table I, with its lower sleeve contact closed.
PlanarImpact Woodpecker() {
  const double sleeve = 0.0003, bird = 0.0045, l_m = 0.010, l_g = 0.015;
  PlanarImpact impact;
  impact.velocities = 3;
  impact.mass = {bird + sleeve,
                 bird * l_m,
                 bird * l_g,  //
                 bird * l_m,
                 5e-9 + bird * l_m * l_m,
                 bird * l_m * l_g,  //
                 bird * l_g,
                 bird * l_m * l_g,
                 7e-7 + bird * l_g * l_g};
  impact.velocity = {-0.0287542, 0, 0};
  impact.impulse = {0, 0, 0};
  PlanarImpact::Contact contact;
  contact.normal = {0, 0.0058, 0};
  contact.tangent = {1, 0.0031, 0};
  contact.friction = 0.3;
  impact.contacts.push_back(contact);
  return impact;
}

FeasibleSet SetOf(const Problem& problem) {
  FeasibleSet set;
  set.Reset(problem, {LawKind::kNative, 0}, nullptr);
  return set;
}

// The one-contact LCP that plain Lemke fails on, as two others have computed it from Table I.
TEST(PlanarLcp, WoodpeckersContactHasTheKnownMatrix) {
  const Problem problem = MakePlanarProblem(Woodpecker());
  const FeasibleSet set = SetOf(problem);
  const LcpMap map = PlanarLcp(set);
  const Lcp lcp = test::LcpOf(map, problem);
  ASSERT_EQ(lcp.size(), 3);
  const double expected[3][3] = {
      {1403.1026, -1035.5174, 0}, {-1470.2088, 1448.9714, 1}, {0.6, -1, 0}};
  const Eigen::MatrixXd m = test::Dense(lcp.matrix);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(m(i, j), expected[i][j], 1e-4) << i << ", " << j;
  }
  // It slides down without an impulse: ξ_L = |γ_T|.
  const auto solutions = test::EnumerateImpulses(map, problem);
  ASSERT_FALSE(solutions.empty());
  // One of them is x = 0, so that there is no free energy to compare with.
  for (const std::vector<double>& x : solutions) EXPECT_LE(test::EnergyOf(set, x).sum, 1e-20);
}

// Eq. 33's vector: W ᵀM⁻¹ h Δt + (E + ε) γ^A, normal and tangential.
TEST(PlanarLcp, VectorHasNewtonsRestitution) {
  PlanarImpact impact;
  impact.velocities = 2;
  impact.mass = {2, 0, 0, 4};
  impact.velocity = {-3, 5};
  impact.impulse = {1, 2};
  PlanarImpact::Contact contact;
  contact.normal = {1, 0};
  contact.tangent = {0, 1};
  contact.normal_speed = 0.5;
  contact.normal_restitution = 0.25;
  contact.tangent_restitution = 0.75;
  contact.friction = 0.3;
  impact.contacts = {contact};
  const Problem problem = MakePlanarProblem(impact);
  const FeasibleSet set = SetOf(problem);
  const Lcp lcp = test::LcpOf(PlanarLcp(set), problem);
  ASSERT_EQ(lcp.size(), 3);
  EXPECT_NEAR(lcp.vector[0], 0.5 + 1.25 * -2.5, 1e-14);
  EXPECT_NEAR(lcp.vector[1], 0.5 + 1.75 * 5, 1e-14);
  EXPECT_EQ(lcp.vector[2], 0);
}

// A ball of 2 kg thrown at a wall with 3 m/s, ε = 0.4, without friction, comes back with 1.2 m/s:
// Λ_N = m (1 + ε) · 3.
TEST(PlanarLcp, NewtonsImpactIsTheClosedForm) {
  PlanarImpact impact;
  impact.velocities = 2;
  impact.mass = {2, 0, 0, 2};
  impact.velocity = {-3, 1};
  impact.impulse = {0, 0};
  PlanarImpact::Contact contact;
  contact.normal = {1, 0};
  contact.tangent = {0, 1};
  contact.normal_restitution = 0.4;
  impact.contacts = {contact};
  const Problem problem = MakePlanarProblem(impact);
  const FeasibleSet set = SetOf(problem);
  const auto solutions = test::EnumerateImpulses(PlanarLcp(set), problem);
  ASSERT_FALSE(solutions.empty());
  for (const std::vector<double>& x : solutions) {
    EXPECT_NEAR(x[0], 2 * 1.4 * 3, 1e-12);
    EXPECT_NEAR(x[1], 0, 1e-12);
  }
}

// Both forms have the same impulses: three variables a contact here, four there, and joints.
TEST(PlanarLcp, HasTheSolutionsOfThePyramidWithTwoFacets) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Law law{LawKind::kNcp, 0};
    test::KnownProblemMaker maker(law, seed);
    maker.AddEquality();
    maker.AddContact(0.2, 1);
    maker.AddContact(0.1, 1);
    maker.AddContact(0.3, 0, 0.1, 0);  // spinning friction is one axis too
    const test::KnownProblem known = maker.Make();
    FeasibleSet set;
    set.Reset(known.problem, law, nullptr);
    EXPECT_EQ(PlanarLcp(set).size(), 1 + 9);
    EXPECT_EQ(PyramidLcp(set).size(), 1 + 12);
    const auto planar = test::EnumerateImpulses(PlanarLcp(set), known.problem);
    const auto pyramid = test::EnumerateImpulses(PyramidLcp(set), known.problem);
    const auto holds = [](const auto& list, const std::vector<double>& x) {
      for (const std::vector<double>& y : list) {
        double distance = 0;
        for (std::size_t i = 0; i < x.size(); ++i) distance += std::abs(x[i] - y[i]);
        if (distance < 1e-8) return true;
      }
      return false;
    };
    EXPECT_TRUE(holds(planar, known.x)) << seed;
    EXPECT_TRUE(holds(pyramid, known.x)) << seed;
    for (const auto& x : planar) EXPECT_TRUE(holds(pyramid, x)) << seed;
    for (const auto& x : pyramid) EXPECT_TRUE(holds(planar, x)) << seed;
  }
}

TEST(PlanarLcp, ContactsInSpaceAreRefused) {
  for (const Law& law : {Law{LawKind::kNcp, 0}, Law{LawKind::kPyramid, 4}, Law{LawKind::kCcp, 0}}) {
    const Problem problem = FindProblem("SphereAtRest").make(law).problem;
    FeasibleSet set;
    set.Reset(problem, law, nullptr);
    test::ExpectRefusal([&] { PlanarLcp(set); }, {"planar LCP", "group 0"});
  }
}

TEST(MakePlanarProblem, MistakesAreRefused) {
  PlanarImpact impact = Woodpecker();
  impact.mass.pop_back();
  test::ExpectRefusal([&] { MakePlanarProblem(impact); }, {"mass has 8 entries, expected 9"});
  impact = Woodpecker();
  impact.contacts[0].tangent = {1};
  test::ExpectRefusal([&] { MakePlanarProblem(impact); },
                      {"contact 0", "tangent has 1 entries, expected 3"});
  impact = Woodpecker();
  impact.contacts[0].normal_restitution = 1.5;
  test::ExpectRefusal([&] { MakePlanarProblem(impact); }, {"contact 0", "1.5", "[0, 1]"});
  impact = Woodpecker();
  impact.velocities = 0;
  test::ExpectRefusal([&] { MakePlanarProblem(impact); }, {"velocities = 0"});
}

}  // namespace
}  // namespace nonsmooth
