// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `nonsmooth replay` from outside: every flag does what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/solve/driver.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/hdf5/file.h"
#include "recorders/interchange/problem_source.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

/// Runs replay with JSON on standard output; expects success.
Json Replay(Arguments arguments) {
  arguments.insert(arguments.begin(), "replay");
  arguments.insert(arguments.end(), {"--json", "-"});
  const CliResult result = RunCli(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return Json::parse(result.out);
}

/// Results of one solver.
std::vector<Json> Of(const Json& json, const std::string& solver) {
  std::vector<Json> results;
  for (const Json& result : json["results"]) {
    if (result["solver"] == solver) results.push_back(result);
  }
  return results;
}

double Total(const std::vector<Json>& results, const char* key) {
  double sum = 0;
  for (const Json& result : results) sum += result[key].get<double>();
  return sum;
}

// Who names no solver gets the one that chooses, beside the engine's own solution.
TEST(CliReplay, TakesAutoIfNoSolverIsNamed) {
  const Json json = Replay({DataFile("balls.h5"), "--steps", "10:12"});
  EXPECT_EQ(json["results"].size(), 2 * 2u);
  EXPECT_EQ(Of(json, "auto").size(), 2u);
}

TEST(CliReplay, JsonHasEveryKeyAndSaysWhereItComesFrom) {
  const Json json = Replay({DataFile("balls.h5"), "--solver", "psor,apgd", "--steps", "10:14"});
  ASSERT_EQ(json["results"].size(), 4 * 3u);  // the engine and two solvers
  for (const Json& result : json["results"]) {
    for (const char* key :
         {"file", "step", "solver", "law", "status", "iterations", "seconds", "contacts", "rows",
          "energy_error", "energy_error_max", "energy_error_relative", "natural_residual",
          "fischer_burmeister", "fclib_error"}) {
      EXPECT_TRUE(result.contains(key) && !result[key].is_null()) << key << " " << result;
    }
    EXPECT_EQ(result["file"], DataFile("balls.h5"));
    EXPECT_EQ(result["rows"], 3 * result["contacts"].get<int>());
  }
  for (const char* key : {"host", "versions", "options"}) {
    EXPECT_TRUE(json[key].is_object() && !json[key].empty()) << key;
  }
  EXPECT_EQ(json["options"]["solvers"]["psor"]["relaxation"], 1.0);
  EXPECT_EQ(json["options"]["first_step"], 10);
  EXPECT_EQ(json["files"][0]["format"], "capture");
}

// By file, step, then engine and solvers in the order asked for.
TEST(CliReplay, ResultsAreInOrderWhateverTheNumberOfThreads) {
  const Arguments arguments{DataFile("balls.h5"), DataFile("chain.h5"), "--solver", "bb,psor"};
  Json runs[2];
  for (int k = 0; k < 2; ++k) {
    Arguments more = arguments;
    more.insert(more.end(), {"--jobs", k == 0 ? "1" : "4"});
    runs[k] = Replay(more)["results"];
    for (Json& result : runs[k]) {
      for (const char* key : {"seconds", "seconds_prepare", "seconds_iterate", "seconds_finish"}) {
        result.erase(key);
      }
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
  ASSERT_EQ(runs[0].size(), 3 * (36 + 40u));
  EXPECT_EQ(runs[0][0]["solver"], "engine");
  EXPECT_EQ(runs[0][1]["solver"], "bb");
  EXPECT_EQ(runs[0][2]["solver"], "psor");
  EXPECT_EQ(runs[0][3]["step"], 1);
  EXPECT_EQ(runs[0][3 * 36]["file"], DataFile("chain.h5"));
}

// The recorded solution, measured again under the law it was solved under, has the error that was
// recorded with it.
TEST(CliReplay, EngineStandsBesideTheSolversUnderTheSameMeasures) {
  const Json json = Replay({DataFile("balls.h5"), "--solver", "psor"});
  const std::unique_ptr<ProblemSource> source = OpenSource(DataFile("balls.h5"));
  const std::vector<Json> engine = Of(json, "engine");
  ASSERT_EQ(static_cast<std::int64_t>(engine.size()), source->steps());
  for (std::int64_t k = 0; k < source->steps(); ++k) {
    const CapturedStep step = source->Read(k).step;
    const double recorded = step.measures.energy_error;
    EXPECT_NEAR(engine[k]["energy_error"].get<double>(), recorded, 1e-12 * recorded + 1e-18);
    EXPECT_EQ(engine[k]["iterations"], step.info.iterations);
    EXPECT_EQ(engine[k]["status"], "captured");
  }
  // Another law, another error: 30 iterations towards Coulomb's cone do not solve a pyramid.
  const Json other = Replay({DataFile("balls.h5"), "--solver", "psor", "--law", "pyramid:4"});
  EXPECT_GT(Total(Of(other, "engine"), "energy_error"), Total(engine, "energy_error"));
}

// Whoever says converged is within the tolerance, and nobody else is.
TEST(CliReplay, StatusAndErrorAgree) {
  for (const Arguments& tolerance :
       {Arguments{"--relative-tolerance", "1e-6"}, Arguments{"--tolerance", "1e-5"}}) {
    Arguments arguments{DataFile("chain.h5"), "--solver", "psor,bb", "--iterations", "60"};
    arguments.insert(arguments.end(), tolerance.begin(), tolerance.end());
    const Json json = Replay(arguments);
    int converged = 0;
    for (const Json& result : json["results"]) {
      if (result["solver"] == "engine") continue;
      const bool relative = tolerance[0] == "--relative-tolerance";
      const double error =
          result[relative ? "energy_error_relative" : "energy_error"].get<double>();
      const bool within = error <= std::stod(tolerance[1]);
      EXPECT_EQ(result["status"], within ? "converged" : "iteration_limit") << result;
      EXPECT_TRUE(within || result["iterations"] == 60) << result;
      converged += within ? 1 : 0;
    }
    EXPECT_GT(converged, 0);
    EXPECT_LT(converged, 80);
  }
}

TEST(CliReplay, LawIsTheOneAskedFor) {
  for (const char* law : {"box", "coupled_box", "pyramid:6", "ccp", "ncp"}) {
    const Json json =
        Replay({DataFile("rolling.h5"), "--solver", "psor", "--law", law, "--steps", "20"});
    EXPECT_EQ(Of(json, "psor").at(0)["law"], law);
    EXPECT_EQ(Of(json, "engine").at(0)["law"], law);
  }
  const Json native = Replay({DataFile("balls_float32.h5"), "--solver", "psor"});
  EXPECT_EQ(Of(native, "psor").at(0)["law"], "coupled_box");
}

// Balls that roll along change little from step to step: starting from the step before takes half
// the iterations of starting from zero.
TEST(CliReplay, WarmStartsSaveIterations) {
  double iterations[3];
  const char* from[] = {"none", "captured", "previous"};
  for (int k = 0; k < 3; ++k) {
    const Json json = Replay({DataFile("rolling.h5"), "--solver", "psor", "--option",
                              "psor.momentum=0", "--warm-start", from[k]});
    iterations[k] = Total(Of(json, "psor"), "iterations");
    EXPECT_EQ(json["options"]["warm_start"], from[k]);
  }
  EXPECT_LT(iterations[1], 0.6 * iterations[0]);
  EXPECT_LT(iterations[2], 0.6 * iterations[0]);
  EXPECT_NE(iterations[1], iterations[2]);
}

// Replaying what was done, from where it started, gives the recorded answer to the bit.
TEST(CliReplay, SameSolverFromTheSameStartGivesTheRecordedSolution) {
  const TemporaryDirectory folder;
  const std::unique_ptr<ProblemSource> source = OpenSource(DataFile("balls.h5"));
  Driver driver("psor");
  SolveOptions options;
  options.max_iterations = 30;
  CaptureWriter writer(folder.File("again.h5"), source->info());
  std::vector<double> recorded;
  for (std::int64_t k = 0; k < source->steps(); ++k) {
    CapturedStep step = source->Read(k).step;
    Solution solution;
    Result result;
    driver.Solve(step.problem, options, &step.x0, solution, result);
    step.x = solution.x;
    recorded.insert(recorded.end(), solution.x.begin(), solution.x.end());
    writer.Append(step);
  }
  writer.Close();
  const CliResult result =
      RunCli({"replay", folder.File("again.h5"), "--solver", "psor", "--warm-start", "captured",
              "--iterations", "30", "--save", folder.File("r.h5")});
  ASSERT_EQ(result.code, 0) << result.err;
  const hdf5::File file = hdf5::File::Open(folder.File("r.h5"));
  EXPECT_EQ(file.OpenGroup("results/psor/solution").Read<double>("x"), recorded);
  EXPECT_EQ(file.OpenGroup("results/engine/solution").Read<double>("x"), recorded);
}

TEST(CliReplay, StepsAreChosenByIndex) {
  struct {
    const char* text;
    int first, count;
  } cases[] = {{"3:7", 3, 4}, {"33:", 33, 3}, {":2", 0, 2}, {"5", 5, 1}, {"30:100", 30, 6}};
  for (const auto& [text, first, count] : cases) {
    const std::vector<Json> results =
        Of(Replay({DataFile("balls.h5"), "--solver", "bb", "--steps", text}), "bb");
    ASSERT_EQ(static_cast<int>(results.size()), count) << text;
    EXPECT_EQ(results.front()["step"], first);
    EXPECT_EQ(results.back()["step"], first + count - 1);
  }
  const CliResult none =
      RunCli({"replay", DataFile("balls.h5"), "--solver", "bb", "--steps", "50:"});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("no step"), std::string::npos);
}

// A microsecond is over before the first iteration is; the status says so, and what is returned is
// still measured.
TEST(CliReplay, DeadlineEndsSolves) {
  const Json json = Replay({DataFile("chain.h5"), "--solver", "psor,apgd", "--deadline-ms", "0.001",
                            "--relative-tolerance", "0", "--iterations", "1000000"});
  for (const Json& result : json["results"]) {
    if (result["solver"] == "engine") continue;
    EXPECT_EQ(result["status"], "deadline");
    EXPECT_TRUE(result["energy_error"].is_number());
  }
}

// One entry an iteration, the start included; the least of them is what is returned.
TEST(CliReplay, HistoryHoldsEveryIteration) {
  const Json json =
      Replay({DataFile("chain.h5"), "--solver", "bb", "--steps", "35:40", "--history"});
  for (const Json& result : Of(json, "bb")) {
    const Json& history = result["history"];
    const auto energies = history["energy_error"].get<std::vector<double>>();
    ASSERT_EQ(static_cast<int>(energies.size()), result["iterations"].get<int>() + 1);
    EXPECT_EQ(history["iteration"].back(), result["iterations"]);
    EXPECT_EQ(history["seconds"].size(), energies.size());
    const double least = *std::min_element(energies.begin(), energies.end());
    EXPECT_NEAR(least, result["energy_error"].get<double>(), 1e-6 * least);
  }
  EXPECT_FALSE(Of(Replay({DataFile("chain.h5"), "--solver", "bb", "--steps", "1"}), "bb")
                   .at(0)
                   .contains("history"));
}

TEST(CliReplay, CsvHasOneLineASolve) {
  const CliResult result =
      RunCli({"replay", DataFile("balls.h5"), "--solver", "psor", "--steps", "0:5", "--csv", "-"});
  ASSERT_EQ(result.code, 0);
  std::istringstream lines(result.out);
  std::string header;
  std::getline(lines, header);
  EXPECT_EQ(header.rfind("file,step,solver,law,status,iterations,seconds,contacts,rows,"
                         "energy_error,energy_error_max,energy_error_relative,",
                         0),
            0u);
  const auto commas = std::count(header.begin(), header.end(), ',');
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
    EXPECT_EQ(line.rfind(DataFile("balls.h5"), 0), 0u);
  }
  EXPECT_EQ(count, 10);  // engine and psor
}

// The saved file repeats the JSON, with x and w of every solve.
TEST(CliReplay, SavedResultsAgreeWithJson) {
  const TemporaryDirectory folder;
  const Json json = Replay({DataFile("chain.h5"), "--solver", "apgd", "--steps", "30:40",
                            "--history", "--save", folder.File("r.h5")});
  const std::vector<Json> results = Of(json, "apgd");
  const hdf5::File file = hdf5::File::Open(folder.File("r.h5"));
  EXPECT_EQ(file.ReadTextAttribute("format"), "nonsmooth-results");
  const hdf5::Group group = file.OpenGroup("results/apgd");
  const auto energies = group.Read<double>("energy_error");
  const auto counts = group.OpenGroup("solution").Read<std::int64_t>("count");
  const auto histories = group.OpenGroup("history").Read<std::int64_t>("count");
  ASSERT_EQ(energies.size(), results.size());
  std::int64_t rows = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(energies[k], results[k]["energy_error"].get<double>());
    EXPECT_EQ(counts[k], results[k]["rows"].get<int>());
    EXPECT_EQ(histories[k], results[k]["iterations"].get<int>() + 1);
    rows += counts[k];
  }
  EXPECT_EQ(static_cast<std::int64_t>(group.OpenGroup("solution").Read<double>("w").size()), rows);
}

