// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/curves-inl.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "recorders/replay/provenance.h"
#include "recorders/replay/reports.h"
#include "recorders/report/packed_array-inl.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

/// The columns of one solver.
struct Series {
  std::string law;
  Words step;
  Floats energy, relative, iterations, seconds;
  std::vector<std::string> statuses;
  Words status;
  Words history_count;
  Words history_iteration;
  Floats history_seconds, history_energy;

  void AddStatus(const std::string& text) {
    const auto found = std::find(statuses.begin(), statuses.end(), text);
    status.push_back(static_cast<std::uint32_t>(found - statuses.begin()));
    if (found == statuses.end()) statuses.push_back(text);
  }

  /// Entries 0, 1, 2, … as long as there is room, then ever farther apart, and the last one.
  template <typename Entries, typename Get>
  void AddHistory(const Entries& entries, int points, const Get& get) {
    std::uint32_t count = 0;
    const auto size = static_cast<double>(entries.size());
    double next = 0;
    for (std::size_t k = 0; k < entries.size() && points > 0; ++k) {
      if (static_cast<double>(k) < next && k + 1 < entries.size()) continue;
      get(entries[k], static_cast<int>(k), this);
      ++count;
      next = std::max(static_cast<double>(k + 1),
                      std::ceil(static_cast<double>(k + 1) * std::pow(size, 1.0 / points)) - 1);
    }
    history_count.push_back(count);
  }

  Json Packed(const std::string& solver, const std::string& source) const {
    Json json{{"solver", solver},
              {"law", law},
              {"source", source},
              {"statuses", statuses},
              {"step", PackUnsigned(step)},
              {"energy", PackFloat24(energy)},
              {"relative", PackFloat24(relative)},
              {"iterations", PackFloat24(iterations)},
              {"seconds", PackFloat24(seconds)},
              {"status", PackUnsigned(status)}};
    if (!history_iteration.empty()) {
      json["history"] = {{"count", PackUnsigned(history_count)},
                         {"iteration", PackUnsigned(history_iteration)},
                         {"seconds", PackFloat24(history_seconds)},
                         {"energy", PackFloat24(history_energy)}};
    }
    return json;
  }

  void AddPoint(int iteration, double elapsed, double joules) {
    history_iteration.push_back(static_cast<std::uint32_t>(std::max(0, iteration)));
    history_seconds.push_back(static_cast<float>(elapsed));
    history_energy.push_back(static_cast<float>(joules));
  }
};

/// Solvers in the order in which they turn up.
class SeriesList {
 public:
  Series& operator[](const std::string& solver) {
    const auto [entry, added] = index_.emplace(solver, names_.size());
    if (added) {
      names_.push_back(solver);
      series_.emplace_back();
    }
    return series_[entry->second];
  }

  Json Packed(const std::string& source) const {
    Json json = Json::array();
    for (std::size_t k = 0; k < names_.size(); ++k) {
      json.push_back(series_[k].Packed(names_[k], source));
    }
    return json;
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> names_;
  std::vector<Series> series_;
};

float AsFloat(double value) { return static_cast<float>(value); }

Floats SortedFinite(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](double value) { return !std::isfinite(value); }),
               values.end());
  std::sort(values.begin(), values.end());
  return {values.begin(), values.end()};
}

}  // namespace

Json StepsJson(const std::vector<StepCurves>& steps) {
  Words step, contacts, rows;
  Json engine_step = Json::array();
  Floats time, h, kinetic;
  for (const StepCurves& entry : steps) {
    step.push_back(static_cast<std::uint32_t>(entry.step));
    contacts.push_back(static_cast<std::uint32_t>(entry.contacts));
    rows.push_back(static_cast<std::uint32_t>(entry.rows));
    engine_step.push_back(entry.info.step);
    time.push_back(AsFloat(entry.info.time));
    h.push_back(AsFloat(entry.info.h));
    kinetic.push_back(AsFloat(entry.kinetic));
  }
  return {{"step", PackUnsigned(step)},
          {"engineStep", std::move(engine_step)},
          {"gravity", steps.empty() ? std::array<double, 3>{} : steps.front().info.gravity},
          {"time", PackFloat32(time)},
          {"h", PackFloat32(h)},
          {"contacts", PackUnsigned(contacts)},
          {"rows", PackUnsigned(rows)},
          {"kinetic", PackFloat24(kinetic)}};
}

