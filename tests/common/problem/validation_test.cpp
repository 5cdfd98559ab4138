// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// What is refused, and that the message names field, index and rule. Every test starts from a valid
// problem, which passes, and spoils one thing at a time.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "tests/support/expect_refusal.h"

namespace nonsmooth {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Parts = std::initializer_list<const char*>;

/// Two bodies of 1 kg and 1 kg m², the second one in use by both rows.
struct Bodies {
  std::vector<Body> bodies{2};
  std::vector<TwoBodyRow> rows{2};

  Bodies() {
    for (Body& body : bodies) {
      body.inverse_mass = {1, 1, 1};
      body.inverse_inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    }
    for (TwoBodyRow& row : rows) {
      row.body_b = 1;
      row.jacobian[6] = 1;
    }
  }
};

void ExpectBodiesRefused(const std::function<void(Bodies&)>& spoil, Parts parts) {
  Bodies good;
  EXPECT_NO_THROW(TwoBodyDynamics(good.bodies, good.rows));
  Bodies bad;
  spoil(bad);
  test::ExpectRefusal([&] { TwoBodyDynamics(bad.bodies, bad.rows); }, parts);
}

TEST(Validation, BodyFieldsMustBeFinite) {
  for (const double value : {kNaN, kInfinity, -kInfinity}) {
    ExpectBodiesRefused([&](Bodies& b) { b.bodies[1].inverse_mass[2] = value; },
                        {"body 1", "inverse_mass[2]", "not finite"});
    ExpectBodiesRefused([&](Bodies& b) { b.bodies[0].inverse_inertia[4] = value; },
                        {"body 0", "inverse_inertia[4]", "not finite"});
    ExpectBodiesRefused([&](Bodies& b) { b.bodies[1].velocity[5] = value; },
                        {"body 1", "velocity[5]", "not finite"});
    ExpectBodiesRefused([&](Bodies& b) { b.bodies[1].applied_impulse[0] = value; },
                        {"body 1", "applied_impulse[0]", "not finite"});
  }
}

TEST(Validation, MassAndInertiaMustNotBeNegative) {
  ExpectBodiesRefused([](Bodies& b) { b.bodies[1].inverse_mass[0] = -0.5; },
                      {"body 1", "inverse_mass[0] = -0.5", "negative"});
  ExpectBodiesRefused([](Bodies& b) { b.bodies[0].inverse_inertia[8] = -2; },
                      {"body 0", "inverse_inertia[2][2] = -2", "negative"});
}

TEST(Validation, InertiaMustBeSymmetricAndSemidefinite) {
  ExpectBodiesRefused([](Bodies& b) { b.bodies[1].inverse_inertia[1] = 0.25; },
                      {"body 1", "inverse_inertia", "not symmetric", "[0][1] = 0.25"});
  const auto indefinite = [](Bodies& b) {
    b.bodies[0].inverse_inertia[5] = 2;
    b.bodies[0].inverse_inertia[7] = 2;
  };
  ExpectBodiesRefused(indefinite,
                      {"body 0", "inverse_inertia", "not positive semidefinite", "1, 2"});
}

TEST(Validation, RowsMustStandOnBodiesThatExist) {
  ExpectBodiesRefused([](Bodies& b) { b.rows[1].body_b = 2; },
                      {"row 1", "body 2 does not exist", "2 bodies"});
  ExpectBodiesRefused([](Bodies& b) { b.rows[0].body_a = -2; },
                      {"row 0", "body -2 does not exist", "-1 means none"});
  ExpectBodiesRefused([](Bodies& b) { b.rows[1].body_a = 1; }, {"row 1", "both sides are body 1"});
}

TEST(Validation, RowFieldsMustBeFiniteAndComplianceNotNegative) {
  for (const double value : {kNaN, kInfinity, -kInfinity}) {
    ExpectBodiesRefused([&](Bodies& b) { b.rows[1].jacobian[11] = value; },
                        {"row 1", "jacobian[11]", "not finite"});
    ExpectBodiesRefused([&](Bodies& b) { b.rows[0].bias = value; },
                        {"row 0", "bias", "not finite"});
    ExpectBodiesRefused([&](Bodies& b) { b.rows[1].compliance = value; },
                        {"row 1", "compliance", "not a finite number >= 0"});
  }
  ExpectBodiesRefused([](Bodies& b) { b.rows[1].compliance = -1e-9; },
                      {"row 1", "compliance = -1e-09", ">= 0"});
}

/// Two variables of mass 2 and 4, three rows.
SparseSystem GoodSystem() {
  SparseSystem system;
  system.mass = FromTriplets("mass", 2, 2, {{0, 0, 2}, {0, 1, 1}, {1, 0, 1}, {1, 1, 4}});
  system.jacobian = FromTriplets("jacobian", 3, 2, {{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 1, -1}});
  system.velocity = {0, 0};
  system.applied_impulse = {1, 1};
  system.bias = {0, 0, 0};
  system.compliance = {0, 0, 0.1};
  return system;
}

void ExpectSystemRefused(const std::function<void(SparseSystem&)>& spoil, Parts parts) {
  EXPECT_NO_THROW(SparseDynamics{GoodSystem()});
  SparseSystem bad = GoodSystem();
  spoil(bad);
  test::ExpectRefusal([&] { SparseDynamics{bad}; }, parts);
}

TEST(Validation, SparseSizesMustAgree) {
  ExpectSystemRefused([](SparseSystem& s) { s.mass = FromTriplets("mass", 2, 3, {}); },
                      {"mass matrix", "2 x 3", "not square"});
  ExpectSystemRefused([](SparseSystem& s) { s.jacobian = FromTriplets("jacobian", 3, 5, {}); },
                      {"jacobian", "5 columns", "2 rows"});
  ExpectSystemRefused([](SparseSystem& s) { s.velocity.push_back(0); },
                      {"velocity has 3 entries", "expected 2"});
  ExpectSystemRefused([](SparseSystem& s) { s.applied_impulse.clear(); },
                      {"applied_impulse has 0 entries", "expected 2"});
  ExpectSystemRefused([](SparseSystem& s) { s.bias.pop_back(); },
                      {"bias has 2 entries", "expected 3"});
  ExpectSystemRefused([](SparseSystem& s) { s.compliance.push_back(0); },
                      {"compliance has 4 entries", "expected 3"});
}

TEST(Validation, SparseNumbersMustBeFiniteAndComplianceNotNegative) {
  for (const double value : {kNaN, kInfinity}) {
    ExpectSystemRefused([&](SparseSystem& s) { s.mass.value[3] = value; },
                        {"mass matrix", "entry (1, 1)", "not finite"});
    ExpectSystemRefused([&](SparseSystem& s) { s.jacobian.value[2] = value; },
                        {"jacobian", "entry (2, 0)", "not finite"});
    ExpectSystemRefused([&](SparseSystem& s) { s.velocity[1] = value; },
                        {"velocity[1]", "not finite"});
    ExpectSystemRefused([&](SparseSystem& s) { s.applied_impulse[0] = value; },
                        {"applied_impulse[0]", "not finite"});
    ExpectSystemRefused([&](SparseSystem& s) { s.bias[2] = value; }, {"bias[2]", "not finite"});
    ExpectSystemRefused([&](SparseSystem& s) { s.compliance[0] = value; },
                        {"compliance[0]", "not finite"});
  }
  ExpectSystemRefused([](SparseSystem& s) { s.compliance[2] = -0.1; },
                      {"compliance[2] = -0.1", "negative"});
}

// [[2, 3], [3, 4]] has the determinant −1.
TEST(Validation, SparseMassMustBeDefinite) {
  ExpectSystemRefused([](SparseSystem& s) { s.mass.value[1] = s.mass.value[2] = 3; },
                      {"mass matrix", "not positive definite"});
  ExpectSystemRefused(
      [](SparseSystem& s) {
        s.mass = FromTriplets("mass", 2, 2, {{0, 0, 1}});
      },
      {"mass matrix", "not positive definite"});
}

TEST(Validation, MatrixMustBeSquareFiniteAndNotNegativeOnItsDiagonal) {
  const std::vector<Triplet> identity{{0, 0, 1}, {1, 1, 1}};
  const auto refused = [](int columns, const std::vector<Triplet>& entries,
                          const std::vector<double>& b, Parts parts) {
    test::ExpectRefusal([&] { MatrixDynamics(FromTriplets("A", 2, columns, entries), b); }, parts);
  };
  EXPECT_NO_THROW(MatrixDynamics(FromTriplets("A", 2, 2, identity), {0, 0}));
  refused(3, identity, {0, 0}, {"matrix A", "2 x 3", "not square"});
  refused(2, identity, {0, 0, 0}, {"b has 3 entries", "expected 2"});
  refused(2, identity, {0, kNaN}, {"b[1]", "not finite"});
  refused(2, {{0, 1, kInfinity}}, {0, 0}, {"matrix A", "entry (0, 1)", "not finite"});
  refused(2, {{0, 0, 1}, {1, 1, -2}}, {0, 0}, {"matrix A", "diagonal entry 1 = -2", "negative"});
}

/// A box row and a contact with all its parts on seven rows.
struct Groups {
  std::shared_ptr<const Dynamics> dynamics;
  std::vector<RowGroup> groups{2};
  std::vector<double> lower;
  std::vector<double> upper;

