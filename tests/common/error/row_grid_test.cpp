// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Row-wise measures against the equations of Enzenhöfer et al. as printed, on the grid
// −2 ≤ x, w ≤ 2 of the paper's Figs. 1 and 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/error/error_report.h"
#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Eqs. 13–20.
double LiteralEnergy(double a, double l, double u, double x, double w) {
  const double dx_u = std::max(x - u, 0.0);
  const double dx_l = std::max(l - x, 0.0);
  const double x_0 = x - dx_u + dx_l;
  const double w_plus = std::max(w, 0.0);
  const double w_minus = std::max(-w, 0.0);
  const double sigma_u = u - (x_0 - dx_l);
  const double sigma_l = (x_0 + dx_u) - l;
  const double e_xu = 0.5 * a * dx_u * dx_u;
  const double e_xl = 0.5 * a * dx_l * dx_l;
  const double e_plus = std::min(w_plus * w_plus / (2 * a), 0.5 * a * sigma_l * sigma_l);
  const double e_minus = std::min(w_minus * w_minus / (2 * a), 0.5 * a * sigma_u * sigma_u);
  return std::max({e_xu, e_xl, e_plus, e_minus});
}

/// Eqs. 8 and 9.
double LiteralNatural(double l, double u, double x, double w) {
  const double upper = std::min(u - x, std::max(-w, 0.0));
  const double lower = std::min(x - l, std::max(w, 0.0));
  return std::max(std::abs(upper), std::abs(lower));
}

/// Eqs. 5 and 6, for finite bounds.
double LiteralFischerBurmeister(double l, double u, double x, double w) {
  const double w_plus = std::max(w, 0.0);
  const double w_minus = std::max(-w, 0.0);
  const double upper = (u - x) + w_minus - std::sqrt((u - x) * (u - x) + w_minus * w_minus);
  const double lower = (x - l) + w_plus - std::sqrt((x - l) * (x - l) + w_plus * w_plus);
  return std::max(std::abs(upper), std::abs(lower));
}

struct Bounds {
  double lower, upper;
};

// Friction (Fig. 2), contact (Fig. 1), the other half-infinite one, an equality, a bound that lies
// off zero, and a fixed impulse.
const Bounds kBounds[] = {{-1, 1},  {0, kInfinity}, {-kInfinity, 0.5}, {-kInfinity, kInfinity},
                          {0.3, 1}, {0.5, 0.5}};

Problem OneRow(double a, const Bounds& bounds) {
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 1;
  return Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, a}}),
                                                  std::vector<double>{1.0}),
                 {group}, {bounds.lower}, {bounds.upper});
}

/// Calls check(a, bounds, x, w, report) on the whole grid.
template <class Check>
void OnGrid(const Check& check) {
  constexpr int kSteps = 80;
  for (const Bounds& bounds : kBounds) {
    for (double a : {1.0, 0.25, 3.7, 1e3}) {
      const Problem problem = OneRow(a, bounds);
      FeasibleSet set;
      set.Reset(problem, Law(), nullptr);
      for (int i = 0; i <= kSteps; ++i) {
        for (int j = 0; j <= kSteps; ++j) {
          const double x = -2 + 4.0 * i / kSteps;
          const double w = -2 + 4.0 * j / kSteps;
          check(a, bounds, x, w, MeasureErrors(set, &x, &w));
        }
      }
    }
  }
}

// ½ a (x − Π(x − w/a))² is the maximum of the four energies of Eqs. 16–19 everywhere.
TEST(RowGrid, EnergyEqualsEquations13To20) {
  OnGrid([](double a, const Bounds& k, double x, double w, const ErrorReport& report) {
    const double literal = LiteralEnergy(a, k.lower, k.upper, x, w);
    ASSERT_NEAR(report.energy.sum, literal, 1e-14 * std::max(1.0, a))
        << "a = " << a << ", [" << k.lower << ", " << k.upper << "], x = " << x << ", w = " << w;
  });
}

// |x − Π(x − w)| is Eqs. 8 and 9.
TEST(RowGrid, NaturalResidualEqualsEquations8And9) {
  OnGrid([](double /*a*/, const Bounds& k, double x, double w, const ErrorReport& report) {
    ASSERT_NEAR(report.natural.sum, LiteralNatural(k.lower, k.upper, x, w), 1e-15)
        << "[" << k.lower << ", " << k.upper << "], x = " << x << ", w = " << w;
  });
}

// Infinite bounds are the limit of large ones: φ(1e8, b) = b up to b²/1e8.
TEST(RowGrid, FischerBurmeisterEqualsEquations5And6) {
  OnGrid([](double /*a*/, const Bounds& k, double x, double w, const ErrorReport& report) {
    const bool finite = std::isfinite(k.lower) && std::isfinite(k.upper);
    const double literal =
        LiteralFischerBurmeister(std::max(k.lower, -1e8), std::min(k.upper, 1e8), x, w);
    ASSERT_NEAR(report.fischer_burmeister.sum, literal, finite ? 1e-14 : 1e-7)
        << "[" << k.lower << ", " << k.upper << "], x = " << x << ", w = " << w;
    ASSERT_TRUE(std::isfinite(report.penalised_fischer_burmeister.sum));
  });
}

// The zero set is the thick line of Figs. 1 and 2: x at a bound with w pushing against it, or
// w = 0 between the bounds. All measures agree on it.
TEST(RowGrid, AllMeasuresVanishOnTheComplementarityLineOnly) {
  OnGrid([](double /*a*/, const Bounds& k, double x, double w, const ErrorReport& report) {
    const bool solved = (x == k.lower && w >= 0) || (x == k.upper && w <= 0) ||
                        (x >= k.lower && x <= k.upper && w == 0);
    ASSERT_EQ(report.energy.sum == 0, solved) << "x = " << x << ", w = " << w;
    ASSERT_EQ(report.natural.sum == 0, solved) << "x = " << x << ", w = " << w;
    ASSERT_EQ(report.fischer_burmeister.sum == 0, solved) << "x = " << x << ", w = " << w;
    ASSERT_EQ(report.penalised_fischer_burmeister.sum == 0, solved) << "x = " << x << ", w = " << w;
    ASSERT_EQ(report.lu.total == 0, solved) << "x = " << x << ", w = " << w;
    ASSERT_EQ(report.fclib.absolute == 0, solved) << "x = " << x << ", w = " << w;
  });
}

}  // namespace
}  // namespace nonsmooth
