// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <tuple>

#include "common/util/check.h"
#include "recorders/replay/machine_times-inl.h"

namespace nonsmooth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kClockTick = 1e-9;  ///< [s] no time is shorter: ratios need a denominator

/// All solves of one problem by one contender.
using Solves = std::vector<const SolveRecord*>;
/// [contender][problem]
using SolveTable = std::vector<std::vector<Solves>>;

double SecondsTo(const SolveRecord& record, double tolerance, ComparedError error) {
  if (record.status == "not_run") return kNever;
  if (error == ComparedError::kRelativeEnergy) {
    for (const ErrorRecord& entry : record.history) {
      if (entry.energy <= tolerance * record.free_energy) return entry.seconds;
    }
  }
  // The last iterate measured may be one that is not in the history: what was returned counts.
  const double reached =
      error == ComparedError::kFclib ? record.fclib_error : record.relative_energy;
  return reached <= tolerance && !std::isnan(record.seconds) ? record.seconds : kNever;
}

double Median(const Solves& solves, double tolerance, ComparedError error) {
  if (solves.empty()) return kNever;
  std::vector<double> seconds;
  for (const SolveRecord* record : solves) {
    seconds.push_back(std::max(kClockTick, SecondsTo(*record, tolerance, error)));
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// SOLVER@FILE, where a second file of the same name is told apart by its path.
std::string NameByFile(const std::string& solver, const std::vector<ReplayResults>& results,
                       std::size_t index) {
  const auto stem = [&](std::size_t k) {
    return std::filesystem::path(results[k].path).stem().string();
  };
  bool unique = true;
  for (std::size_t k = 0; k < results.size(); ++k) {
    unique = unique && (k == index || stem(k) != stem(index));
  }
  return solver + "@" + (unique ? stem(index) : results[index].path);
}

void CheckSettings(const std::vector<ReplayResults>& results) {
  std::map<std::string, const ReplayResults*> first;
  std::map<std::string, std::string> texts;
  for (const ReplayResults& file : results) {
    for (const auto& [solver, text] : file.settings) {
      const auto [known, added] = texts.emplace(solver, text);
      if (added) first[solver] = &file;
      Require(known->second == text, solver, " was told one thing in ", first[solver]->path,
              " and another in ", file.path, ": ", known->second, " and ", text,
              "; compare them as two with --by-file");
    }
  }
}

void AddRemarks(const std::vector<ReplayResults>& results, const ComparisonOptions& options,
                Comparison* comparison) {
  std::vector<std::string>& remarks = comparison->remarks;
  const bool energy = options.error == ComparedError::kRelativeEnergy;
  const double tightest = *std::min_element(options.tolerances.begin(), options.tolerances.end());
  bool histories = true;
  for (const ReplayResults& file : results) {
    if (energy && file.relative_tolerance > tightest) {
      remarks.push_back(
          fmt::format("{}: solves were stopped at a relative error of {:g}, so that fewer reach "
                      "{:g}",
                      file.path, file.relative_tolerance, tightest));
    }
    if (energy && file.energy_tolerance > 0) {
      remarks.push_back(fmt::format("{}: solves were stopped at {:g} J, whatever the step's energy",
                                    file.path, file.energy_tolerance));
    }
    if (file.jobs > 1) {
      remarks.push_back(fmt::format("{}: times were measured with {} threads side by side",
                                    file.path, file.jobs));
    }
    for (const SolveRecord& record : file.records) histories = histories && record.has_history;
  }
  if (energy && !histories) {
    remarks.push_back(
        "without 'replay --history' the whole solve counts, also for looser tolerances");
  }
  for (std::size_t c = 0; c < comparison->contenders.size(); ++c) {
    if (comparison->missing[c] == 0) continue;
    remarks.push_back(fmt::format("{} has no result for {} of {} problems; they count as failed",
                                  comparison->contenders[c], comparison->missing[c],
                                  comparison->problems.size()));
  }
}

ToleranceComparison CompareTimes(const SolveTable& table, std::size_t problems, double tolerance,
                                 ComparedError error) {
  ToleranceComparison result;
  result.tolerance = tolerance;
  std::vector<double> least(problems, kNever);
  for (const std::vector<Solves>& row : table) {
    std::vector<double> seconds(problems, kNever);
    for (std::size_t p = 0; p < row.size(); ++p) {
      seconds[p] = Median(row[p], tolerance, error);
      least[p] = std::min(least[p], seconds[p]);
    }
    result.seconds.push_back(std::move(seconds));
  }
  for (const std::vector<double>& seconds : result.seconds) {
    std::vector<double> ratios(problems, kNever);
    for (std::size_t p = 0; p < problems; ++p) {
      if (std::isfinite(seconds[p])) ratios[p] = seconds[p] / least[p];
    }
    result.ratios.push_back(std::move(ratios));
  }
  return result;
}

Comparison Tabulate(const std::vector<ReplayResults>& results, const ComparisonOptions& options,
                    Comparison comparison) {
  std::map<std::string, std::size_t> contenders;
  std::map<std::tuple<std::string, std::int64_t, std::string>, std::size_t> problems;
  SolveTable table;
  for (std::size_t f = 0; f < results.size(); ++f) {
    for (const SolveRecord& record : results[f].records) {
      const std::string name =
          options.by_file ? NameByFile(record.solver, results, f) : record.solver;
      const auto [contender, new_contender] = contenders.emplace(name, contenders.size());
      if (new_contender) {
        comparison.contenders.push_back(name);
        table.emplace_back();
      }
      const auto [problem, new_problem] =
          problems.emplace(std::tie(record.file, record.step, record.law), problems.size());
      if (new_problem) comparison.problems.push_back({record.file, record.step, record.law});
      std::vector<Solves>& row = table[contender->second];
      if (row.size() <= problem->second) row.resize(problem->second + 1);
      row[problem->second].push_back(&record);
    }
  }
  Require(!comparison.problems.empty(), "comparison: there is no solve to compare");
  for (std::vector<Solves>& row : table) {
    row.resize(comparison.problems.size());
    comparison.missing.push_back(static_cast<int>(std::count_if(
        row.begin(), row.end(), [](const Solves& solves) { return solves.empty(); })));
  }
  for (double tolerance : options.tolerances) {
    comparison.tolerances.push_back(
        CompareTimes(table, comparison.problems.size(), tolerance, options.error));
  }
  AddRemarks(results, options, &comparison);
  return comparison;
}

}  // namespace

Comparison Compare(const std::vector<ReplayResults>& results, const ComparisonOptions& options) {
  Require(!options.tolerances.empty(), "comparison: no tolerance");
  for (double tolerance : options.tolerances) {
    Require(tolerance > 0 && std::isfinite(tolerance), "comparison: tolerance = ", tolerance,
            " violates 0 < tolerance < inf");
  }
  if (!options.by_file) CheckSettings(results);
  Comparison comparison;
  const std::vector<ReplayResults> normalised =
      OnOneMachine(results, options.machines, &comparison.remarks);
  if (!normalised.empty()) return Tabulate(normalised, options, std::move(comparison));
  return Tabulate(results, options, std::move(comparison));
}

double Profile(const ToleranceComparison& comparison, int contender, double tau) {
  const std::vector<double>& ratios = comparison.ratios[contender];
  const auto within = std::count_if(ratios.begin(), ratios.end(), [tau](double ratio) {
    return std::isfinite(ratio) && ratio <= tau;
  });
  return static_cast<double>(within) / static_cast<double>(ratios.size());
}

}  // namespace nonsmooth
