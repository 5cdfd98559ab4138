// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "recorders/cli/shard-inl.h"
#include "recorders/cli/task_progress.h"
#include "recorders/tasks/shard.h"
#include "recorders/tasks/task_runner.h"

namespace nonsmooth::cli {

int RunShard(const ReplayArguments& arguments, const ReplayOptions& options) {
  CheckOutDir(arguments);
  Shard shard;
  TaskPlan plan;
  try {
    shard = arguments.shard.empty() ? ShardFromEnvironment() : ParseShard(arguments.shard);
    const StepSolver check(options);  // throws for options that are wrong whatever the files hold
    plan = MakePlan(arguments.files, options, arguments.block);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const ResultStore store(arguments.out_dir, plan);
  store.WritePlan();
  int code = kOk;
  for (const PlannedFile& file : plan.files) {
    if (file.error.empty()) continue;
    PrintError(file.error);
    code = kFailed;
  }
  const std::vector<Task> mine = ShardOf(plan, TasksOf(plan), shard.index, shard.count);
  const std::vector<Task> tasks = store.Unfinished(mine);
  {
    TaskProgress bar;
    RunTasks(plan, store, tasks, options.jobs,
             [&bar](std::int64_t done, std::int64_t total) { bar.Show(done, total); });
  }
  fmt::print("shard {}/{}: {} tasks done, {} were there; 'nonsmooth merge {}' when all are\n",
             shard.index + 1, shard.count, tasks.size(), mine.size() - tasks.size(),
             store.folder());
  return code;
}

}  // namespace nonsmooth::cli
