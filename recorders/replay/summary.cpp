// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

/// The value that a share of the sorted values does not exceed (nearest rank). NaN: none is known.
double Quantile(std::vector<double> values, double share) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
               values.end());
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

bool Solved(const ReplayRecord& record, const SolveOptions& options) {
  if (record.solver != kEngineName) return record.status == ToString(Status::kConverged);
  const EnergyError& energy = record.errors.energy;
  return energy.sum <=
         std::max(options.energy_tolerance, options.relative_tolerance * energy.free_energy);
}

/// Records of one solver, gathered before medians are taken.
struct Gathered {
  SolverSummary summary;
  bool has_contacts = false;
  std::vector<double> iterations;
  std::vector<double> seconds;
  std::vector<double> energies;
  std::vector<double> relatives;

  void Add(const ReplayRecord& record, const SolveOptions& options) {
    ++summary.steps;
    summary.status = summary.steps == 1 ? record.status : "";
    // A step without contacts has no law.
    if (summary.law.empty() || !has_contacts) {
      summary.law = record.law;
    } else if (record.contacts > 0 && summary.law != record.law) {
      summary.law = "mixed";
    }
    has_contacts = has_contacts || record.contacts > 0;
    if (Solved(record, options)) ++summary.solved;
    if (record.failed) ++summary.failed;
    if (record.status == ToString(Status::kContradictory)) ++summary.contradictory;
    if (record.status == ToString(Status::kNotRun)) return;
    iterations.push_back(record.iterations < 0 ? std::numeric_limits<double>::quiet_NaN()
                                               : record.iterations);
    seconds.push_back(record.total_seconds);
    energies.push_back(record.errors.energy.sum);
    relatives.push_back(record.errors.energy.relative);
  }

  SolverSummary Finish() {
    summary.iterations = Quantile(iterations, 0.5);
    summary.seconds = Quantile(seconds, 0.5);
    summary.seconds_p99 = Quantile(seconds, 0.99);
    summary.energy_error = Quantile(energies, 0.5);
    summary.energy_error_max = Quantile(energies, 1);
    summary.relative_error = Quantile(relatives, 0.5);
    return summary;
  }
};

void AddSummaries(const std::vector<const ReplayRecord*>& records, int file,
                  const ReplayOptions& options, std::vector<SolverSummary>* summaries) {
  std::vector<std::string> names{kEngineName};
  names.insert(names.end(), options.solvers.begin(), options.solvers.end());
  for (const std::string& name : names) {
    Gathered gathered;
    gathered.summary.file = file;
    gathered.summary.solver = name;
    for (const ReplayRecord* record : records) {
      if (record->solver == name) gathered.Add(*record, options.solve);
    }
    if (gathered.summary.steps > 0) summaries->push_back(gathered.Finish());
  }
}

}  // namespace

std::vector<NamedMeasure> Measures(const ReplayRecord& record) {
  const ErrorReport& e = record.errors;
  std::vector<NamedMeasure> measures{
      {"energy_error", "J", e.energy.sum},
      {"energy_error_max", "J", e.energy.max},
      {"energy_error_relative", "-", e.energy.relative},
      {"free_energy", "J", e.energy.free_energy},
      {"natural_residual", "mixed", e.natural.sum},
      {"fischer_burmeister", "mixed", e.fischer_burmeister.sum},
      {"penalised_fischer_burmeister", "mixed", e.penalised_fischer_burmeister.sum},
      {"lu_total", "mixed", e.lu.total},
      {"lu_normal", "mixed", e.lu.normal},
      {"lu_friction_magnitude", "J", e.lu.magnitude},
      {"lu_friction_direction", "J", e.lu.direction},
      {"fclib_error", "-", e.fclib.relative},
  };
  if (record.status == ToString(Status::kNotRun)) {
    for (NamedMeasure& measure : measures) {
      measure.value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return measures;
}

std::vector<SolverSummary> Summarise(const ReplayReport& report, const ReplayOptions& options) {
  std::vector<SolverSummary> summaries;
  std::vector<std::vector<const ReplayRecord*>> by_file(report.files.size());
  std::vector<const ReplayRecord*> all;
  for (const ReplayRecord& record : report.records) {
    by_file[record.file].push_back(&record);
    all.push_back(&record);
  }
  for (std::size_t f = 0; f < by_file.size(); ++f) {
    AddSummaries(by_file[f], static_cast<int>(f), options, &summaries);
  }
  if (report.files.size() > 1) AddSummaries(all, -1, options, &summaries);
  return summaries;
}

}  // namespace nonsmooth