Json SeriesJson(const std::vector<const ReplayRecord*>& records, const std::string& source,
                int history_points) {
  SeriesList list;
  for (const ReplayRecord* record : records) {
    Series& series = list[record->solver];
    // Steps without contacts have no law of their own.
    if (series.law.empty() || record->contacts > 0) series.law = record->law;
    const bool ran = record->status != ToString(Status::kNotRun);
    series.step.push_back(static_cast<std::uint32_t>(record->step));
    series.energy.push_back(AsFloat(ran ? record->errors.energy.sum : kUnknown));
    series.relative.push_back(AsFloat(ran ? record->errors.energy.relative : kUnknown));
    series.iterations.push_back(AsFloat(record->iterations < 0 ? kUnknown : record->iterations));
    series.seconds.push_back(AsFloat(record->total_seconds));
    series.AddStatus(record->status);
    series.AddHistory(record->history, history_points,
                      [](const IterationRecord& entry, int, Series* to) {
                        to->AddPoint(entry.iteration, entry.seconds, entry.energy);
                      });
  }
  return list.Packed(source);
}

Json SeriesJson(const ReplayResults& results, const std::string& path, int history_points) {
  SeriesList list;
  for (const SolveRecord& record : results.records) {
    if (record.file != path) continue;
    Series& series = list[record.solver];
    series.law = record.law;
    const bool ran = record.status != ToString(Status::kNotRun);
    const double energy =
        record.relative_energy == 0 ? 0 : record.relative_energy * record.free_energy;
    series.step.push_back(static_cast<std::uint32_t>(record.step));
    series.energy.push_back(AsFloat(ran ? energy : kUnknown));
    series.relative.push_back(AsFloat(ran ? record.relative_energy : kUnknown));
    series.iterations.push_back(AsFloat(record.iterations));
    series.seconds.push_back(AsFloat(record.seconds));
    series.AddStatus(record.status);
    series.AddHistory(record.history, history_points,
                      [](const ErrorRecord& entry, int index, Series* to) {
                        to->AddPoint(index, entry.seconds, entry.energy);
                      });
  }
  return list.Packed(results.path);
}

ReplayResults AsResults(const ReplayReport& report, const ReplayOptions& options) {
  ReplayResults results;
  results.path = "this report";
  results.energy_tolerance = options.solve.energy_tolerance;
  results.relative_tolerance = options.solve.relative_tolerance;
  results.jobs = options.jobs;
  for (const ReplayRecord& record : report.records) {
    if (record.solver == kEngineName) continue;
    SolveRecord solve;
    solve.file = report.files[record.file].path;
    solve.step = record.step;
    solve.solver = record.solver;
    solve.law = record.law;
    solve.status = record.status;
    solve.seconds = record.total_seconds;
    solve.free_energy = record.errors.energy.free_energy;
    solve.relative_energy = record.errors.energy.relative;
    solve.fclib_error = record.errors.fclib.relative;
    solve.has_history = options.solve.history;
    for (const IterationRecord& entry : record.history) {
      solve.history.push_back({entry.seconds, entry.energy});
    }
    results.records.push_back(std::move(solve));
  }
  return results;
}

Json ComparisonJson(const Comparison& comparison) {
  Json tolerances = Json::array();
  for (const ToleranceComparison& entry : comparison.tolerances) {
    Json ratios = Json::array();
    Json seconds = Json::array();
    for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
      ratios.push_back(PackFloat32(SortedFinite(entry.ratios[c])));
      seconds.push_back(PackFloat32(SortedFinite(entry.seconds[c])));
    }
    tolerances.push_back({{"tolerance", entry.tolerance},
                          {"ratios", std::move(ratios)},
                          {"seconds", std::move(seconds)}});
  }
  return {{"contenders", comparison.contenders},
          {"problems", comparison.problems.size()},
          {"remarks", comparison.remarks},
          {"tolerances", std::move(tolerances)}};
}

}  // namespace nonsmooth
