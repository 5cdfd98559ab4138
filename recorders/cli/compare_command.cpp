// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/replay/comparison.h"

namespace nonsmooth::cli {
namespace {

/// The flags as they were given.
struct CompareArguments {
  std::vector<std::string> files;
  std::vector<double> tolerances = ComparisonOptions().tolerances;
  std::string error = "energy";
  bool by_file = false;
  std::string machines = "refuse";
  std::string profile;
  std::string times;
};

int RunCompare(const CompareArguments& arguments) {
  if (arguments.profile == "-" && arguments.times == "-") {
    throw UsageError("--profile and --times cannot both go to standard output");
  }
  CheckOutput(arguments.profile, arguments.files);
  CheckOutput(arguments.times, arguments.files);
  ComparisonOptions options;
  options.tolerances = arguments.tolerances;
  options.error =
      arguments.error == "fclib" ? ComparedError::kFclib : ComparedError::kRelativeEnergy;
  options.by_file = arguments.by_file;
  static const std::map<std::string, SeveralMachines> kMachines{
      {"refuse", SeveralMachines::kRefuse},
      {"normalise", SeveralMachines::kNormalise},
      {"mix", SeveralMachines::kMix}};
  options.machines = kMachines.at(arguments.machines);
  // A comparison that silently lacks one of its files would be another one: any bad file ends it.
  std::vector<ReplayResults> results;
  for (const std::string& path : arguments.files) results.push_back(ReadResults(path));
  const bool empty = std::all_of(results.begin(), results.end(),
                                 [](const ReplayResults& file) { return file.records.empty(); });
  if (empty) {
    PrintError("there is no solve to compare");
    return kFailed;
  }
  Comparison comparison;
  try {
    comparison = Compare(results, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  for (const std::string& remark : comparison.remarks) PrintWarning(remark);
  const bool stdout_taken = arguments.profile == "-" || arguments.times == "-";
  if (!stdout_taken) fmt::print("{}", ComparisonText(comparison, options));
  if (!arguments.profile.empty()) WriteText(arguments.profile, ProfileCsv(comparison));
  if (!arguments.times.empty()) WriteText(arguments.times, TimesCsv(comparison));
  return kOk;
}

}  // namespace

void AddCompare(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare solvers over a collection: times to an error, performance profiles");
  auto a = std::make_shared<CompareArguments>();
  command
      ->add_option("RESULTS", a->files,
                   "What 'nonsmooth replay --history --json' has written, or\n'nonsmooth merge'")
      ->required()
      ->option_text("...");
  command->add_option("--tolerance", a->tolerances, "Errors to be reached, default 1e-4,1e-8")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber)
      ->option_text("R[,R...]");
  command
      ->add_option("--error", a->error,
                   "energy (default): energy error divided by the free energy;\n"
                   "fclib: FCLIB's error of the result, for the whole solve's time")
      ->check(CLI::IsMember({"energy", "fclib"}))
      ->option_text("WHICH");
  command->add_flag("--by-file", a->by_file,
                    "The same solver in two files is two contenders, SOLVER@FILE,\n"
                    "not a repetition of which the median counts");
  command
      ->add_option("--machines", a->machines,
                   "Times from several machines: refuse (default) them; normalise\n"
                   "by the calibration solve that every task has repeated; or\n"
                   "mix: take them as they are")
      ->check(CLI::IsMember({"refuse", "normalise", "mix"}))
      ->option_text("HOW");
  command
      ->add_option("--profile", a->profile,
                   "Write the performance profiles as CSV; - is standard output")
      ->option_text("OUT.csv");
  command
      ->add_option("--times", a->times,
                   "Write the time of every problem as CSV; - is standard output")
      ->option_text("OUT.csv");
  command->footer(
      "Exit code 1: a file cannot be read, is cut short or is not a replay's JSON, or there is\n"
      "nothing to compare.");
  command->callback([&action, a] { action = [a] { return RunCompare(*a); }; });
}

}  // namespace nonsmooth::cli