  Groups() : lower(7, -1), upper(7, 1) {
    std::vector<Triplet> identity(7);
    for (int i = 0; i < 7; ++i) identity[i] = {i, i, 1};
    dynamics = std::make_shared<MatrixDynamics>(FromTriplets("A", 7, 7, identity),
                                                std::vector<double>(7, 0.0));
    groups[0].kind = GroupKind::kBox;
    groups[0].size = 1;
    groups[1].kind = GroupKind::kContact;
    groups[1].first_row = 1;
    groups[1].size = 6;
    groups[1].tangents = 2;
    groups[1].spinning = 1;
    groups[1].rolling = 2;
  }

  Problem Make() const { return {dynamics, groups, lower, upper}; }
};

void ExpectGroupsRefused(const std::function<void(Groups&)>& spoil, Parts parts) {
  EXPECT_NO_THROW(Groups().Make());
  Groups bad;
  spoil(bad);
  test::ExpectRefusal([&] { bad.Make(); }, parts);
}

TEST(Validation, ProblemSizesMustAgree) {
  ExpectGroupsRefused([](Groups& g) { g.dynamics = nullptr; }, {"dynamics is null"});
  ExpectGroupsRefused([](Groups& g) { g.lower.pop_back(); }, {"lower has 6 entries", "expected 7"});
  ExpectGroupsRefused([](Groups& g) { g.upper.push_back(1); },
                      {"upper has 8 entries", "expected 7"});
}

TEST(Validation, GroupsMustCoverTheRowsInOrder) {
  ExpectGroupsRefused([](Groups& g) { g.groups[1].first_row = 2; },
                      {"group 1", "first_row = 2", "expected 1"});
  ExpectGroupsRefused([](Groups& g) { g.groups[0].size = 0; },
                      {"group 0", "size = 0", "expected 1 to 6"});
  ExpectGroupsRefused([](Groups& g) { g.groups[0].size = 7; },
                      {"group 0", "size = 7", "expected 1 to 6"});
  ExpectGroupsRefused(
      [](Groups& g) {
        g.groups.push_back({GroupKind::kBox, 7, 1});
      },
      {"group 2", "size = 1", "0 rows are left"});
  ExpectGroupsRefused([](Groups& g) { g.groups.pop_back(); }, {"groups cover 1 of 7 rows"});
}

TEST(Validation, PartsOfAContactMustMakeUpItsSize) {
  ExpectGroupsRefused([](Groups& g) { g.groups[1].tangents = 3; },
                      {"group 1", "tangents = 3", "expected 0, 1 or 2"});
  ExpectGroupsRefused([](Groups& g) { g.groups[1].spinning = 2; },
                      {"group 1", "spinning = 2", "expected 0 or 1"});
  ExpectGroupsRefused([](Groups& g) { g.groups[1].rolling = -1; },
                      {"group 1", "rolling = -1", "expected 0, 1 or 2"});
  ExpectGroupsRefused([](Groups& g) { g.groups[1].rolling = 1; },
                      {"group 1", "size = 6", "its parts have 5 rows"});
}

TEST(Validation, CoefficientsMustBeFiniteAndNotNegative) {
  for (const double value : {-0.1, kNaN, kInfinity}) {
    ExpectGroupsRefused([&](Groups& g) { g.groups[1].friction = value; },
                        {"group 1", ": friction = ", "not a finite number >= 0"});
    ExpectGroupsRefused([&](Groups& g) { g.groups[1].spinning_friction = value; },
                        {"group 1", "spinning_friction = ", "not a finite number >= 0"});
    ExpectGroupsRefused([&](Groups& g) { g.groups[1].rolling_friction = value; },
                        {"group 1", "rolling_friction = ", "not a finite number >= 0"});
  }
  for (const double value : {-0.1, kInfinity}) {  // NaN means that there is none
    ExpectGroupsRefused([&](Groups& g) { g.groups[1].normal_estimate = value; },
                        {"group 1", "normal_estimate = ", "finite number >= 0"});
  }
}

TEST(Validation, ContactsMustHaveALaw) {
  ExpectGroupsRefused([](Groups& g) { g.groups[1].law.kind = LawKind::kNative; },
                      {"group 1", "law is native"});
  for (const int facets : {2, kMostFacets + 1}) {
    ExpectGroupsRefused(
        [&](Groups& g) {
          g.groups[1].law = {LawKind::kPyramid, facets};
        },
        {"group 1", "pyramid", "facets, expected 3 to 1024"});
  }
}

TEST(Validation, BoundsMustHoldANumber) {
  const auto refused = [](double lower, double upper) {
    ExpectGroupsRefused(
        [&](Groups& g) {
          g.lower[0] = lower;
          g.upper[0] = upper;
        },
        {"row 0", "bounds", "hold no finite number"});
  };
  refused(1, 0);
  refused(kNaN, 1);
  refused(0, kNaN);
  refused(kInfinity, kInfinity);
  refused(-kInfinity, -kInfinity);
}

// Bounds are read for box rows only; the other rows get those of their kind, whatever is passed.
TEST(Validation, BoundsOfOtherRowsAreSetByTheirKind) {
  Groups groups;
  for (int i = 1; i < 7; ++i) groups.lower[i] = kNaN;
  const Problem problem = groups.Make();
  EXPECT_EQ(problem.lower()[0], -1);
  EXPECT_EQ(problem.upper()[0], 1);
  EXPECT_EQ(problem.lower()[1], 0);
  EXPECT_EQ(problem.upper()[1], kInfinity);
  EXPECT_EQ(problem.lower()[2], -kInfinity);
  EXPECT_EQ(problem.contacts(), 1);
}

}  // namespace
}  // namespace nonsmooth
