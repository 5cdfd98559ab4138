// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The rod of Enzenhöfer et al., "Results": two frictionless contacts at the ends of a rod that lies
// on the ground and is turned by a torque. The paper's printed numbers do not follow from its
// stated parameters; they fit A = I. Both are tested.
#include <gtest/gtest.h>

#include "common/error/error_report.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"

namespace nonsmooth {
namespace {

constexpr double kMass = 1.5, kLength = 1.5, kTorque = 10, kStep = 0.01, kGravity = 9.81;

// Half a unit of the sixth digit.
#define EXPECT_SIX_DIGITS(actual, expected) EXPECT_NEAR(actual, expected, 5e-6 * std::abs(expected))

Problem StatedRod(bool as_contacts) {
  const double inertia = kMass * kLength * kLength / 12;
  Body rod;
  rod.inverse_mass = {1 / kMass, 1 / kMass, 1 / kMass};
  rod.inverse_inertia = {1 / inertia, 0, 0, 0, 1e4, 0, 0, 0, 1 / inertia};  // I_y is small
  rod.applied_impulse = {0, 0, -kStep * kMass * kGravity, kStep * kTorque, 0, 0};
  ProblemBuilder builder;
  builder.AddBody(rod);
  for (double side : {-1.0, 1.0}) {
    TwoBodyRow row;
    row.body_b = 0;
    row.jacobian[8] = 1;
    row.jacobian[9] = side * kLength / 2;
    if (as_contacts) {
      builder.AddContactRows({row}, 0, 0, 0, ContactMaterial());
    } else {
      builder.AddBounded(row, 0, std::numeric_limits<double>::infinity());
    }
  }
  return builder.Build();
}

Problem PublishedRod() {
  RowGroup first, second;
  first.kind = second.kind = GroupKind::kContact;
  first.size = second.size = 1;
  second.first_row = 1;
  return Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 2, 2, {{0, 0, 1}, {1, 1, 1}}),
                                                  std::vector{-0.2981, 0.1019}),
                 {first, second}, {0, 0}, {0, 0});
}

ErrorReport Measure(const Problem& problem, const std::vector<double>& x, std::vector<double>* w,
                    ErrorDetail* detail) {
  FeasibleSet set;
  set.Reset(problem, Law(), nullptr);
  OperatorWorkspace workspace;
  w->resize(x.size());
  problem.dynamics().ConstraintVelocity(x.data(), w->data(), workspace);
  return MeasureErrors(set, x.data(), w->data(), detail);
}

// Eq. 23: A = [[4, −2], [−2, 4]] / m and b = −h (g ± 6 T / (m l)).
TEST(Rod, BodiesGiveTheMatrixOfEquation23) {
  const Problem problem = StatedRod(true);
  double a[4];
  problem.dynamics().DiagonalBlock(0, 2, a);
  EXPECT_NEAR(a[0], 4 / kMass, 1e-14);
  EXPECT_NEAR(a[1], -2 / kMass, 1e-14);
  EXPECT_NEAR(a[3], 4 / kMass, 1e-14);
  const double turn = 6 * kTorque / (kMass * kLength);
  EXPECT_NEAR(problem.dynamics().bias()[0], -kStep * (kGravity + turn), 1e-14);
  EXPECT_NEAR(problem.dynamics().bias()[1], -kStep * (kGravity - turn), 1e-14);
}

