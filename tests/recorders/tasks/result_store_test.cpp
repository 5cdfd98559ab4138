// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/result_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "recorders/capture/file_error.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;
using State = ResultStore::State;

class ResultStoreTest : public testing::Test {
 protected:
  ResultStoreTest()
      : plan_(Plan({})), store_(folder_.File("out"), plan_), task_(TasksOf(plan_)[0]) {}

  static TaskPlan Plan(const std::vector<SolverSetting>& settings) {
    ReplayOptions options;
    options.solvers = {"psor"};
    options.settings = settings;
    return MakePlan({DataFile("balls.h5")}, options, 20);
  }

  void Write() const { store_.Write(task_, {R"({"failed":false})", {"one", "two"}}); }

  const TemporaryDirectory folder_;
  const TaskPlan plan_;
  const ResultStore store_;
  const Task task_;
};

TEST_F(ResultStoreTest, GivesBackWhatWasWritten) {
  EXPECT_EQ(store_.StateOf(task_), State::kMissing);
  Write();
  State state{};
  const auto result = store_.Read(task_, &state);
  ASSERT_TRUE(result);
  EXPECT_EQ(state, State::kWhole);
  EXPECT_EQ(result->head, R"({"failed":false})");
  EXPECT_EQ(result->records, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(store_.Unfinished(TasksOf(plan_)).size(), TasksOf(plan_).size() - 1);
}

// Nothing but results and the plan stays behind.
TEST_F(ResultStoreTest, LeavesNoDrafts) {
  Write();
  store_.WritePlan();
  for (const auto& entry : fs::recursive_directory_iterator(folder_.File("out"))) {
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
}

TEST_F(ResultStoreTest, FindsEveryDamage) {
  Write();
  const std::string path = store_.PathOf(task_);
  const std::string text = ReadText(path);
  for (std::size_t size = 0; size < text.size(); ++size) {
    std::ofstream(path) << text.substr(0, size);
    EXPECT_EQ(store_.StateOf(task_), State::kDamaged) << size;
  }
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string bad = text;
    bad[k] ^= 1;
    std::ofstream(path) << bad;
    EXPECT_EQ(store_.StateOf(task_), State::kDamaged) << k;
  }
  std::ofstream(path) << text;
  EXPECT_EQ(store_.StateOf(task_), State::kWhole);
}

// What could not be read may be readable the next time.
TEST_F(ResultStoreTest, FailedTasksAreNotFinished) {
  store_.Write(task_, {R"({"failed":true})", {}});
  EXPECT_EQ(store_.StateOf(task_), State::kFailed);
  EXPECT_EQ(store_.Unfinished({task_}).size(), 1u);
}

TEST_F(ResultStoreTest, OtherOptionsHaveOtherResults) {
  const TaskPlan other = Plan({{"psor", "relaxation", "1.25"}});
  const ResultStore beside(folder_.File("out"), other);
  EXPECT_NE(beside.PathOf(task_), store_.PathOf(task_));
  Write();
  EXPECT_EQ(beside.StateOf(task_), State::kMissing);
}

TEST(ResultStore, SaysWhereItCannotWrite) {
  const TemporaryDirectory folder;
  std::ofstream(folder.File("file")) << "x";
  const TaskPlan plan;
  EXPECT_THROW(ResultStore(folder.File("file/below"), plan), FileError);
}

}  // namespace
}  // namespace nonsmooth
