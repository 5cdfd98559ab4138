// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nonsmooth::demo {

/// What one time step cost and left behind, all its islands together.
struct StepSample {
  int contacts = 0;
  double solver_seconds = 0;  ///< [s]
  double energy_error = 0;    ///< [J], of the law solved for
  double penetration = 0;     ///< [m] deepest, ≥ 0
  int fallbacks = 0;          ///< solves that something simpler had to do
};

/// The numbers a demo ends with.
struct DemoReport {
  std::string scene;
  std::string engine;
  std::string solver;
  std::string law;
  int iterations = 0;
  int steps = 0;
  double dt = 0;  ///< [s]

  int contacts = 0;  ///< in the last step
  double solver_ms_median = 0;
  double solver_ms_p99 = 0;
  double energy_error_median = 0;  ///< [J]
  double energy_error_max = 0;     ///< [J]
  double penetration_max = 0;      ///< [m] of all steps
  double kinetic_energy = 0;       ///< [J] at the end
  bool stands = false;
  std::string standing;  ///< what that means
  int fallbacks = 0;
};

/// The value below which a share `q` of the values lies, by the nearest rank; 0 if there are none.
double Quantile(std::vector<double> values, double q);

/// Fills everything from `contacts` to `penetration_max`, and `fallbacks`.
void Summarise(const std::vector<StepSample>& samples, DemoReport& report);

std::string ToText(const DemoReport& report);
std::string ToJson(const DemoReport& report);

}  // namespace nonsmooth::demo
