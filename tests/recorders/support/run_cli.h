// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nonsmooth {

struct CliResult {
  int code = -1;   ///< exit code; −1: ended by a signal
  int signal = 0;  ///< that ended it
  std::string out;
  std::string err;
};

/// Runs the command line with these arguments and waits for it. With `terminal`, its standard error
/// is a terminal; `err` is then what was shown there.
CliResult RunCli(const std::vector<std::string>& arguments, bool terminal = false);

/// Any other program, given by its path, likewise.
CliResult RunProgram(const std::vector<std::string>& command, bool terminal = false);

/// A file of tests/data.
std::string DataFile(const std::string& name);

std::string ReadText(const std::string& path);

}  // namespace nonsmooth
