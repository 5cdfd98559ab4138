// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../replay/replay.h"

namespace nonsmooth {

/// Some steps of a file that are solved together.
struct PlannedBlock {
  std::int64_t first = 0;
  std::int64_t last = 0;       ///< exclusive
  std::uint64_t cost = 0;      ///< [bytes] of their problems: how long they take, roughly
  std::uint64_t checksum = 0;  ///< of their problems
};

struct PlannedFile {
  std::string path;
  std::string format;
  std::string engine;
  std::string engine_version;
  std::string scene;
  std::int64_t steps = 0;
  std::vector<PlannedBlock> blocks;
  std::string error;  ///< why it could not be opened; it has no blocks then
};

/// A replay cut into tasks that any process can do in any order: which problems, by whom, how.
struct TaskPlan {
  ReplayOptions options;
  std::vector<PlannedFile> files;
};

/// One block of one file by one solver, as indices into the plan.
struct Task {
  std::int32_t file = 0;
  std::int32_t block = 0;
  std::int32_t solver = 0;
};

/// Opens every file once and reads no problem: the bytes of a file are summed, or, of captures that
/// are being written and of collections, the checksums that they have of their problems. Blocks
/// have `block_steps` steps; with a warm start from the step before, a file is one block. Files
/// that cannot be opened are named in the plan.
TaskPlan MakePlan(const std::vector<std::string>& paths, const ReplayOptions& options,
                  int block_steps);

/// All tasks, the longest first so that none is left over at the end; equal ones by file, block,
/// solver. Depends on the plan alone.
std::vector<Task> TasksOf(const TaskPlan& plan);

/// The part of `tasks` for shard `index` (from 0) of `count`: each task, longest first, goes to the
/// shard that has the least so far (Graham, "Bounds on multiprocessing timing anomalies", 1969: no
/// shard is longer than 4/3 of the best division). Every shard finds the same without asking.
std::vector<Task> ShardOf(const TaskPlan& plan, const std::vector<Task>& tasks, int index,
                          int count);

/// The plan as JSON, and back: MakePlan() of the same files gives the same text. ParsePlan() throws
/// FileError with `path` and cause, ReadPlan() also where there is no such file.
std::string PlanText(const TaskPlan& plan);
TaskPlan ParsePlan(const std::string& path, const std::string& text);
TaskPlan ReadPlan(const std::string& path);

}  // namespace nonsmooth
