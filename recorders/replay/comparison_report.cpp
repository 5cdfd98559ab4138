// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "recorders/replay/comparison.h"
#include "recorders/replay/csv_field.h"
#include "recorders/replay/text_table.h"

namespace nonsmooth {
namespace {

/// Of more problems only the summary is printed.
constexpr std::size_t kMostProblems = 50;
constexpr double kFactors[] = {1, 2, 10, 100};  ///< τ shown in the summary

std::string Milliseconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.3g}", 1e3 * seconds) : "-";
}

/// The value that a share of all problems does not exceed (nearest rank); infinite if fewer were
/// solved.
double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

std::string Percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string Summary(const Comparison& comparison, const ToleranceComparison& to) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"solver", Align::kLeft}, {"reached", Align::kRight}};
  for (const char* title : {"median ms", "p90 ms"}) columns.push_back({title, Align::kRight});
  columns.push_back({"fastest", Align::kRight});
  for (std::size_t k = 1; k < std::size(kFactors); ++k) {
    columns.push_back({fmt::format("within {:g}x", kFactors[k]), Align::kRight});
  }
  TextTable table(columns);
  for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
    const std::vector<double>& seconds = to.seconds[c];
    const auto reached = std::count_if(seconds.begin(), seconds.end(),
                                       [](double value) { return std::isfinite(value); });
    std::vector<std::string> cells{comparison.contenders[c], std::to_string(reached),
                                   Milliseconds(Quantile(seconds, 0.5)),
                                   Milliseconds(Quantile(seconds, 0.9))};
    for (double tau : kFactors) cells.push_back(Percent(Profile(to, static_cast<int>(c), tau)));
    table.AddRow(cells);
  }
  return table.Text();
}

/// "balls.h5 12 ncp": the file's name, and the rest where the collection has several.
std::vector<std::string> ProblemNames(const std::vector<ComparedProblem>& problems) {
  bool steps = false;
  bool laws = false;
  for (const ComparedProblem& problem : problems) {
    steps = steps || problem.step != 0;
    laws = laws || problem.law != problems.front().law;
  }
  std::vector<std::string> names;
  for (const ComparedProblem& problem : problems) {
    std::string name = std::filesystem::path(problem.file).filename().string();
    if (steps) name += fmt::format(" {}", problem.step);
    if (laws) name += " " + problem.law;
    names.push_back(std::move(name));
  }
  return names;
}

std::string Times(const Comparison& comparison, const ToleranceComparison& to) {
  std::vector<TextTable::Column> columns{{"ms", TextTable::Align::kLeft}};
  for (const std::string& name : comparison.contenders) {
    columns.push_back({name, TextTable::Align::kRight});
  }
  TextTable table(columns);
  const std::vector<std::string> names = ProblemNames(comparison.problems);
  for (std::size_t p = 0; p < names.size(); ++p) {
    std::vector<std::string> cells{names[p]};
    for (const std::vector<double>& seconds : to.seconds) cells.push_back(Milliseconds(seconds[p]));
    table.AddRow(cells);
  }
  return table.Text();
}

}  // namespace

std::string ComparisonText(const Comparison& comparison, const ComparisonOptions& options) {
  const std::size_t problems = comparison.problems.size();
  const char* measure =
      options.error == ComparedError::kFclib ? "an FCLIB error" : "a relative energy error";
  std::string text;
  for (const ToleranceComparison& to : comparison.tolerances) {
    text += fmt::format("{}time to {} of {:g}, {} problem{}\n", text.empty() ? "" : "\n", measure,
                        to.tolerance, problems, problems == 1 ? "" : "s");
    text += Summary(comparison, to);
    if (problems <= kMostProblems) text += "\n" + Times(comparison, to);
  }
  return text +
         "\n"
         "reached: problems brought to the tolerance. median, p90: time that half, 90 % of all\n"
         "problems stay within. fastest: share of the problems where no other is faster;\n"
         "within 2x: where it takes at most twice the time of the fastest (Dolan-More profile)\n";
}

std::string ProfileCsv(const Comparison& comparison) {
  std::string text = "tolerance,ratio";
  for (const std::string& name : comparison.contenders) text += "," + CsvField(name);
  text += "\n";
  for (const ToleranceComparison& to : comparison.tolerances) {
    std::vector<double> breaks{1};
    for (const std::vector<double>& ratios : to.ratios) {
      for (double ratio : ratios) {
        if (std::isfinite(ratio)) breaks.push_back(ratio);
      }
    }
    std::sort(breaks.begin(), breaks.end());
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    for (double tau : breaks) {
      text += fmt::format("{},{}", to.tolerance, tau);
      for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
        text += fmt::format(",{}", Profile(to, static_cast<int>(c), tau));
      }
      text += "\n";
    }
  }
  return text;
}

std::string TimesCsv(const Comparison& comparison) {
  std::string text = "tolerance,file,step,law";
  for (const std::string& name : comparison.contenders) text += "," + CsvField(name);
  text += "\n";
  for (const ToleranceComparison& to : comparison.tolerances) {
    for (std::size_t p = 0; p < comparison.problems.size(); ++p) {
      const ComparedProblem& problem = comparison.problems[p];
      text += fmt::format("{},{},{},{}", to.tolerance, CsvField(problem.file), problem.step,
                          CsvField(problem.law));
      for (const std::vector<double>& seconds : to.seconds) text += "," + CsvNumber(seconds[p]);
      text += "\n";
    }
  }
  return text;
}

}  // namespace nonsmooth
