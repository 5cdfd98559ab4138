// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_guard.h"

#include <algorithm>
#include <cmath>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// For levers and masses behind a row, which alone is as light as what it touches.
constexpr double kBehindRows = 1e5;

/// Of the error at zero: what is above is worse, rounding aside.
constexpr double kWorse = 1 + 1e-9;

/// ΔT, and what may account for it.
struct Energies {
  double gained = 0;
  double granted = 0;
};

Energies Measure(const Problem& problem, const TwoBodyDynamics& dynamics,
                 const Solution& solution) {
  Energies energies;
  for (const RowGroup& group : problem.groups()) {
    for (int i = group.first_row; i < group.first_row + group.size; ++i) {
      const double a = dynamics.diagonal()[i], x = solution.x[i];
      if (!(a > 0)) continue;
      const TwoBodyRow& row = dynamics.body_rows()[i];
      const double before = dynamics.bias()[i] - row.bias;
      const double after = solution.w[i] - row.bias - row.compliance * x;
      energies.gained += 0.5 * x * (before + after);
      const bool bounded =
          group.kind == GroupKind::kBox && std::isfinite(problem.lower()[i] + problem.upper()[i]);
      energies.granted += bounded ? std::max(0.0, -x * row.bias) : 0.5 * row.bias * row.bias / a;
    }
  }
  return energies;
}

}  // namespace

std::string_view Objection(const Problem& problem, const Solution& solution, const Result& result) {
  if (!(result.energy.relative <= kWorse)) return "is worse than zero impulses";
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics());
  if (dynamics == nullptr) return {};
  const Energies energies = Measure(problem, *dynamics, solution);
  if (!(energies.gained <= kBehindRows * energies.granted + result.energy.free_energy)) {
    return "adds energy it cannot account for";
  }
  return {};
}

}  // namespace nonsmooth
