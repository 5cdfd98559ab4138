// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provenance.h"
#include "replay.h"

namespace nonsmooth {

/// One measure of a solution, by the name it has in every kind of output.
struct NamedMeasure {
  std::string_view name;
  std::string_view unit;  ///< "-" if none, "mixed" where impulses are added to velocities
  double value = 0;
};

/// All measures of a record, always the same names in the same order. NaN where the record has no
/// solution.
std::vector<NamedMeasure> Measures(const ReplayRecord& record);

/// The records of one solver, over one file or all of them.
struct SolverSummary {
  int file = -1;  ///< −1: all files
  std::string solver;
  std::string law;
  std::int64_t steps = 0;
  std::int64_t solved = 0;  ///< energy error within the tolerance
  std::int64_t failed = 0;
  std::int64_t contradictory = 0;  ///< have no solution; left near the least error there is
  std::string status;              ///< of the only step; empty if there are several
  double iterations = 0;           ///< median
  double seconds = 0;              ///< median of a step; NaN if not known
  double seconds_p99 = 0;
  double energy_error = 0;      ///< [J] median
  double energy_error_max = 0;  ///< [J] of the worst step
  double relative_error = 0;    ///< median
};

/// By file and solver in the order of the records; then, if there are several files, over all.
std::vector<SolverSummary> Summarise(const ReplayReport& report, const ReplayOptions& options);

/// The table for a person.
std::string ConsoleText(const ReplayReport& report, const ReplayOptions& options);

/// How JSON with results introduces itself: keys `format` and `version`. A reader takes any file
/// of the same major version.
inline constexpr char kResultsFormat[] = "nonsmooth-replay";
inline constexpr char kResultsVersion[] = "1.0";

/// docs/replay.md describes the fields. Numbers that JSON does not have are null.
std::string JsonText(const ReplayReport& report, const ReplayOptions& options);

/// The same in parts, for results too many for memory: everything before the first record, one
/// line a record without the end of the line, and what closes the text. `machines` are those that
/// the records come from; none: this one.
std::string JsonHead(const ReplayReport& report, const ReplayOptions& options,
                     const std::vector<NamedTexts>& machines);
std::string RecordLine(const std::string& file, const ReplayRecord& record, bool history);
inline constexpr char kJsonTail[] = "\n ]\n}\n";

/// One line a record, one column a field, the same names as in JSON.
std::string CsvText(const ReplayReport& report);

/// An HDF5 file with /results/<solver>: measures by step, solutions if kept, histories if asked
/// for. Throws FileError.
void SaveResults(const std::string& path, const ReplayReport& report, const ReplayOptions& options);

/// {"field": value, …} of an options struct, JSON.
std::string OptionsJson(const OptionFields& fields);

/// The effective options of each solver that was run, as JSON texts.
std::vector<std::pair<std::string, std::string>> SolverOptionsJson(const ReplayOptions& options);

}  // namespace nonsmooth
