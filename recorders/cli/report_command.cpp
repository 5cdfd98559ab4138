// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "common/solve/solver_registry.h"
#include "recorders/cli/browser.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/cli/progress_bar.h"
#include "recorders/cli/step_range.h"
#include "recorders/report/report.h"

namespace nonsmooth::cli {
namespace {

/// The flags as they were given, of `report` and `view` alike.
struct ReportArguments {
  std::vector<std::string> files;
  std::vector<std::string> solvers{"auto"};
  std::string law = "native";
  std::string steps;
  std::int64_t every = 1;
  double limit = 1e-6 * static_cast<double>(ReportOptions().size_limit);
  int iterations = SolveOptions().max_iterations;
  double deadline_ms = 20;  ///< what a simulation might spend on a step
  int explain = ReportOptions().explained;
  int jobs = 0;
  std::string out = "report.html";
};

/// Results of a replay are JSON; no file of problems begins with a brace.
bool IsResults(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

ReplayOptions ReplayPart(const ReportArguments& arguments) {
  ReplayOptions options;
  try {
    for (const std::string& name : arguments.solvers) {
      if (name == "none") continue;
      std::vector<std::string> names{name};
      if (name == "all") {
        names.clear();
        for (const SolverInfo& info : Solvers()) names.emplace_back(info.name);
        options.skip_unsuitable = true;
      }
      for (const std::string& each : names) {
        FindSolver(each);
        const auto& known = options.solvers;
        if (std::find(known.begin(), known.end(), each) == known.end()) {
          options.solvers.push_back(each);
        }
      }
    }
    options.solve.law = ParseLaw(arguments.law);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  options.solve.max_iterations = arguments.iterations;
  if (arguments.deadline_ms > 0) options.solve.deadline = 1e-3 * arguments.deadline_ms;
  options.solve.history = true;
  if (!arguments.steps.empty()) {
    const StepRange range = ParseStepRange(arguments.steps);
    options.first_step = range.first;
    options.last_step = range.last;
  }
  options.warm_start = StartFrom::kCaptured;
  options.keep_solutions = true;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = arguments.jobs > 0 ? arguments.jobs : cores;
  return options;
}

/// Writes the page; returns an exit code.
int WriteReport(const ReportArguments& arguments, const std::string& out) {
  ReportOptions options;
  options.replay = ReplayPart(arguments);
  options.every = arguments.every;
  options.size_limit = static_cast<std::int64_t>(1e6 * arguments.limit);
  options.explained = arguments.explain;
  std::vector<std::string> files;
  for (const std::string& path : arguments.files) {
    (IsResults(path) ? options.results : files).push_back(path);
  }
  CheckOutput(out, arguments.files);
  Report report;
  {
    ProgressBar bar;
    try {
      report = MakeReport(files, options,
                          [&bar](std::int64_t done, std::int64_t total) { bar.Show(done, total); });
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }
  for (const std::string& error : report.errors) PrintError(error);
  for (const std::string& remark : report.remarks) PrintWarning(remark);
  WriteText(out, report.page);
  if (out != "-") {
    fmt::print("{}: {} steps, {} of them in the world, {:.1f} MB\n", out, report.steps,
               report.frames, 1e-6 * static_cast<double>(report.page.size()));
  }
  return report.errors.empty() ? kOk : kFailed;
}

int RunView(const ReportArguments& arguments) {
  const std::string stem = std::filesystem::path(arguments.files.front()).stem().string();
  const std::string path = TemporaryPage(stem + ".html");
  const int code = WriteReport(arguments, path);
  if (!OpenInBrowser(path)) fmt::print("no browser was found; open file://{} in one\n", path);
  return code;
}

void AddReportOptions(CLI::App* command, const std::shared_ptr<ReportArguments>& a) {
  command
      ->add_option("FILE", a->files,
                   "Captures and other files of problems, and JSON of\n"
                   "'nonsmooth replay --history --json' whose solvers join the\n"
                   "curves and the table")
      ->required()
      ->option_text("...");
  command
      ->add_option("--solver", a->solvers,
                   "Solvers to put beside the engine's own solution, step by\n"
                   "step; 'all', 'none'; default auto")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command->add_option("--law", a->law, "Friction law, default native: as recorded")
      ->option_text("LAW");
  command->add_option("--steps", a->steps, "Steps A to B-1 of each file; also A:, :B and A alone")
      ->option_text("A:B");
  command->add_option("--every", a->every, "Only every K-th of these steps, default 1")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000000}))
      ->option_text("K");
  command
      ->add_option("--limit", a->limit,
                   fmt::format("Most megabytes of the page, default {:g}: steps of the world are\n"
                               "left out, evenly, until it fits",
                               a->limit))
      ->check(CLI::Range(1e-3, 1e4))
      ->option_text("MB");
  command
      ->add_option("--iterations", a->iterations,
                   fmt::format("Most iterations of a solve, default {}", a->iterations))
      ->check(CLI::Range(0, 1000000000))
      ->option_text("N");
  command
      ->add_option("--deadline-ms", a->deadline_ms,
                   fmt::format("Most time of a solve [ms], default {:g}", a->deadline_ms))
      ->check(CLI::PositiveNumber)
      ->option_text("T");
  command
      ->add_option(
          "--explain", a->explain,
          fmt::format("Worst steps of each file to look at closely, default {}", a->explain))
      ->check(CLI::Range(0, 1000))
      ->option_text("N");
  command->add_option("--jobs", a->jobs, "Threads, default: one a core")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
}

}  // namespace

void AddReport(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "report", "Write one page for the browser: the world in 3-D, forces, joules, curves, tables");
  auto a = std::make_shared<ReportArguments>();
  AddReportOptions(command, a);
  command->add_option("--out", a->out, "The page, default report.html; - is standard output")
      ->option_text("OUT.html");
  command->footer(
      "The page needs neither network nor server. Exit code 1: a file or step cannot\n"
      "be read; the page shows the others.");
  command->callback([&action, a] { action = [a] { return WriteReport(*a, a->out); }; });
}

void AddView(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("view", "Make such a page in a temporary place and open the browser");
  auto a = std::make_shared<ReportArguments>();
  AddReportOptions(command, a);
  command->callback([&action, a] { action = [a] { return RunView(*a); }; });
}

}  // namespace nonsmooth::cli
