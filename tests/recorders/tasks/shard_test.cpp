// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "recorders/tasks/calibration.h"
#include "recorders/tasks/machine.h"

namespace nonsmooth {
namespace {

constexpr const char* kVariables[] = {"SLURM_ARRAY_TASK_ID",
                                      "SLURM_ARRAY_TASK_MIN",
                                      "SLURM_ARRAY_TASK_STEP",
                                      "SLURM_ARRAY_TASK_COUNT",
                                      "OMPI_COMM_WORLD_RANK",
                                      "OMPI_COMM_WORLD_SIZE",
                                      "PMI_RANK",
                                      "PMI_SIZE"};

/// An environment with these of the variables alone.
class ShardEnvironment : public testing::Test {
 protected:
  ~ShardEnvironment() override { Set({}); }
  static void Set(const std::map<std::string, std::string>& values) {
    for (const char* name : kVariables) unsetenv(name);
    for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
  }
  static void Expect(int index, int count) {
    const Shard shard = ShardFromEnvironment();
    EXPECT_EQ(shard.index, index);
    EXPECT_EQ(shard.count, count);
  }
};

TEST_F(ShardEnvironment, IsReadFromEveryLauncher) {
  Set({});
  Expect(0, 1);
  Set({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  Expect(2, 4);
  Set({{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}});
  Expect(0, 3);
  // --array=10-18:2 has five members, of which 14 is the third.
  Set({{"SLURM_ARRAY_TASK_ID", "14"},
       {"SLURM_ARRAY_TASK_MIN", "10"},
       {"SLURM_ARRAY_TASK_STEP", "2"},
       {"SLURM_ARRAY_TASK_COUNT", "5"}});
  Expect(2, 5);
}

// Member 1 of 3 with two ranks each: shards 2 and 3 of 6.
TEST_F(ShardEnvironment, RanksOfAnArrayAreShardsOfTheirOwn) {
  Set({{"SLURM_ARRAY_TASK_ID", "1"},
       {"SLURM_ARRAY_TASK_COUNT", "3"},
       {"OMPI_COMM_WORLD_RANK", "1"},
       {"OMPI_COMM_WORLD_SIZE", "2"}});
  Expect(3, 6);
}

TEST_F(ShardEnvironment, RefusesNonsense) {
  for (const std::map<std::string, std::string>& values :
       {std::map<std::string, std::string>{{"OMPI_COMM_WORLD_RANK", "1"}},
        {{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "4"}},
        {{"PMI_RANK", "one"}, {"PMI_SIZE", "2"}},
        {{"SLURM_ARRAY_TASK_ID", "3"}},
        {{"SLURM_ARRAY_TASK_ID", "9"}, {"SLURM_ARRAY_TASK_COUNT", "3"}}}) {
    Set(values);
    EXPECT_THROW(ShardFromEnvironment(), std::invalid_argument) << values.begin()->first;
  }
}

TEST(Shard, IsGivenFromOne) {
  EXPECT_EQ(ParseShard("3/8").index, 2);
  EXPECT_EQ(ParseShard("3/8").count, 8);
  for (const char* bad : {"", "3", "0/2", "3/2", "-1/2", "1/2/3", "a/b", "1/"}) {
    EXPECT_THROW(ParseShard(bad), std::invalid_argument) << bad;
  }
}

TEST(Machine, HasANameAndACore) {
  EXPECT_FALSE(LookAtMachine().name.empty());
  EXPECT_GE(PhysicalCores(), 1);
}

// The least of more repetitions is no larger than it takes to do one, up to what disturbs both.
TEST(Calibration, TakesSomeTime) {
  Calibration calibration;
  const double seconds = calibration.Measure(0);
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 1);
  EXPECT_GT(calibration.Measure(1e-2), 0);
}

}  // namespace
}  // namespace nonsmooth
