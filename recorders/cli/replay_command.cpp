// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/cli/progress_bar.h"
#include "recorders/cli/replay_flags-inl.h"
#include "recorders/cli/shard-inl.h"
#include "recorders/replay/reports.h"

namespace nonsmooth::cli {
namespace {

constexpr int kMostFailures = 20;  ///< printed one by one

/// What cannot be written is better known before hours of solving than after.
void CheckOutputs(const ReplayArguments& arguments) {
  if (arguments.json == "-" && arguments.csv == "-") {
    throw UsageError("--json and --csv cannot both go to standard output");
  }
  for (const std::string& path : {arguments.json, arguments.csv, arguments.save}) {
    CheckOutput(path, arguments.files);
  }
}

}  // namespace

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

namespace {

int RunReplay(const ReplayArguments& arguments, const CLI::App& command) {
  const ReplayOptions options = MakeOptions(arguments, command);
  if (!arguments.out_dir.empty()) return RunShard(arguments, options);
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
  AddSolveFlags(command, a);
  AddOutputFlags(command, a);
  CLI::Option* out_dir = AddTaskFlags(command, a);
  command
      ->add_option("--shard", a->shard,
                   "Do part K of N, counted from 1; default: the place in a\n"
                   "Slurm array and the rank of Open MPI or PMI, else 1/1")
      ->needs(out_dir)
      ->option_text("K/N");
  command->footer(
      "Solved means that the energy error is within the tolerance; not reaching it is an honest\n"
      "result, not a failure. Exit code 1: a file or step could not be read or written, a solver\n"
      "broke down numerically, or one named does not handle the law.");
  command->callback(
      [&action, a, command] { action = [a, command] { return RunReplay(*a, *command); }; });
}

}  // namespace nonsmooth::cli
