// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "common/error/error_report.h"
#include "common/problem/matrix_dynamics.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

/// One contact, two tangents, A = 2 I.
Problem OneContact(double friction, const std::vector<double>& b) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.size = 3;
  group.tangents = 2;
  group.friction = friction;
  return Problem(std::make_shared<MatrixDynamics>(
                     FromTriplets("A", 3, 3, {{0, 0, 2}, {1, 1, 2}, {2, 2, 2}}), b),
                 {group}, {0, 0, 0}, {0, 0, 0});
}

LuErrors Measure(const Problem& problem, const Law& law, const std::vector<double>& x,
                 const std::vector<double>& w) {
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  return MeasureLu(set, x.data(), w.data());
}

constexpr Law kNcp{LawKind::kNcp, 0};

// x = (2, 0.6, 0.8), μ = 1: σ = 2 − 1 = 1, w_t = (3, 4): s = 5, so magnitude 5;
// x_t·w_t = 5 and ‖x_t‖‖w_t‖ = 5, so direction 10 (parallel is the worst); normal φ(2, 0) = 0.
TEST(LuErrors, HasItsClosedForm) {
  const LuErrors error = Measure(OneContact(1, {0, 0, 0}), kNcp, {2, 0.6, 0.8}, {0, 3, 4});
  EXPECT_NEAR(error.magnitude, 5, 1e-14);
  EXPECT_NEAR(error.direction, 10, 1e-14);
  EXPECT_NEAR(error.friction(), 15, 1e-14);
  EXPECT_NEAR(error.normal, 0, 1e-15);
  EXPECT_GT(error.total, 0);
}

// A penetrating contact: x_n = 0, w_n = −0.3 is an error of 0.3 in the normal alone.
TEST(LuErrors, NormalErrorIsTheViolationOfTheNormalPair) {
  const LuErrors error = Measure(OneContact(1, {0, 0, 0}), kNcp, {0, 0, 0}, {-0.3, 0, 0});
  EXPECT_NEAR(error.normal, 0.3, 1e-15);
  EXPECT_EQ(error.friction(), 0);
}

// Opposite friction at its limit is a solution: λ_fᵀ v_f of the paper is −1 · 5 there, this is 0.
TEST(LuErrors, DirectionErrorVanishesWhereFrictionOpposesSliding) {
  const Problem problem = OneContact(0.5, {0, 0, 0});
  const LuErrors error = Measure(problem, kNcp, {2, -0.6, -0.8}, {0, 3, 4});
  EXPECT_NEAR(error.direction, 0, 1e-14);
  EXPECT_NEAR(error.magnitude, 0, 1e-14);
  EXPECT_NEAR(error.total, 0, 1e-28);
  EXPECT_EQ(error.sliding, 1);
}

TEST(LuErrors, TellsTheStateOfAContact) {
  const Problem problem = OneContact(0.5, {0, 0, 0});
  EXPECT_EQ(Measure(problem, kNcp, {0, 0, 0}, {1, 0.3, 0}).detached, 1);
  EXPECT_EQ(Measure(problem, kNcp, {2, 0.3, 0.1}, {0, 0, 0}).sticking, 1);
  EXPECT_EQ(Measure(problem, kNcp, {2, 1, 0}, {0, -0.1, 0}).sliding, 1);
  // Rounding: a little inside the disc, but clearly moving.
  EXPECT_EQ(Measure(problem, kNcp, {2, 1 - 1e-15, 0}, {1e-17, -0.1, 0}).sliding, 1);
  EXPECT_EQ(Measure(problem, {LawKind::kPyramid, 4}, {2, 0.5, 0.5}, {0, -0.1, -0.1}).sliding, 1);
  EXPECT_EQ(Measure(problem, {LawKind::kCoupledBox, 0}, {2, 0.9, 0.9}, {0, 0, 0}).sticking, 1);
  EXPECT_EQ(Measure(problem, {LawKind::kCoupledBox, 0}, {2, 0.9, 1}, {0, 0, -1}).sliding, 1);
}

// The reason Lu et al. give for the friction error of exact pivoting: the pyramid's solution does
// not oppose sliding exactly. Zero under `pyramid`, positive when measured as Coulomb's law.
TEST(LuErrors, LinearisationIsSeenWhenMeasuredAsCoulomb) {
  const Problem problem = OneContact(0.5, {0, 0, 0});
  const std::vector<double> x{2, 1, 0};
  const std::vector<double> w{0, -1, 0.5};
  const LuErrors own = Measure(problem, {LawKind::kPyramid, 4}, x, w);
  EXPECT_NEAR(own.friction(), 0, 1e-15);
  EXPECT_NEAR(own.total, 0, 1e-28);
  // x_t·w_t = −1, ‖w_t‖ = √1.25.
  EXPECT_NEAR(Measure(problem, kNcp, x, w).direction, std::sqrt(1.25) - 1, 1e-15);
}

// F = r − Π(r − u − μ‖u_t‖e_n) by hand: r = (1, 0, 0), u = (0, 0, −1), μ = 1 gives
// r − û = (0, 0, 1) → the projection (½, 0, ½), F = (½, 0, −½), ‖F‖ = √½; b = u − 2 r = (−2, 0,
// −1).
TEST(FclibError, HasItsClosedForm) {
  const Problem problem = OneContact(1, {-2, 0, -1});
  const double r[3] = {1, 0, 0};
  const double u[3] = {0, 0, -1};
  const FclibError error = MeasureFclib(problem, r, u);
  EXPECT_NEAR(error.absolute, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(error.scale, std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(error.relative, std::sqrt(0.1), 1e-15);
}

// Nothing moves and nothing presses: 0, not 0/0.
TEST(FclibError, IsZeroWhereEverythingIs) {
  const Problem problem = OneContact(1, {0, 0, 0});
  const double zero[3] = {0, 0, 0};
  EXPECT_EQ(MeasureFclib(problem, zero, zero).relative, 0);
}

// It asks for Coulomb's exact cone whatever law the contact carries: a solution of `ccp` that lifts
// off while sliding is an error of FCLIB's.
TEST(FclibError, MeasuresCoulombWhateverTheLaw) {
  const Law ccp{LawKind::kCcp, 0};
  RowGroup group = OneContact(0.5, {0, 0, 0}).groups()[0];
  group.law = ccp;
  const Problem problem(OneContact(0.5, {0, 0, 0}).shared_dynamics(), {group}, {0, 0, 0},
                        {0, 0, 0});
  const double x[3] = {2, -1, 0};
  const double w[3] = {0.5, 1, 0};
  FeasibleSet set;
  set.Reset(problem, ccp, nullptr);
  const ErrorReport report = MeasureErrors(set, x, w);
  EXPECT_NEAR(report.energy.sum, 0, 1e-30);
  EXPECT_GT(report.fclib.relative, 0.1);
}

}  // namespace
}  // namespace nonsmooth
