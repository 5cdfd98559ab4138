// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The same step measured in other units, and in other tangent axes.
#include <gtest/gtest.h>

#include <cmath>

#include "common/error/error_report.h"
#include "common/problem/problem_builder.h"
#include "tests/support/known_problem.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

/// How many of one's own units make a kilogram and a metre.
struct Units {
  double mass = 1;
  double length = 1;
};

constexpr Units kSi{1, 1}, kGrams{1000, 1}, kMillimetres{1, 1000}, kBoth{1000, 1000};

/// Two boxes on the ground with spinning and rolling friction, a motor and a joint row between
/// them: rows in m/s and in rad/s.
Problem Scene(const Law& law, const Units& units) {
  const double m = units.mass, l = units.length;
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int lower = builder.AddBox(2.0 * m, {0.4 * l, 0.3 * l, 0.2 * l}, {0, 0.01 * l, -0.1 * l});
  const int upper = builder.AddBox(0.7 * m, {0.2 * l, 0.2 * l, 0.2 * l}, {0.02 * l, 0, -0.1 * l});
  builder.body(upper).velocity = {0.3 * l, -0.1 * l, -0.2 * l, 1.0, -2.0, 0.5};
  ContactMaterial material;
  material.law = law;
  material.friction = 0.6;
  material.spinning_friction = 0.01 * l;
  material.rolling_friction = 0.02 * l;
  material.normal_estimate = 0.15 * m * l;
  for (double x : {-0.2, 0.2}) {
    ContactPoint point;
    point.body_a = ground;
    point.body_b = lower;
    point.normal = {0, 0, 1};
    point.lever_b = {x * l, 0.1 * l, -0.1 * l};
    point.bias = 0.003 * l;
    point.compliance = 0.01 / m;
    builder.AddContact(point, material);
  }
  ContactPoint between;
  between.body_a = lower;
  between.body_b = upper;
  between.normal = {0.6, 0, 0.8};
  between.lever_a = {0.05 * l, 0.02 * l, 0.1 * l};
  between.lever_b = {0, -0.03 * l, -0.1 * l};
  material.spinning_friction = material.rolling_friction = 0;
  builder.AddContact(between, material);
  TwoBodyRow motor;
  motor.body_a = lower;
  motor.body_b = upper;
  motor.jacobian[5] = -1;
  motor.jacobian[11] = 1;
  motor.bias = -0.4;
  motor.compliance = 0.2 / (m * l * l);
  builder.AddBounded(motor, -0.01 * m * l * l, 0.02 * m * l * l);
  TwoBodyRow joint;
  joint.body_b = upper;
  joint.jacobian[7] = 1;
  joint.jacobian[9] = 0.1 * l;
  builder.AddEquality(joint);
  return builder.Build();
}

/// True for the rows whose impulse is one of a torque.
bool Angular(const Problem& problem, int row) {
  if (row == problem.rows() - 2) return true;  // the motor
  for (const RowGroup& group : problem.groups()) {
    const int offset = row - group.first_row;
    if (offset >= 0 && offset < group.size) return offset > group.tangents;
  }
  return false;
}

struct Measured {
  ErrorReport report;
  ErrorDetail detail;
};

Measured Measure(const Law& law, const Units& units) {
  const Problem problem = Scene(law, units);
  std::vector<double> x = test::Random(4).Vector(problem.rows(), -0.05, 0.2);
  for (int i = 0; i < problem.rows(); ++i) {
    x[i] *= units.mass * units.length * (Angular(problem, i) ? 0.1 * units.length : 1.0);
  }
  std::vector<double> w(x.size());
  OperatorWorkspace workspace;
  problem.dynamics().ConstraintVelocity(x.data(), w.data(), workspace);
  FeasibleSet set;
  set.Reset(problem, law, nullptr);
  Measured measured;
  measured.report = MeasureErrors(set, x.data(), w.data(), &measured.detail);
  return measured;
}

/// Neither unchanged nor a multiple that a conversion could undo: mass^a length^b.
void ExpectNotConvertible(double changed, double original, const char* what) {
  for (int power = -4; power <= 4; ++power) {
    const double converted = changed / std::pow(1000.0, power);
    EXPECT_GT(std::abs(converted / original - 1), 1e-3) << what;
  }
}

class UnitChange : public testing::TestWithParam<Law> {};

// 1 J is mass · length² of the other units; converted back, every row's energy is the same number.
TEST_P(UnitChange, EnergyErrorIsUnchanged) {
  const Measured si = Measure(GetParam(), kSi);
  for (const Units& units : {kGrams, kMillimetres, kBoth}) {
    const double joule = units.mass * units.length * units.length;
    const Measured other = Measure(GetParam(), units);
    EXPECT_NEAR(other.report.energy.sum / joule, si.report.energy.sum,
                1e-12 * si.report.energy.sum);
    EXPECT_NEAR(other.report.energy.max / joule, si.report.energy.max,
                1e-12 * si.report.energy.max);
    EXPECT_EQ(other.report.energy.max_row, si.report.energy.max_row);
    EXPECT_NEAR(other.report.energy.relative, si.report.energy.relative,
                1e-12 * si.report.energy.relative);
    for (std::size_t i = 0; i < si.detail.energy.size(); ++i) {
      EXPECT_NEAR(other.detail.energy[i] / joule, si.detail.energy[i],
                  1e-12 * si.report.energy.sum);
    }
  }
}

