// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/task_plan.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "recorders/capture/file_error.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Key = std::tuple<int, int, int>;

Key KeyOf(const Task& task) { return {task.file, task.block, task.solver}; }

std::uint64_t Cost(const TaskPlan& plan, const std::vector<Task>& tasks) {
  std::uint64_t sum = 0;
  for (const Task& task : tasks) sum += plan.files[task.file].blocks[task.block].cost;
  return sum;
}

ReplayOptions Options() {
  ReplayOptions options;
  options.solvers = {"psor", "apgd"};
  return options;
}

TaskPlan Plan(const ReplayOptions& options = Options(), int block = 7) {
  return MakePlan({DataFile("balls.h5"), DataFile("chain.fclib-global.hdf5"),
                   DataFile("chain.lu.h5"), DataFile("README.md")},
                  options, block);
}

// balls.h5 has 36 steps: blocks of 7 are 5 whole ones and one of 1.
TEST(TaskPlan, CutsFilesIntoBlocks) {
  const TaskPlan plan = Plan();
  ASSERT_EQ(plan.files.size(), 4u);
  ASSERT_EQ(plan.files[0].blocks.size(), 6u);
  EXPECT_EQ(plan.files[0].blocks[5].first, 35);
  EXPECT_EQ(plan.files[0].blocks[5].last, 36);
  EXPECT_EQ(plan.files[1].blocks.size(), 1u);
  EXPECT_TRUE(plan.files[3].blocks.empty());
  EXPECT_NE(plan.files[3].error.find("README.md"), std::string::npos);
  std::set<std::uint64_t> checksums;
  for (const PlannedBlock& block : plan.files[0].blocks) checksums.insert(block.checksum);
  EXPECT_EQ(checksums.size(), 6u);
}

// Steps 10, 13, 16, … 28: seven of them, in blocks of 3, 3 and 1.
TEST(TaskPlan, TakesEveryKthStep) {
  ReplayOptions options = Options();
  options.first_step = 10;
  options.last_step = 30;
  options.stride = 3;
  const std::vector<PlannedBlock> blocks = Plan(options, 3).files[0].blocks;
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[1].first, 19);
  EXPECT_EQ(blocks[1].last, 26);
  EXPECT_EQ(blocks[2].first, 28);
  EXPECT_EQ(blocks[2].last, 29);
}

// A solve that starts from the one before cannot be in another task.
TEST(TaskPlan, AChainOfStepsIsOneBlock) {
  ReplayOptions options = Options();
  options.warm_start = StartFrom::kPrevious;
  EXPECT_EQ(Plan(options).files[0].blocks.size(), 1u);
}

TEST(TaskPlan, LongestTasksComeFirst) {
  const TaskPlan plan = Plan();
  const std::vector<Task> tasks = TasksOf(plan);
  const auto cost = [&plan](const Task& t) { return plan.files[t.file].blocks[t.block].cost; };
  for (std::size_t k = 1; k < tasks.size(); ++k) EXPECT_GE(cost(tasks[k - 1]), cost(tasks[k]));
}

// Every task is in one shard, and Graham's bound holds: no shard exceeds the mean by more than a
// third plus what one task makes up.
TEST(TaskPlan, ShardsShareAllTasksFairly) {
  const TaskPlan plan = Plan();
  const std::vector<Task> tasks = TasksOf(plan);
  const std::uint64_t longest = Cost(plan, {tasks.front()});
  for (const int count : {1, 2, 3, 5, 100}) {
    std::set<Key> seen;
    for (int k = 0; k < count; ++k) {
      const std::vector<Task> shard = ShardOf(plan, tasks, k, count);
      for (const Task& task : shard) EXPECT_TRUE(seen.insert(KeyOf(task)).second);
      EXPECT_LE(Cost(plan, shard), Cost(plan, tasks) / count + longest);
    }
    EXPECT_EQ(seen.size(), tasks.size()) << count;
  }
}

TEST(TaskPlan, RefusesShardsThatAreNotThere) {
  const TaskPlan plan = Plan();
  EXPECT_THROW(ShardOf(plan, TasksOf(plan), 2, 2), std::invalid_argument);
  EXPECT_THROW(ShardOf(plan, TasksOf(plan), 0, 0), std::invalid_argument);
  EXPECT_THROW(MakePlan({}, Options(), 0), std::invalid_argument);
}

TEST(TaskPlan, IsTheSameAfterWritingAndReading) {
  ReplayOptions options = Options();
  options.settings = {{"psor", "relaxation", "1.2"}};
  options.solve.law = ParseLaw("pyramid:5");
  options.solve.relative_tolerance = 0.1;
  options.stride = 2;
  options.warm_start = StartFrom::kCaptured;
  const TaskPlan plan = Plan(options);
  const TemporaryDirectory folder;
  std::ofstream(folder.File("plan.json")) << PlanText(plan);
  const TaskPlan read = ReadPlan(folder.File("plan.json"));
  EXPECT_EQ(PlanText(read), PlanText(plan));
  EXPECT_EQ(read.options.solve.law, ParseLaw("pyramid:5"));
  EXPECT_EQ(read.options.solve.relative_tolerance, 0.1);
  EXPECT_EQ(read.options.settings[0].value, "1.2");
}

TEST(TaskPlan, RefusesWhatIsNoPlan) {
  const TemporaryDirectory folder;
  EXPECT_THROW(ReadPlan(folder.File("none.json")), FileError);
  const std::string text = PlanText(Plan());
  for (const std::string& bad :
       {std::string("{}"), text.substr(0, text.size() / 2),
        std::string(R"({"format": "nonsmooth-plan", "version": "1.0"})")}) {
    std::ofstream(folder.File("bad.json")) << bad;
    EXPECT_THROW(ReadPlan(folder.File("bad.json")), FileError) << bad;
  }
}

}  // namespace
}  // namespace nonsmooth
