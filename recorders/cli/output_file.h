// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace nonsmooth::cli {

/// Throws UsageError if `path` is one of the files that are read, FileError if nothing can be
/// written there. What cannot be written is better known before hours of solving than after. An
/// empty path is no output.
void CheckOutput(const std::string& path, const std::vector<std::string>& inputs);

/// Writes a whole file, which replaces what was there only once it is complete; `-` is standard
/// output, and pipes and terminals are written to as they are. Throws FileError.
void WriteText(const std::string& path, const std::string& text);

}  // namespace nonsmooth::cli
