// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/util/check.h"
#include "recorders/replay/machine_times-inl.h"

namespace nonsmooth {
namespace {

/// The calibration times on each machine that has solved something, by its description.
using Machines = std::map<std::string, std::vector<double>>;

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Of which machine the times will be: the first to be met.
Machines Gather(const std::vector<ReplayResults>& results, std::string* first) {
  Machines machines;
  for (const ReplayResults& file : results) {
    for (const SolveRecord& record : file.records) {
      const std::string& machine = file.machines[static_cast<std::size_t>(record.machine)];
      if (machines.empty()) *first = machine;
      machines[machine].push_back(record.calibration);
    }
  }
  return machines;
}

}  // namespace

std::vector<ReplayResults> OnOneMachine(const std::vector<ReplayResults>& results,
                                        SeveralMachines several,
                                        std::vector<std::string>* remarks) {
  std::string first;
  const Machines machines = Gather(results, &first);
  if (machines.size() < 2) return {};
  std::string names;
  for (const auto& [machine, seconds] : machines) names += (names.empty() ? "" : ", ") + machine;
  Require(several != SeveralMachines::kRefuse, "times come from ", machines.size(),
          " machines and do not compare: ", names,
          "; --machines normalise puts them into proportion");
  if (several == SeveralMachines::kMix) {
    remarks->push_back(
        fmt::format("times from {} machines are taken as they are", machines.size()));
    return {};
  }
  const auto calibrated = [](double seconds) { return seconds > 0 && std::isfinite(seconds); };
  for (const auto& [machine, seconds] : machines) {
    Require(std::all_of(seconds.begin(), seconds.end(), calibrated),
            "results without calibration_seconds cannot be normalised: ", machine,
            "; 'nonsmooth replay --out-dir' measures it");
  }
  const double reference = Median(machines.at(first));
  std::vector<ReplayResults> normalised = results;
  for (ReplayResults& file : normalised) {
    for (SolveRecord& record : file.records) {
      const double factor = reference / record.calibration;
      record.seconds *= factor;
      for (ErrorRecord& entry : record.history) entry.seconds *= factor;
    }
  }
  std::string factors;
  for (const auto& [machine, seconds] : machines) {
    factors += fmt::format("{}{:.3g} for {}", factors.empty() ? "" : ", ",
                           reference / Median(seconds), machine);
  }
  remarks->push_back(fmt::format(
      "times are normalised to those of {}: multiplied by {} (medians; each task by its own)",
      first, factors));
  return normalised;
}

}  // namespace nonsmooth
