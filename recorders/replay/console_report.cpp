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

/// Of more files only the total is printed: nobody reads a thousand tables.
constexpr std::size_t kMostFiles = 50;

std::string Number(const char* format, double value) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

std::string Milliseconds(double seconds) { return Number("{:.3g}", 1e3 * seconds); }

/// The share of steps; of one step alone, its status says more.
std::string SolvedText(const SolverSummary& summary) {
  if (!summary.status.empty() && summary.solver != kEngineName) return summary.status;
  const double share =
      100.0 * static_cast<double>(summary.solved) / static_cast<double>(summary.steps);
  // 99.96 % is not all of them.
  std::string text =
      fmt::format("{:.1f} %", summary.solved < summary.steps ? std::min(share, 99.9) : share);
  if (summary.contradictory > 0) {
    text += fmt::format(", {} contradictory", summary.contradictory);
  }
  if (summary.failed > 0) text += fmt::format(", {} failed", summary.failed);
  return text;
}

std::vector<std::string> Cells(const SolverSummary& summary) {
  const bool several = summary.steps > 1;
  return {"  " + summary.solver,
          summary.law,
          std::to_string(summary.steps),
          SolvedText(summary),
          Number("{:.0f}", summary.iterations),
          Milliseconds(summary.seconds),
          several ? Milliseconds(summary.seconds_p99) : "",
          Number("{:.2e}", summary.energy_error),
          several ? Number("{:.2e}", summary.energy_error_max) : "",
          Number("{:.1e}", summary.relative_error)};
}

std::string Count(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "pile.h5: capture, bullet 3.24, 120 steps, 3 to 81 contacts"
std::string Heading(const ReplayReport& report, int f) {
  const ReplayFile& file = report.files[f];
  std::string text = std::filesystem::path(file.path).filename().string() + ": " + file.format;
  if (!file.info.engine.empty()) text += ", " + file.info.engine;
  if (!file.info.engine_version.empty()) text += " " + file.info.engine_version;
  int least = std::numeric_limits<int>::max();
  int most = -1;
  for (const ReplayRecord& record : report.records) {
    if (record.file != f) continue;
    least = std::min(least, record.contacts);
    most = std::max(most, record.contacts);
  }
  text += ", " + Count(file.steps, "step");
  if (most < 0) return text;
  return text + ", " +
         (least == most ? Count(most, "contact") : fmt::format("{} to {} contacts", least, most));
}

std::string ToleranceText(const SolveOptions& solve) {
  std::string joules = fmt::format("{:g} J", solve.energy_tolerance);
  std::string relative = fmt::format("{:g} of its free energy", solve.relative_tolerance);
  if (solve.energy_tolerance <= 0) return relative;
  return solve.relative_tolerance > 0 ? joules + " or " + relative : joules;
}

}  // namespace

std::string ConsoleText(const ReplayReport& report, const ReplayOptions& options) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"  solver", Align::kLeft}, {"law", Align::kLeft}};
  for (const char* title :
       {"steps", "solved", "iterations", "time ms", "p99 ms", "error J", "worst J", "relative"}) {
    columns.push_back({title, Align::kRight});
  }
  TextTable table(columns);
  const bool only_total = report.files.size() > kMostFiles;
  int last_file = -2;
  for (const SolverSummary& summary : Summarise(report, options)) {
    if (summary.file >= 0 && only_total) continue;
    if (summary.file != last_file) {
      table.AddHeading(summary.file < 0
                           ? "all " + Count(static_cast<int>(report.files.size()), "file")
                           : Heading(report, summary.file));
    }
    last_file = summary.file;
    table.AddRow(Cells(summary));
  }
  if (last_file == -2) return "no step was solved\n";
  const SolveOptions& solve = options.solve;
  return table.Text() +
         fmt::format(
             "\n"
             "solved: energy error of the step within {}; at most {} iterations{}\n"
             "iterations, time, error [J] and relative (to the free energy) are medians over "
             "steps,\n"
             "worst is the largest error, p99 the time that 99 % of the steps stay within; {}\n",
             ToleranceText(solve), solve.max_iterations,
             std::isfinite(solve.deadline) ? fmt::format(", {:g} ms", 1e3 * solve.deadline) : "",
             options.jobs == 1 ? "one thread" : Count(options.jobs, "thread"));
}

}  // namespace nonsmooth
