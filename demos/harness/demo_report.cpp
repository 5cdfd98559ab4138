// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/harness/demo_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace nonsmooth::demo {

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto rank = static_cast<std::ptrdiff_t>(std::lround(q * last));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

void Summarise(const std::vector<StepSample>& samples, DemoReport& report) {
  std::vector<double> milliseconds, errors;
  for (const StepSample& sample : samples) {
    milliseconds.push_back(1e3 * sample.solver_seconds);
    errors.push_back(sample.energy_error);
    report.energy_error_max = std::max(report.energy_error_max, sample.energy_error);
    report.penetration_max = std::max(report.penetration_max, sample.penetration);
    report.fallbacks += sample.fallbacks;
  }
  if (!samples.empty()) report.contacts = samples.back().contacts;
  report.solver_ms_median = Quantile(milliseconds, 0.5);
  report.solver_ms_p99 = Quantile(milliseconds, 0.99);
  report.energy_error_median = Quantile(errors, 0.5);
}

std::string ToText(const DemoReport& r) {
  return fmt::format(
      "{} in {}: solver {}, law {}, {} iterations, {} steps of {:.6g} s\n"
      "  contacts            {}\n"
      "  solver, per step    {:.3f} ms median, {:.3f} ms p99\n"
      "  energy error        {:.3e} J median, {:.3e} J max\n"
      "  worst penetration   {:.3e} m\n"
      "  kinetic energy      {:.3e} J\n"
      "  fallbacks           {}\n"
      "  stands              {} ({})\n",
      r.scene, r.engine, r.solver, r.law, r.iterations, r.steps, r.dt, r.contacts,
      r.solver_ms_median, r.solver_ms_p99, r.energy_error_median, r.energy_error_max,
      r.penetration_max, r.kinetic_energy, r.fallbacks, r.stands ? "yes" : "no", r.standing);
}

std::string ToJson(const DemoReport& r) {
  const nlohmann::ordered_json json{{"scene", r.scene},
                                    {"engine", r.engine},
                                    {"solver", r.solver},
                                    {"law", r.law},
                                    {"iterations", r.iterations},
                                    {"steps", r.steps},
                                    {"dt", r.dt},
                                    {"contacts", r.contacts},
                                    {"solver_ms_median", r.solver_ms_median},
                                    {"solver_ms_p99", r.solver_ms_p99},
                                    {"energy_error_median", r.energy_error_median},
                                    {"energy_error_max", r.energy_error_max},
                                    {"penetration_max", r.penetration_max},
                                    {"kinetic_energy", r.kinetic_energy},
                                    {"stands", r.stands},
                                    {"fallbacks", r.fallbacks}};
  return json.dump(2) + "\n";
}

}  // namespace nonsmooth::demo
