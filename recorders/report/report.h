// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../replay/replay.h"

namespace nonsmooth {

struct ReportOptions {
  /// Which steps, and which solvers stand beside the engine's own, how they start and stop.
  ReplayOptions replay;

  /// Every so many steps are read at all.
  std::int64_t every = 1;

  /// [bytes] of the page. The world is thinned until it fits, curves and tables are not: 32 MB
  /// open at once on a telephone.
  std::int64_t size_limit = 32'000'000;

  /// JSON files of `nonsmooth replay --json`, whose solvers join curves, tables and profiles.
  std::vector<std::string> results;

  /// Entries of a convergence history that are kept.
  int history_points = 48;

  /// The worst steps of each file that are looked at closely, as by `nonsmooth explain`.
  int explained = 3;
};

struct Report {
  std::string page;                  ///< HTML that needs nothing else
  std::int64_t steps = 0;            ///< in curves and tables
  std::int64_t frames = 0;           ///< of those, in the world
  std::vector<std::string> remarks;  ///< what was thinned or left out, for the user
  std::vector<std::string> errors;   ///< what could not be read
};

/// One page that shows files of any format: the world and its contacts, two solutions side by side,
/// curves and tables. Steps and files that cannot be read are reported, not thrown. Throws
/// std::invalid_argument for options that are wrong whatever the files hold, FileError for results
/// that cannot be read.
Report MakeReport(const std::vector<std::string>& paths, const ReportOptions& options,
                  const ReplayProgress& progress = {});

}  // namespace nonsmooth
