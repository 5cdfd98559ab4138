// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "recorders/replay/comparison.h"
#include "recorders/replay/replay.h"

namespace nonsmooth {

/// What is known of a step whatever the solver.
struct StepCurves {
  std::int64_t step = 0;
  StepInfo info;
  int contacts = 0;
  int rows = 0;
  double kinetic = kUnknown;  ///< [J]
};

nlohmann::ordered_json StepsJson(const std::vector<StepCurves>& steps);

/// One series a solver of one file, from `records` of that file by step; `source` says where from.
/// Histories keep at most `history_points` of their entries, spread by their logarithm; 0: none.
nlohmann::ordered_json SeriesJson(const std::vector<const ReplayRecord*>& records,
                                  const std::string& source, int history_points);

/// The same of what `nonsmooth replay --json` wrote, for the file of that path.
nlohmann::ordered_json SeriesJson(const ReplayResults& results, const std::string& path,
                                  int history_points);

/// Records as if they had been written by a replay and read again, to be compared.
ReplayResults AsResults(const ReplayReport& report, const ReplayOptions& options);

/// Performance profiles and times to an error: for each tolerance and contender, sorted ratios and
/// sorted seconds of the problems that were solved.
nlohmann::ordered_json ComparisonJson(const Comparison& comparison);

}  // namespace nonsmooth
