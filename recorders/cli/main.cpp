// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <exception>

#include "recorders/cli/commands-inl.h"
#include "recorders/replay/provenance.h"

namespace nonsmooth::cli {
namespace {

int Run(int argc, char** argv) {
  CLI::App app{
      "Solves contact problems recorded by physics engines, and says by how many joules the\n"
      "solutions are wrong.",
      "nonsmooth"};
  app.set_version_flag("--version", "nonsmooth " + Version());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all is well, 1 a solve or a check failed, 2 wrong usage.\n"
      "'nonsmooth COMMAND --help' describes a command.");
  Action action;
  AddInfo(app, action);
  AddSolvers(app, action);
  AddReplay(app, action);
  AddRun(app, action);
  AddMerge(app, action);
  AddCompare(app, action);
  AddReport(app, action);
  AddView(app, action);
  AddExplain(app, action);
  AddCollect(app, action);
  AddConvert(app, action);
  AddValidate(app, action);
  // CLI11 would only say that a command is missing.
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto is_first = [argv](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_first)) {
    PrintError(std::string("unknown command '") + argv[1] + "'; 'nonsmooth --help' lists them");
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has a code per kind of mistake; ours are all the same to a script. 0 is help, version.
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  try {
    return action();
  } catch (const UsageError& error) {
    PrintError(error.what());
    return kUsage;
  } catch (const std::exception& error) {
    PrintError(error.what());
    return kFailed;
  }
}

}  // namespace
}  // namespace nonsmooth::cli

int main(int argc, char** argv) { return nonsmooth::cli::Run(argc, argv); }
