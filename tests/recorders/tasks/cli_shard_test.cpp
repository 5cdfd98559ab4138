// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// `nonsmooth replay --out-dir` and `nonsmooth merge` from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

/// Results without what differs from run to run.
Json Timeless(const std::string& path) {
  Json json = Json::parse(ReadText(path));
  for (const char* key : {"host", "machines", "versions"}) json.erase(key);
  json["options"].erase("jobs");
  for (const char* list : {"results", "summary"}) {
    for (Json& entry : json[list]) {
      for (const char* key :
           {"seconds", "seconds_prepare", "seconds_iterate", "seconds_finish", "seconds_median",
            "seconds_p99", "machine", "load", "clock_mhz", "calibration_seconds"}) {
        entry.erase(key);
      }
    }
  }
  return json;
}

class CliShard : public testing::Test {
 protected:
  Arguments Command() const {
    return {"replay",
            DataFile("balls.h5"),
            DataFile("chain.fclib-global.hdf5"),
            "--solver",
            "psor,apgd,lemke",
            "--steps",
            "10:30:3",
            "--warm-start",
            "captured",
            "--law",
            "native",
            "--iterations",
            "50"};
  }

  CliResult Run(const Arguments& more) const {
    Arguments arguments = Command();
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCli(arguments);
  }

  CliResult Shard(const std::string& shard) const {
    return Run({"--out-dir", folder_.File("out"), "--block", "2", "--shard", shard});
  }

  CliResult Merge() const {
    return RunCli({"merge", folder_.File("out"), "--out", folder_.File("merged.json")});
  }

  std::vector<fs::path> Results() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.File("out"))) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  const TemporaryDirectory folder_;
};

// The same numbers, the same order, the engine's own solutions once.
TEST_F(CliShard, MergedShardsAreThePlainReplay) {
  const CliResult plain = Run({"--json", folder_.File("plain.json"), "--jobs", "1"});
  for (const char* shard : {"3/3", "1/3", "2/3"}) {
    const CliResult result = Shard(shard);
    EXPECT_EQ(result.code, 0) << result.err;
  }
  const CliResult merged = Merge();
  EXPECT_EQ(merged.code, plain.code) << merged.err;
  const Json expected = Timeless(folder_.File("plain.json"));
  const Json found = Timeless(folder_.File("merged.json"));
  EXPECT_GT(found["results"].size(), 20u);
  for (const char* key : {"options", "files", "summary", "results"}) {
    EXPECT_EQ(found[key], expected[key]) << key;
  }
}

TEST_F(CliShard, EveryResultSaysWhereItCameAbout) {
  Shard("1/1");
  Merge();
  const Json json = Json::parse(ReadText(folder_.File("merged.json")));
  for (const Json& entry : json["results"]) {
    EXPECT_EQ(entry["machine"], json["machines"][0]["name"]);
    EXPECT_GT(entry["calibration_seconds"].get<double>(), 0);
    EXPECT_TRUE(entry.contains("load") && entry.contains("clock_mhz"));
  }
}

TEST_F(CliShard, ARerunDoesWhatIsMissingOrDamagedAlone) {
  EXPECT_EQ(Shard("1/1").code, 0);
  const std::vector<fs::path> files = Results();
  ASSERT_GT(files.size(), 5u);
  fs::remove(files[0]);
  fs::resize_file(files[1], fs::file_size(files[1]) / 2);
  const auto untouched = fs::last_write_time(files[2]);
  const CliResult merged = Merge();
  EXPECT_EQ(merged.code, 1);
  EXPECT_NE(merged.err.find("1 are missing and 1 damaged"), std::string::npos) << merged.err;
  const CliResult again = Shard("1/1");
  EXPECT_NE(again.out.find(": 2 tasks done"), std::string::npos) << again.out;
  EXPECT_EQ(fs::last_write_time(files[2]), untouched);
  EXPECT_EQ(Results(), files);
  EXPECT_EQ(Merge().err.find("missing"), std::string::npos);
}

TEST_F(CliShard, CompareReadsTheMergedResults) {
  Shard("1/1");
  Merge();
  const CliResult result = RunCli({"compare", folder_.File("merged.json")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("psor"), std::string::npos);
}

TEST_F(CliShard, NamesWhatCannotBeRead) {
  Arguments arguments{
      "replay", DataFile("balls.h5"), DataFile("README.md"), "--solver", "psor", "--steps",
      "0:2",    "--out-dir",          folder_.File("out")};
  const CliResult result = RunCli(arguments);
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("README.md"), std::string::npos) << result.err;
  EXPECT_EQ(Merge().code, 1);
}

TEST_F(CliShard, RefusesWhatMakesNoSense) {
  EXPECT_EQ(Run({"--shard", "1/2"}).code, 2);
  EXPECT_EQ(Shard("3/2").code, 2);
  EXPECT_EQ(Run({"--out-dir", folder_.File("out"), "--json", folder_.File("a.json")}).code, 2);
  EXPECT_EQ(RunCli({"merge", folder_.File("nowhere"), "--out", folder_.File("a.json")}).code, 1);
}

}  // namespace
}  // namespace nonsmooth
