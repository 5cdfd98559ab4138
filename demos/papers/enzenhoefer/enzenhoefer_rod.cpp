// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "common/problem/matrix_dynamics.h"
#include "common/solve/driver.h"
#include "demos/papers/enzenhoefer/enzenhoefer.h"

namespace nonsmooth::papers {
namespace {

/// Two contacts without friction, in units of `kilogram` and `metre`.
Problem RodProblem(const Rod& rod, double kilogram, double metre) {
  std::vector<RowGroup> groups(2);
  for (int i = 0; i < 2; ++i) {
    groups[i].kind = GroupKind::kContact;
    groups[i].first_row = i;
    groups[i].size = 1;
  }
  std::vector<Triplet> entries;
  for (int i = 0; i < 4; ++i) entries.push_back({i / 2, i % 2, rod.a[i] / kilogram});
  auto dynamics = std::make_shared<MatrixDynamics>(
      FromTriplets("A", 2, 2, entries), std::vector<double>{rod.b[0] * metre, rod.b[1] * metre});
  const double infinity = std::numeric_limits<double>::infinity();
  return {std::move(dynamics), groups, {0, 0}, {infinity, infinity}};
}

bool Near(double value, double expected, double tolerance) {
  return std::abs(value - expected) <= tolerance;
}

std::vector<double> Measures(const RodPivot& pivot) {
  const ErrorReport& e = pivot.errors;
  return {pivot.x[1],   pivot.w[0],    pivot.detail.energy[0],   pivot.detail.energy[1],
          e.energy.sum, e.natural.sum, e.fischer_burmeister.sum, e.penalised_fischer_burmeister.sum,
          e.lu.total,   e.lu.normal,   e.fclib.relative};
}

}  // namespace

Rod StatedRod() {
  constexpr double m = 1.5, l = 1.5, torque = 10, h = 0.01, g = 9.81;
  const double turn = 6 / (m * l) * torque;
  return {{4 / m, -2 / m, -2 / m, 4 / m}, {-h * (g + turn), -h * (g - turn)}};
}

Rod PrintedRod() { return {{1, 0, 0, 1}, {-0.2981, 0.1019}}; }

RodPivot MeasureRodPivot(const Rod& rod, double kilogram, double metre) {
  const Problem problem = RodProblem(rod, kilogram, metre);
  RodPivot pivot;
  pivot.x = {0, -rod.b[1] / rod.a[3] * kilogram * metre};
  pivot.w = {rod.a[1] / kilogram * pivot.x[1] + rod.b[0] * metre, 0};
  FeasibleSet set;
  set.Reset(problem, {}, nullptr);
  pivot.errors = MeasureErrors(set, pivot.x.data(), pivot.w.data(), &pivot.detail);
  return pivot;
}

void EnzenhoeferRod(PaperOutput& output) {
  const RodPivot stated = MeasureRodPivot(StatedRod());
  const RodPivot printed = MeasureRodPivot(PrintedRod());
  const RodPivot milli = MeasureRodPivot(StatedRod(), 1000, 1000);
  output.Table(
      "rod",
      {"set", "x2", "w1", "de1", "de2", "energy", "natural", "fischer_burmeister",
       "penalised_fischer_burmeister", "lu_total", "lu_normal", "fclib"},
      {"printed numbers [kg m s]", "stated parameters [kg m s]", "stated parameters [g mm s]"},
      {Measures(printed), Measures(stated), Measures(milli)});

  output.Add(
      {"Case study", "energy error of the pivot x1 = w2 = 0", "4.44e-2 + 5.2e-3 = 4.96e-2 J",
       fmt::format("{:.2e} + {:.1e} = {:.2e} J from the printed x2 and w1",
                   printed.detail.energy[0], printed.detail.energy[1], printed.errors.energy.sum),
       Near(printed.errors.energy.sum, 4.96e-2, 5e-5)});
  // Eq. 5 at (x, 0) with x < 0 is x − |x| = 2 x, where the paper counts x once.
  output.Add({"Case study", "Fischer-Burmeister and natural residual add m/s and N s",
              "0.2981 + 0.1019 by either",
              fmt::format("natural residual {:.4f}; Fischer-Burmeister by Eq. 5 {:.4f} = 0.2981 + "
                          "2 · 0.1019",
                          printed.errors.natural.sum, printed.errors.fischer_burmeister.sum),
              Near(printed.errors.natural.sum, 0.4, 1e-12) &&
                  Near(printed.errors.fischer_burmeister.sum, 0.5019, 1e-12)});
  output.Add({"Case study", "the same from the stated m, l, T and h",
              "printed numbers do not follow from them",
              fmt::format("x2 = {:.6f} N s; w1 = {:.6f} m/s; {:.5e} J", stated.x[1], stated.w[0],
                          stated.errors.energy.sum),
              Near(stated.errors.energy.sum, 2.00786e-2, 1e-7)});
  Driver lemke("lemke");
  SolveOptions options;
  options.law = {LawKind::kCoupledBox, 0};
  Solution solution;
  const Result result = lemke.Solve(RodProblem(StatedRod(), 1, 1), options, solution);
  output.Add({"Case study", "the solution of the stated rod", "not given",
              fmt::format("x = ({:.6f}; {:.6f}) N s; w = 0; error {:.0e} J", solution.x[0],
                          solution.x[1], result.energy.sum),
              Near(solution.x[0], 0.140242, 1e-6) && Near(solution.x[1], 0.006908, 1e-6)});
  output.Add({"Unit consistency", "in g, mm, s every number is that of another unit of energy",
              "only the energy error is consistent",
              fmt::format("energy 1e9 times as large to {:.0e}; natural residual {:.3g} times",
                          std::abs(milli.errors.energy.sum / stated.errors.energy.sum / 1e9 - 1),
                          milli.errors.natural.sum / stated.errors.natural.sum),
              Near(milli.errors.energy.sum / stated.errors.energy.sum, 1e9, 1)});
}

}  // namespace nonsmooth::papers
