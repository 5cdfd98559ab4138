// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/output_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "recorders/capture/file_error.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/hdf5/replacement_file.h"

namespace nonsmooth::cli {
namespace {

/// Standard output, or something else that cannot be replaced by a file: a pipe, a terminal.
bool IsStream(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return path == "-" ||
         (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
          !std::filesystem::is_directory(status));
}

}  // namespace

void WriteText(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  const bool stream = IsStream(path);
  std::optional<ReplacementFile> replacement;
  if (!stream) replacement.emplace(path);
  std::ofstream file(stream ? path : replacement->temporary_path(), std::ios::binary);
  file << text;
  file.close();
  if (!file) throw FileError(path, "", "cannot be written");
  if (replacement) replacement->Commit();
}

void CheckOutput(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (std::filesystem::equivalent(path, input, ignored)) {
      throw UsageError(path + " is both read and written");
    }
  }
  if (!IsStream(path)) ReplacementFile probe(path);
}

}  // namespace nonsmooth::cli
