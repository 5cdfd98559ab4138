// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/task_plan.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "common/util/check.h"
#include "recorders/format/xxhash64.h"
#include "recorders/tasks/file_look-inl.h"

namespace nonsmooth {
namespace {

/// [bytes] What a step costs beside its numbers: opening, measuring, writing.
constexpr std::uint64_t kStepCost = 2000;

void AddStep(const FileLook& look, std::int64_t step, PlannedBlock* block) {
  std::uint64_t words[2] = {look.checksum, static_cast<std::uint64_t>(step)};
  std::uint64_t bytes = 0;
  if (look.summaries.empty()) {
    bytes = look.bytes / static_cast<std::uint64_t>(std::max<std::int64_t>(1, look.steps));
  } else {
    words[0] = look.summaries[static_cast<std::size_t>(step)].problem_checksum;
    bytes = look.summaries[static_cast<std::size_t>(step)].bytes;
  }
  block->checksum = XxHash64(words, sizeof words, block->checksum);
  block->cost += bytes + kStepCost;
}

void PlanBlocks(const FileLook& look, const ReplayOptions& options, int block_steps,
                PlannedFile* file) {
  // Of a capture the warm starts and the engine's solutions take part too; its uuid stands for
  // them where only the problems are summed.
  const std::uint64_t seed = XxHash64(look.info.uuid.data(), look.info.uuid.size(), 0);
  const bool chained = options.warm_start == StartFrom::kPrevious;
  const std::int64_t end = std::min(options.last_step, file->steps);
  for (std::int64_t step = options.first_step; step < end;) {
    PlannedBlock block;
    block.first = step;
    block.checksum = seed;
    for (int k = 0; step < end && (chained || k < block_steps); ++k, step += options.stride) {
      AddStep(look, step, &block);
      block.last = step + 1;
    }
    file->blocks.push_back(block);
  }
}

}  // namespace

TaskPlan MakePlan(const std::vector<std::string>& paths, const ReplayOptions& options,
                  int block_steps) {
  Require(block_steps > 0, "plan: block_steps = ", block_steps, " violates 1 <= block_steps");
  TaskPlan plan;
  plan.options = options;
  plan.options.jobs = 1;
  for (const std::string& path : paths) {
    PlannedFile file;
    file.path = path;
    try {
      const FileLook look = LookAt(path);
      file.format = ToString(look.format);
      file.engine = look.info.engine;
      file.engine_version = look.info.engine_version;
      file.scene = look.info.scene;
      file.steps = look.steps;
      PlanBlocks(look, options, block_steps, &file);
    } catch (const std::exception& error) {
      file.error = error.what();
      file.blocks.clear();
    }
    plan.files.push_back(std::move(file));
  }
  return plan;
}

std::vector<Task> TasksOf(const TaskPlan& plan) {
  std::vector<Task> tasks;
  const auto solvers = static_cast<std::int32_t>(plan.options.solvers.size());
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    for (std::size_t b = 0; b < plan.files[f].blocks.size(); ++b) {
      for (std::int32_t s = 0; s < solvers; ++s) {
        tasks.push_back({static_cast<std::int32_t>(f), static_cast<std::int32_t>(b), s});
      }
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(), [&plan](const Task& a, const Task& b) {
    return plan.files[a.file].blocks[a.block].cost > plan.files[b.file].blocks[b.block].cost;
  });
  return tasks;
}

std::vector<Task> ShardOf(const TaskPlan& plan, const std::vector<Task>& tasks, int index,
                          int count) {
  Require(count > 0 && index >= 0 && index < count, "shard ", index + 1, "/", count,
          " violates 1 <= K <= N");
  using Load = std::pair<std::uint64_t, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> shards;
  for (int k = 0; k < count; ++k) shards.push({0, k});
  std::vector<Task> mine;
  for (const Task& task : tasks) {
    const Load least = shards.top();
    shards.pop();
    if (least.second == index) mine.push_back(task);
    shards.push({least.first + plan.files[task.file].blocks[task.block].cost, least.second});
  }
  return mine;
}

}  // namespace nonsmooth