// Each problem with each solution, and its name in the JSON; the fclib_error of what is read back
// is checked by an independent script.
TEST(CliReplay, FclibFilesAreSavedForEverySolve) {
  const TemporaryDirectory folder;
  const Json json = Replay({DataFile("balls.h5"), DataFile("chain.fclib-global.hdf5"), "--solver",
                            "psor,bb", "--steps", "0:2", "--save-fclib", folder.File("out/")});
  ASSERT_EQ(json["results"].size(), 3 * 3u);
  for (const Json& result : json["results"]) {
    const std::unique_ptr<ProblemSource> source = OpenSource(result["fclib_file"]);
    const SourceStep read = source->Read(0);
    EXPECT_EQ(read.step.problem.contacts(), result["contacts"].get<int>());
    EXPECT_FALSE(read.step.x.empty());
  }
}

// A bounded row is nothing that FCLIB can say: refused by name, the solve itself is reported.
TEST(CliReplay, WhatFclibCannotSayIsAnError) {
  const TemporaryDirectory folder;
  const CliResult result = RunCli({"replay", DataFile("rolling.h5"), "--solver", "psor", "--steps",
                                   "3", "--save-fclib", folder.File("out")});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("rolling.h5: step 3"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("converged"), std::string::npos);
}

// The table fits a terminal of 120 columns, has units, and shows the engine first.
TEST(CliReplay, TableIsReadable) {
  const CliResult result =
      RunCli({"replay", DataFile("balls.h5"), DataFile("balls_float32.h5"), DataFile("chain.lu.h5"),
              DataFile("balls.ode.h5"), "--solver", "all", "--iterations", "200"});
  ASSERT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  for (const char* part : {"time ms", "error J", "solved", "engine", "all 4 files", "coupled_box",
                           "36 steps", "free energy"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
  }
  EXPECT_LT(result.out.find("engine"), result.out.find("psor"));
}

}  // namespace
}  // namespace nonsmooth
