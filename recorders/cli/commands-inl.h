// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace nonsmooth {
struct ReplayReport;
}

namespace nonsmooth::cli {

/// Exit codes of the command line, the same for every command.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,  ///< a solve or a check failed, a file could not be read or written
  kUsage = 2,   ///< the command line itself is wrong
};

/// Thrown where arguments are well-formed but make no sense together: exit code 2.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// What a parsed command does; returns an exit code.
using Action = std::function<int()>;

/// Each adds its subcommand to `app` and puts what it does into `action` when it is chosen.
void AddInfo(CLI::App& app, Action& action);
void AddSolvers(CLI::App& app, Action& action);
void AddReplay(CLI::App& app, Action& action);
void AddMerge(CLI::App& app, Action& action);
void AddCompare(CLI::App& app, Action& action);
void AddReport(CLI::App& app, Action& action);
void AddExplain(CLI::App& app, Action& action);
void AddView(CLI::App& app, Action& action);
void AddRun(CLI::App& app, Action& action);
void AddCollect(CLI::App& app, Action& action);
void AddConvert(CLI::App& app, Action& action);
void AddValidate(CLI::App& app, Action& action);

/// Errors, remarks and failed solves of a replay, on stderr.
void PrintTroubles(const ReplayReport& report);

/// "nonsmooth: <message>" on stderr.
void PrintError(const std::string& message);
void PrintWarning(const std::string& message);

}  // namespace nonsmooth::cli
