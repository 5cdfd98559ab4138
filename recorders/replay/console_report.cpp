// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recorders/replay/reports.h"
#include "recorders/replay/text_table.h"

namespace nonsmooth {
namespace {

std::string Number(const char* format, double value) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string Milliseconds(double seconds) { return Number("{:.3g}", 1e3 * seconds); }

/// The share of steps; of one step alone, its status says more.
std::string SolvedText(const SolverSummary& summary) {
  if (!summary.status.empty()) return summary.status;
  const double share =
      100.0 * static_cast<double>(summary.solved) / static_cast<double>(summary.steps);
  // 99.96 % is not all of them.
  std::string text =
      fmt::format("{:.1f} %", summary.solved < summary.steps ? std::min(share, 99.9) : share);
  if (summary.failed > 0) text += fmt::format(" ({} failed)", summary.failed);
  return text;
}

}  // namespace

std::string ConsoleText(const ReplayReport& report, const ReplayOptions& options) {
  using Align = TextTable::Align;
  const bool several = report.files.size() > 1;
  std::vector<TextTable::Column> columns;
  if (several) columns.push_back({"file", Align::kLeft});
  for (const char* title : {"solver", "law"}) columns.push_back({title, Align::kLeft});
  for (const char* title :
       {"steps", "solved", "iterations", "ms/step", "p99 ms", "error J", "worst J", "relative"}) {
    columns.push_back({title, Align::kRight});
  }
  TextTable table(columns);
  int last_file = -2;
  for (const SolverSummary& summary : Summarise(report, options)) {
    std::vector<std::string> cells;
    if (several) {
      const bool next_block = summary.file < 0 || options.solvers.size() > 1;
      if (summary.file != last_file && last_file != -2 && next_block) table.AddRule();
      const bool again = summary.file == last_file;
      cells.push_back(
          again ? ""
          : summary.file < 0
              ? "all files"
              : std::filesystem::path(report.files[summary.file].path).filename().string());
      last_file = summary.file;
    }
    cells.insert(
        cells.end(),
        {summary.solver, summary.law, std::to_string(summary.steps), SolvedText(summary),
         Number("{:.0f}", summary.iterations), Milliseconds(summary.seconds),
         Milliseconds(summary.seconds_p99), Number("{:.3g}", summary.energy_error),
         Number("{:.3g}", summary.energy_error_max), Number("{:.2g}", summary.relative_error)});
    table.AddRow(std::move(cells));
  }
  std::string text = table.Text();
  const SolveOptions& solve = options.solve;
  text += fmt::format(
      "\niterations, ms/step, error and relative are medians over steps; error is the energy error,"
      "\nworst its largest value; solved: within {}, at most {} iterations\n",
      solve.energy_tolerance > 0 && solve.relative_tolerance > 0
          ? fmt::format("{} J or {} of the free energy", solve.energy_tolerance,
                        solve.relative_tolerance)
      : solve.energy_tolerance > 0 ? fmt::format("{} J", solve.energy_tolerance)
                                   : fmt::format("{} of the free energy", solve.relative_tolerance),
      solve.max_iterations);
  return text;
}

}  // namespace nonsmooth
