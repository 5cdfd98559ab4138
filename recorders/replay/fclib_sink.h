// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "replay.h"

namespace nonsmooth {

/// Writes solved problems as FCLIB files into a folder, one file a problem and solver.
class FclibSink {
 public:
  FclibSink() = default;

  /// Makes the folder; `sources` decide the names. Throws FileError.
  FclibSink(std::string directory, const std::vector<std::string>& sources);

  /// Writes `problem` with the solution of each record and notes the name in the record. Problems
  /// with a sparse M become global FCLIB problems, all others local ones. Throws
  /// std::invalid_argument for what FCLIB cannot say, FileError if writing fails.
  void Write(const Problem& problem, const std::string& title, std::int64_t steps_in_file,
             const std::vector<ReplayRecord*>& records, std::vector<std::string>* remarks) const;

 private:
  std::string directory_;
  std::vector<std::string> stems_;  ///< one a source, distinct
};

}  // namespace nonsmooth
