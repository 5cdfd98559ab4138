// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>

#include "recorders/capture/file_error.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/cli/output_file.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/tasks/merge.h"

namespace nonsmooth::cli {
namespace {

struct MergeArguments {
  std::string folder;
  std::string out;
};

int RunMerge(const MergeArguments& arguments) {
  CheckOutput(arguments.out, {});
  const TaskPlan plan = ReadPlan(arguments.folder + "/plan.json");
  const ResultStore store(arguments.folder, plan);
  const MergedResults merged = ReadMerged(plan, store);
  if (arguments.out == "-") {
    WriteMerged(plan, store, merged, std::cout);
  } else {
    ReplacementFile replacement(arguments.out);
    std::ofstream file(replacement.temporary_path(), std::ios::binary);
    WriteMerged(plan, store, merged, file);
    file.close();
    if (!file) throw FileError(arguments.out, "", "cannot be written");
    replacement.Commit();
  }
  PrintTroubles(merged.report);
  for (const std::string& lacking : merged.lacking) PrintError(lacking);
  if (!merged.complete()) {
    PrintError(fmt::format(
        "of {} tasks {} are missing and {} damaged: the same replay once more does them",
        merged.tasks, merged.missing, merged.damaged));
  }
  if (arguments.out != "-") fmt::print("{}", ConsoleText(merged.report, plan.options));
  return merged.complete() && !merged.report.failed() ? kOk : kFailed;
}

}  // namespace

void AddMerge(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("merge", "Make one results file of what 'replay --out-dir' has written");
  auto a = std::make_shared<MergeArguments>();
  command->add_option("DIR", a->folder, "The folder given as --out-dir")->required();
  command
      ->add_option("--out", a->out,
                   "The results, as 'replay --json' has them; - is standard output")
      ->required()
      ->option_text("OUT.json");
  command->footer(
      "Exit code 1: tasks are missing or damaged, a file could not be read, or a solver broke "
      "down.\n"
      "What is there is written all the same.");
  command->callback([&action, a] { action = [a] { return RunMerge(*a); }; });
}

}  // namespace nonsmooth::cli