// The guess x₁ = w₂ = 0 gives x₂ = −b₂/a₂₂ and w₁ = a₁₂ x₂ + b₁, both negative. δe₁ = w₁²/(2 a₁₁),
// δe₂ = a₂₂ x₂²/2. The natural residual is |w₁| + |x₂|; Fischer–Burmeister |w₁| + 2|x₂|, since
// Eq. 5 gives x₂ − |x₂| at w₂ = 0 (the paper prints |x₂|).
TEST(Rod, StatedParametersGiveTheRecomputedErrors) {
  for (bool as_contacts : {true, false}) {
    const Problem problem = StatedRod(as_contacts);
    const double x2 = -problem.dynamics().bias()[1] / problem.dynamics().diagonal()[1];
    EXPECT_SIX_DIGITS(x2, -0.0632125);
    std::vector<double> w;
    ErrorDetail detail;
    const ErrorReport report = Measure(problem, {0, x2}, &w, &detail);
    EXPECT_SIX_DIGITS(w[0], -0.280483);
    EXPECT_NEAR(w[1], 0, 1e-16);
    EXPECT_SIX_DIGITS(detail.energy[0], 1.47508e-2);
    EXPECT_SIX_DIGITS(detail.energy[1], 5.32776e-3);
    EXPECT_SIX_DIGITS(report.energy.sum, 2.00786e-2);
    EXPECT_SIX_DIGITS(report.energy.max, 1.47508e-2);
    EXPECT_EQ(report.energy.max_row, 0);
    EXPECT_NEAR(report.natural.sum, -w[0] - x2, 1e-15);
    EXPECT_SIX_DIGITS(detail.natural[1], 0.0632125);
    EXPECT_NEAR(report.fischer_burmeister.sum, -w[0] - 2 * x2, 1e-15);
    EXPECT_NEAR(report.penalised_fischer_burmeister.sum, 0.95 * (-w[0] - 2 * x2), 1e-15);
  }
}

// Both contacts are closed: x = −A⁻¹ b = (0.140242, 0.006908), w = 0.
TEST(Rod, StatedParametersHaveTheRecomputedSolution) {
  const Problem problem = StatedRod(true);
  SolveOptions options;
  options.relative_tolerance = 1e-24;
  Solution solution;
  const Result result = Driver("psor").Solve(problem, options, solution);
  EXPECT_EQ(result.status, Status::kConverged);
  EXPECT_SIX_DIGITS(solution.x[0], 0.1402417);
  EXPECT_SIX_DIGITS(solution.x[1], 0.006908333);
  EXPECT_NEAR(solution.w[0], 0, 1e-12);
  EXPECT_NEAR(solution.w[1], 0, 1e-12);
}

// The printed numbers: δe₁ = 4.44e-2, δe₂ = 5.2e-3, δe = 4.96e-2 J at x₂ = −0.1019, w₁ = −0.2981;
// to six digits ½ 0.2981² and ½ 0.1019².
TEST(Rod, PublishedNumbersFitTheIdentityMatrix) {
  const Problem problem = PublishedRod();
  std::vector<double> w;
  ErrorDetail detail;
  const ErrorReport report = Measure(problem, {0, -0.1019}, &w, &detail);
  EXPECT_SIX_DIGITS(w[0], -0.2981);
  EXPECT_SIX_DIGITS(detail.energy[0], 4.443181e-2);
  EXPECT_SIX_DIGITS(detail.energy[1], 5.191805e-3);
  EXPECT_SIX_DIGITS(report.energy.sum, 4.962361e-2);
  EXPECT_SIX_DIGITS(report.natural.sum, 0.4);
  EXPECT_SIX_DIGITS(report.fischer_burmeister.sum, 0.5019);
  // At x = 0 the first row alone is in error, b₂ = 0.1019 parts: 4.962361 / 4.443181.
  EXPECT_SIX_DIGITS(report.energy.free_energy, 4.443181e-2);
  EXPECT_SIX_DIGITS(report.energy.relative, 1.116849);
}

// A = I decouples: x₁ = 0.2981 closes the first contact, the second one opens.
TEST(Rod, PublishedNumbersHaveADecoupledSolution) {
  const Problem problem = PublishedRod();
  std::vector<double> w;
  ErrorDetail detail;
  const ErrorReport report = Measure(problem, {0.2981, 0}, &w, &detail);
  EXPECT_EQ(report.energy.sum, 0);
  EXPECT_EQ(report.fischer_burmeister.sum, 0);
  EXPECT_EQ(report.natural.sum, 0);
  EXPECT_EQ(report.lu.detached, 1);
  EXPECT_EQ(report.lu.sliding, 1);
}

}  // namespace
}  // namespace nonsmooth
