// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <memory>
#include <thread>

#include "common/solve/solver_registry.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/cli/progress_bar.h"
#include "recorders/cli/step_range.h"
#include "recorders/replay/reports.h"

namespace nonsmooth::cli {
namespace {

constexpr int kMostFailures = 20;  ///< printed one by one

/// The flags as they were given.
struct ReplayArguments {
  std::vector<std::string> files;
  std::vector<std::string> solvers{"auto"};
  std::vector<std::string> settings;
  std::string law = "native";
  std::string steps;
  int iterations = SolveOptions().max_iterations;
  double tolerance = 0;
  double relative_tolerance = SolveOptions().relative_tolerance;
  double deadline_ms = 0;
  std::string warm_start = "none";
  bool history = false;
  int jobs = 0;
  std::string json;
  std::string csv;
  std::string save;
  std::string save_fclib;
};

/// What cannot be written is better known before hours of solving than after.
void CheckOutputs(const ReplayArguments& arguments) {
  if (arguments.json == "-" && arguments.csv == "-") {
    throw UsageError("--json and --csv cannot both go to standard output");
  }
  for (const std::string& path : {arguments.json, arguments.csv, arguments.save}) {
    CheckOutput(path, arguments.files);
  }
}

std::vector<std::string> SolverNames(const std::vector<std::string>& given, bool* all) {
  std::vector<std::string> names;
  for (const std::string& name : given) {
    if (name == "all") {
      *all = true;
      for (const SolverInfo& info : Solvers()) names.emplace_back(info.name);
    } else {
      FindSolver(name);
      names.push_back(name);
    }
  }
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end()) {
      distinct.push_back(name);
    }
  }
  return distinct;
}

SolverSetting ParseSetting(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::size_t equals = text.find('=');
  if (dot == std::string::npos || equals == std::string::npos || dot > equals) {
    throw UsageError("--option '" + text + "' is not SOLVER.NAME=VALUE");
  }
  return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
}

