// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../capture/file_error.h"

namespace nonsmooth {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// One entry of a replay's history: docs/replay.md, key `history`.
struct ErrorRecord {
  double seconds = 0;  ///< since the start of the solve
  double energy = 0;   ///< energy error [J]; NaN where the iterate was not finite
};

/// One solve, as `nonsmooth replay --json` has written it; what a comparison needs of it. A number
/// that was not known is NaN.
struct SolveRecord {
  std::string file;
  std::int64_t step = 0;
  std::string solver;
  std::string law;
  std::string status;
  double iterations = 0;
  double seconds = 0;
  double free_energy = 0;      ///< [J]
  double relative_energy = 0;  ///< energy error / free energy
  double fclib_error = 0;
  int machine = 0;                    ///< that it ran on, index into ReplayResults::machines
  double calibration = kNotMeasured;  ///< [s] the solve that is the same everywhere, there and then
  bool has_history = false;
  std::vector<ErrorRecord> history;
};

/// The results of one replay, without the engine's own solutions: nobody knows on which machine,
/// and beside what, those were computed.
struct ReplayResults {
  std::string path;
  double energy_tolerance = 0;  ///< [J] that the solves were stopped at
  double relative_tolerance = 0;
  int jobs = 1;
  /// JSON of each machine's description: times compare within one only. One, unless the results
  /// were merged from several.
  std::vector<std::string> machines{std::string()};
  /// JSON of what the solver was told, by name: its own options, the tolerances, limits and starts.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<SolveRecord> records;
};

/// Reads what `nonsmooth replay --json` wrote. Throws FileError with file, key and cause where the
/// file cannot be read, is cut short, is not such a file or of another major version, or lacks
/// something.
ReplayResults ReadResults(const std::string& path);

}  // namespace nonsmooth