// The others add impulses to velocities, metres per second to radians per second: no conversion
// brings them back.
TEST_P(UnitChange, OtherMeasuresChange) {
  const ErrorReport si = Measure(GetParam(), kSi).report;
  for (const Units& units : {kGrams, kMillimetres, kBoth}) {
    const ErrorReport other = Measure(GetParam(), units).report;
    ExpectNotConvertible(other.natural.sum, si.natural.sum, "natural");
    ExpectNotConvertible(other.fischer_burmeister.sum, si.fischer_burmeister.sum, "FB");
    ExpectNotConvertible(other.penalised_fischer_burmeister.sum,
                         si.penalised_fischer_burmeister.sum, "penalised FB");
    ExpectNotConvertible(other.lu.total, si.lu.total, "Lu total");
    ExpectNotConvertible(other.fclib.relative, si.fclib.relative, "FCLIB");
  }
}

// Friction magnitude and direction are impulse times velocity: joules, the other two of Lu's
// measures that keep their meaning.
TEST_P(UnitChange, LuFrictionErrorsAreEnergies) {
  const LuErrors si = Measure(GetParam(), kSi).report.lu;
  const LuErrors other = Measure(GetParam(), kBoth).report.lu;
  EXPECT_NEAR(other.magnitude / 1e9, si.magnitude, 1e-12 * si.magnitude);
  EXPECT_NEAR(other.direction / 1e9, si.direction, 1e-12 * si.direction);
  EXPECT_EQ(other.sticking, si.sticking);
  EXPECT_EQ(other.sliding, si.sliding);
}

INSTANTIATE_TEST_SUITE_P(Errors, UnitChange, testing::ValuesIn(test::AllLaws()),
                         [](const auto& tested) { return test::LawName(tested.param); });

// Turning the tangents of a contact by an angle turns x_t and w_t and leaves the energy error, and
// every other measure of a law without preferred axes, alone. The mean of a_11 and a_22 is half the
// trace of the tangent block, which a rotation keeps.
TEST(TangentRotation, LeavesMeasuresUnderConesAlone) {
  for (LawKind kind : {LawKind::kCcp, LawKind::kNcp}) {
    const Law law{kind, 0};
    test::KnownProblemMaker maker(law, 21);
    maker.AddContact(0.6, 2);
    maker.AddContact(0.4, 2, 0.02, 0.1);
    const Problem problem = maker.Make().problem;
    const int n = problem.rows();
    std::vector<double> a(n * n);
    problem.dynamics().DiagonalBlock(0, n, a.data());
    // Q rotates rows (1, 2), (4, 5) and (7, 8): tangents, tangents and rolling axes.
    std::vector<double> q(n * n, 0.0);
    for (int i = 0; i < n; ++i) q[i * n + i] = 1;
    const double angles[3] = {0.7, -1.9, 2.4};
    const int starts[3] = {1, 4, 7};
    for (int k = 0; k < 3; ++k) {
      const int i = starts[k];
      q[i * n + i] = q[(i + 1) * n + i + 1] = std::cos(angles[k]);
      q[i * n + i + 1] = -std::sin(angles[k]);
      q[(i + 1) * n + i] = std::sin(angles[k]);
    }
    const auto rotate = [&](const std::vector<double>& v) {
      std::vector<double> result(n, 0.0);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) result[i] += q[i * n + j] * v[j];
      }
      return result;
    };
    std::vector<double> rotated(n * n, 0.0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          for (int m = 0; m < n; ++m) {
            rotated[i * n + j] += q[i * n + k] * a[k * n + m] * q[j * n + m];
          }
        }
      }
    }
    const Problem turned(std::make_shared<MatrixDynamics>(test::DenseMatrix(n, n, rotated),
                                                          rotate(problem.dynamics().bias())),
                         problem.groups(), std::vector<double>(n, 0.0),
                         std::vector<double>(n, 0.0));
    const std::vector<double> x = test::Random(8).Vector(n, -0.5, 1);
    const std::vector<double> w = test::Random(9).Vector(n, -1, 1);
    FeasibleSet set, turned_set;
    set.Reset(problem, law, nullptr);
    turned_set.Reset(turned, law, nullptr);
    const ErrorReport before = MeasureErrors(set, x.data(), w.data());
    const ErrorReport after = MeasureErrors(turned_set, rotate(x).data(), rotate(w).data());
    EXPECT_NEAR(after.energy.sum, before.energy.sum, 1e-13);
    EXPECT_NEAR(after.natural.sum, before.natural.sum, 1e-13);
    EXPECT_NEAR(after.fischer_burmeister.sum, before.fischer_burmeister.sum, 1e-13);
    EXPECT_NEAR(after.lu.total, before.lu.total, 1e-13);
    EXPECT_NEAR(after.lu.direction, before.lu.direction, 1e-13);
    EXPECT_NEAR(after.fclib.absolute, before.fclib.absolute, 1e-13);
  }
}

}  // namespace
}  // namespace nonsmooth