ReplayOptions MakeOptions(const ReplayArguments& arguments, const CLI::App& command) {
  ReplayOptions options;
  try {
    options.solvers = SolverNames(arguments.solvers, &options.skip_unsuitable);
    options.solve.law = ParseLaw(arguments.law);
    for (const std::string& text : arguments.settings) {
      options.settings.push_back(ParseSetting(text));
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  options.solve.max_iterations = arguments.iterations;
  if (command.count("--tolerance") > 0) {
    options.solve.energy_tolerance = arguments.tolerance;
    options.solve.relative_tolerance = 0;
  } else {
    options.solve.relative_tolerance = arguments.relative_tolerance;
  }
  if (command.count("--deadline-ms") > 0) options.solve.deadline = 1e-3 * arguments.deadline_ms;
  options.solve.history = arguments.history;
  if (!arguments.steps.empty()) {
    const StepRange range = ParseStepRange(arguments.steps);
    options.first_step = range.first;
    options.last_step = range.last;
  }
  static const std::map<std::string, StartFrom> kWarmStarts{{"none", StartFrom::kNone},
                                                            {"captured", StartFrom::kCaptured},
                                                            {"previous", StartFrom::kPrevious}};
  options.warm_start = kWarmStarts.at(arguments.warm_start);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  options.jobs = arguments.jobs > 0 ? arguments.jobs : cores;
  options.keep_solutions = !arguments.save.empty();
  options.fclib_directory = arguments.save_fclib;
  return options;
}

void PrintTroubles(const ReplayReport& report) {
  for (const ReplayFile& file : report.files) {
    for (const std::string& error : file.errors) PrintError(error);
    for (const std::string& remark : file.remarks) PrintWarning(file.path + ": " + remark);
  }
  int failures = 0;
  for (const ReplayRecord& record : report.records) {
    if (!record.failed || ++failures > kMostFailures) continue;
    PrintError(fmt::format("{}: step {}: {}: {}{}{}", report.files[record.file].path, record.step,
                           record.solver, record.status, record.remark.empty() ? "" : ": ",
                           record.remark));
  }
  if (failures > kMostFailures) {
    PrintError(fmt::format("{} more solves failed", failures - kMostFailures));
  }
}

int RunReplay(const ReplayArguments& arguments, const CLI::App& command) {
  const ReplayOptions options = MakeOptions(arguments, command);
  CheckOutputs(arguments);
  if (arguments.history && arguments.json.empty() && arguments.save.empty()) {
    PrintWarning("--history is kept for --json and --save only");
  }
  ReplayReport report;
  {
    ProgressBar bar;
    try {
      report = Replay(arguments.files, options,
                      [&bar](std::int64_t done, std::int64_t total) { bar.Show(done, total); });
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }
  PrintTroubles(report);
  const bool stdout_taken = arguments.json == "-" || arguments.csv == "-";
  if (!stdout_taken) fmt::print("{}", ConsoleText(report, options));
  if (!arguments.json.empty()) WriteText(arguments.json, JsonText(report, options));
  if (!arguments.csv.empty()) WriteText(arguments.csv, CsvText(report));
  if (!arguments.save.empty()) SaveResults(arguments.save, report, options);
  if (report.records.empty() && !report.failed()) {
    PrintError("there was no step to solve");
    return kFailed;
  }
  return report.failed() ? kFailed : kOk;
}

}  // namespace

void AddReplay(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("replay", "Solve recorded steps again and compare solvers in joules");
  auto a = std::make_shared<ReplayArguments>();
  command->add_option("FILE", a->files, "Captures, FCLIB files, files of Lu et al.'s interface")
      ->required()
      ->option_text("...");
  command
      ->add_option("--solver", a->solvers,
                   "Solvers to run ('nonsmooth solvers' lists them),\n"
                   "or 'all': every one that handles the law; default auto")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME[,NAME...]");
  command
      ->add_option("--option", a->settings,
                   "An option of one solver, e.g. psor.relaxation=1.2;\nmay be given repeatedly")
      ->allow_extra_args(false)
      ->option_text("SOLVER.NAME=VALUE");
  command
      ->add_option("--law", a->law,
                   "Friction law: native (as recorded, the default), box,\n"
                   "coupled_box, pyramid:K, ccp or ncp")
      ->option_text("LAW");
  command
      ->add_option("--steps", a->steps,
                   "Steps A to B-1 of each file, counted from 0; also A:, :B\n"
                   "and A alone")
      ->option_text("A:B");
  command
      ->add_option("--iterations", a->iterations,
                   fmt::format("Most iterations of a solve, default {}", a->iterations))
      ->check(CLI::Range(0, 1000000000))
      ->option_text("N");
  CLI::Option* joules = command->add_option(
      "--tolerance", a->tolerance, "Solved below this energy error [J]; instead of the next");
  joules->check(CLI::NonNegativeNumber)->option_text("JOULES");
  command
      ->add_option("--relative-tolerance", a->relative_tolerance,
                   fmt::format("Solved below this multiple of the step's free energy,\ndefault {}",
                               a->relative_tolerance))
      ->check(CLI::NonNegativeNumber)
      ->excludes(joules)
      ->option_text("R");
  command
      ->add_option("--deadline-ms", a->deadline_ms,
                   "Most time of a solve [ms], wall clock; default: none")
      ->check(CLI::PositiveNumber)
      ->option_text("T");
  command
      ->add_option("--warm-start", a->warm_start,
                   "none (default): from zero; captured: from what the file\n"
                   "has; previous: from the same solver's step before, matched\n"
                   "by contact identity")
      ->check(CLI::IsMember({"none", "captured", "previous"}))
      ->option_text("FROM");
  command->add_flag("--history", a->history,
                    "Keep the energy error of every iteration, for --json\nand --save");
  command
      ->add_option("--jobs", a->jobs,
                   "Threads, default: one a core. Results do not depend on it,\n"
                   "times do: compare those with --jobs 1")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  command->add_option("--json", a->json, "Write everything as JSON; - is standard output")
      ->option_text("OUT");
  command->add_option("--csv", a->csv, "Write one line a solve as CSV; - is standard output")
      ->option_text("OUT");
  command->add_option("--save", a->save, "Write results and solutions to an HDF5 file")
      ->option_text("OUT.h5");
  command
      ->add_option("--save-fclib", a->save_fclib,
                   "Write each problem with each solution as an FCLIB file\ninto this folder")
      ->option_text("DIR");
  command->footer(
      "Solved means that the energy error is within the tolerance; not reaching it is an honest\n"
      "result, not a failure. Exit code 1: a file or step could not be read or written, a solver\n"
      "broke down numerically, or one named does not handle the law.");
  command->callback(
      [&action, a, command] { action = [a, command] { return RunReplay(*a, *command); }; });
}

}  // namespace nonsmooth::cli
