// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "../../common/error/error_report.h"
#include "../../common/solve/driver.h"
#include "../interchange/problem_source.h"

namespace nonsmooth {

/// Where each solve starts from.
enum class StartFrom {
  kNone,      ///< zero
  kCaptured,  ///< the warm start that the file has for the step, zero if it has none
  kPrevious,  ///< the same solver's solution of the steps before, matched by contact identity
};

std::string_view ToString(StartFrom start);

/// One option of one solver, as text: psor.relaxation = 1.2.
struct SolverSetting {
  std::string solver;
  std::string name;
  std::string value;
};

struct ReplayOptions {
  std::vector<std::string> solvers;
  /// Leave solvers out silently where they do not handle the law: for `--solver all`.
  bool skip_unsuitable = false;
  std::vector<SolverSetting> settings;
  SolveOptions solve;
  std::int64_t first_step = 0;                                        ///< of each file
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  ///< exclusive
  std::int64_t stride = 1;                                            ///< every so many of them
  StartFrom warm_start = StartFrom::kNone;
  int jobs = 1;  ///< threads; results do not depend on it, unless there is a deadline
  bool keep_solutions = false;
  std::string fclib_directory;  ///< if not empty, every solution is written there as an FCLIB file
};

/// The name under which an engine's own solution stands among the solvers.
inline constexpr char kEngineName[] = "engine";

/// One solve of one step, or what the engine had made of it.
struct ReplayRecord {
  int file = 0;           ///< index into ReplayReport::files
  std::int64_t step = 0;  ///< index in the file
  StepInfo info;          ///< the engine's
  std::string solver;
  std::string law;     ///< solved under; "mixed" if native means several
  std::string status;  ///< of Result; "captured" for the engine; "not_run" if it could not be run
  std::string remark;
  bool failed = false;  ///< numerical failure, or it could not be run at all
  int iterations = 0;   ///< −1: not known
  int best_iteration = 0;
  PhaseTimes seconds;
  double total_seconds = 0;  ///< NaN: not known
  int contacts = 0;
  int rows = 0;
  ErrorReport errors;
  std::vector<IterationRecord> history;
  Solution solution;       ///< if kept
  std::string fclib_file;  ///< if written
};

struct ReplayFile {
  std::string path;
  std::string format;  ///< empty if it could not be opened
  CaptureInfo info;
  std::int64_t steps = 0;
  std::vector<std::string> remarks;  ///< of its steps, each once
  std::vector<std::string> errors;   ///< what could not be read or written
};

struct ReplayReport {
  std::vector<ReplayFile> files;
  std::vector<ReplayRecord> records;  ///< by file, step, and solver in the order asked for

  bool failed() const;
};

/// Called after each step is done, by one thread at a time.
using ReplayProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Solves the chosen steps of all files with all solvers and measures everything, the engine's own
/// solutions too, in the same way. Files and steps that cannot be read are reported, not thrown.
/// Throws std::invalid_argument for options that are wrong whatever the files hold.
ReplayReport Replay(const std::vector<std::string>& paths, const ReplayOptions& options,
                    const ReplayProgress& progress = {});

}  // namespace nonsmooth
