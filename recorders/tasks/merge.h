// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "../replay/reports.h"
#include "result_store.h"

namespace nonsmooth {

/// What is there of a plan's results. `report` has no histories and of the measures only what its
/// summary needs.
struct MergedResults {
  ReplayReport report;
  std::vector<NamedTexts> machines;  ///< each once, in the order of the tasks
  int side_by_side = 1;              ///< the most that solved on one machine at once
  std::int64_t tasks = 0;
  std::int64_t missing = 0;
  std::int64_t damaged = 0;
  std::vector<std::string> lacking;  ///< the first few of both, with the reason

  bool complete() const { return missing + damaged == 0; }
};

/// Reads every result of the plan.
MergedResults ReadMerged(const TaskPlan& plan, const ResultStore& store);

/// One results file as `nonsmooth replay --json` writes it, by file, step and solver, whoever did
/// the tasks in whatever order. Reads the results once more, so that a million need no memory.
void WriteMerged(const TaskPlan& plan, const ResultStore& store, const MergedResults& merged,
                 std::ostream& out);

}  // namespace nonsmooth
