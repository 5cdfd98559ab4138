// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `nonsmooth compare` from outside, on what `nonsmooth replay` writes and on what others write.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::ordered_json;

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class CliCompare : public testing::Test {
 protected:
  /// Replays four steps into a file of this name; returns its path.
  std::string Replay(const std::string& name, const Arguments& more = {}) {
    Arguments arguments{
        "replay", DataFile("balls.h5"), "--solver", "psor,apgd", "--steps", "30:34", "--jobs", "1",
        "--json", folder_.File(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = RunCli(arguments);
    EXPECT_EQ(result.code, 0) << result.err;
    return folder_.File(name);
  }

  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.File(name)) << text;
    return folder_.File(name);
  }

  const TemporaryDirectory folder_;
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Both tolerances of the default, every solver and step, the engine left out.
TEST_F(CliCompare, PrintsTimesToBothTolerances) {
  const CliResult result = RunCli({"compare", Replay("a.json", {"--history"})});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  for (const char* part : {"of 0.0001, 4 problems", "of 1e-08, 4 problems", "psor", "apgd",
                           "balls.h5 30", "balls.h5 33", "within 10x"}) {
    EXPECT_TRUE(Contains(result.out, part)) << part << "\n" << result.out;
  }
  EXPECT_FALSE(Contains(result.out, "engine"));
}

// ρ is between 0 and 1 and never falls with τ; at its end it is the share that was reached, which
// the results themselves tell.
TEST_F(CliCompare, ProfileRisesToTheShareThatIsSolved) {
  const std::string results = Replay("a.json", {"--iterations", "25", "--history"});
  int solved[2] = {0, 0};
  const Json json = Json::parse(ReadText(results));
  for (const Json& result : json["results"]) {
    if (result["solver"] == "engine") continue;
    const bool reached = result["energy_error_relative"].get<double>() <= 1e-8;
    solved[result["solver"] == "apgd" ? 1 : 0] += reached ? 1 : 0;
  }
  const std::string out = folder_.File("profile.csv");
  const CliResult result = RunCli({"compare", results, "--profile", out, "--tolerance", "1e-8"});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = Lines(ReadText(out));
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], "tolerance,ratio,psor,apgd");
  double last[3] = {0, 0, 0};
  for (std::size_t k = 1; k < lines.size(); ++k) {
    double tolerance = 0;
    double values[3];
    ASSERT_EQ(std::sscanf(lines[k].c_str(), "%lf,%lf,%lf,%lf", &tolerance, &values[0], &values[1],
                          &values[2]),
              4);
    EXPECT_EQ(tolerance, 1e-8);
    for (int i = 0; i < 3; ++i) EXPECT_GE(values[i], last[i]);
    std::copy(values, values + 3, last);
  }
  EXPECT_DOUBLE_EQ(last[1], solved[0] / 4.0);
  EXPECT_DOUBLE_EQ(last[2], solved[1] / 4.0);
  EXPECT_GT(solved[0] + solved[1], 0);
}

// One line a problem and tolerance, nothing else on standard output.
TEST_F(CliCompare, TimesGoToStandardOutputAlone) {
  const CliResult result =
      RunCli({"compare", Replay("a.json", {"--history"}), "--times", "-", "--tolerance", "1e-2"});
  EXPECT_EQ(result.code, 0);
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 5u) << result.out;
  EXPECT_EQ(lines[0], "tolerance,file,step,law,psor,apgd");
  EXPECT_TRUE(Contains(lines[1], "0.01," + DataFile("balls.h5") + ",30,ncp,"));
}

// Relative energy 1e-4 is met by all; an FCLIB error of 1e-14 by none.
TEST_F(CliCompare, ErrorIsTheOneAskedFor) {
  const std::string results = Replay("a.json");
  const CliResult fclib =
      RunCli({"compare", results, "--error", "fclib", "--tolerance", "1e-14", "--times", "-"});
  for (const std::string& line : Lines(fclib.out)) {
    if (line[0] == 't') continue;
    EXPECT_EQ(line.substr(line.size() - 2), ",,") << line;
  }
  EXPECT_EQ(fclib.err, "");
  const CliResult energy = RunCli({"compare", results, "--tolerance", "1e-4", "--times", "-"});
  for (const std::string& line : Lines(energy.out)) EXPECT_NE(line.back(), ',') << line;
  EXPECT_TRUE(Contains(energy.err, "--history")) << energy.err;
}

// The same solver told otherwise is refused, or another contender.
TEST_F(CliCompare, FilesWithOtherOptionsAreTwoContenders) {
  const std::string a = Replay("a.json");
  const std::string b = Replay("b.json", {"--option", "psor.relaxation=1.3"});
  const CliResult mixed = RunCli({"compare", a, b});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(Contains(mixed.err, "psor") && Contains(mixed.err, "--by-file")) << mixed.err;
  const CliResult apart = RunCli({"compare", a, b, "--by-file"});
  EXPECT_EQ(apart.code, 0) << apart.err;
  EXPECT_TRUE(Contains(apart.out, "psor@a") && Contains(apart.out, "psor@b")) << apart.out;
  EXPECT_EQ(RunCli({"compare", a, Replay("c.json")}).code, 0);
}

// Whatever is not a whole replay is named with file, place and cause; the exit code is 1, nothing
// stands on standard output and nothing is written.
TEST_F(CliCompare, RefusesWhatIsNotAReplaysJson) {
  const std::string good = ReadText(Replay("good.json", {"--history"}));
  const auto changed = [&good](const auto& change) {
    Json json = Json::parse(good);
    change(json);
    return json.dump();
  };
  struct Case {
    std::string text;
    const char* says;
  };
  const Case cases[] = {
      {"", "cut short"},
      {good.substr(0, good.size() / 2), "cut short"},
      {good.substr(0, good.size() - 3), "cut short"},
      {good + "{}", "is not JSON"},
      {"solver,seconds\npsor,1\n", "is not JSON"},
      {"[1, 2, 3]", "was not written by"},
      {"{\"format\": \"other\", \"version\": \"1.0\"}", "was not written by"},
      {changed([](Json& json) { json["version"] = "2.0"; }), "version: is 2.0"},
      {changed([](Json& json) { json.erase("results"); }), "results: is missing"},
      {changed([](Json& json) { json["options"] = 3; }), "options: is not an object"},
      {changed([](Json& json) { json["results"][1].erase("seconds"); }),
       "results[1].seconds: is missing"},
      {changed([](Json& json) { json["results"][2]["step"] = "two"; }),
       "results[2].step: is not an integer"},
      {changed([](Json& json) { json["results"][1]["seconds"] = -1; }),
       "results[1].seconds: is negative"},
      {changed([](Json& json) { json["results"][1]["history"]["seconds"].erase(0); }),
       "results[1].history.energy_error: has"},
      {changed([](Json& json) { json["results"][1]["solver"] = "magic"; }), "magic"},
      {changed([](Json& json) { json["results"].clear(); }), "no solve"},
  };
  for (const Case& bad : cases) {
    const std::string path = Write("bad.json", bad.text);
    const std::string out = folder_.File("profile.csv");
    const CliResult result = RunCli({"compare", path, "--profile", out});
    EXPECT_EQ(result.code, 1) << bad.says;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(Contains(result.err, bad.says)) << bad.says << "\n" << result.err;
    EXPECT_FALSE(std::ifstream(out)) << bad.says;
  }
  const CliResult missing = RunCli({"compare", "/nowhere.json"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(Contains(missing.err, "/nowhere.json: No such file")) << missing.err;
  EXPECT_TRUE(Contains(RunCli({"compare", folder_.path()}).err, "directory"));
}

// A number that is not known is null in JSON, and never the fastest.
TEST_F(CliCompare, UnknownNumbersAreNoTimes) {
  Json json = Json::parse(ReadText(Replay("good.json")));
  for (Json& result : json["results"]) {
    if (result["solver"] == "psor") result["seconds"] = nullptr;
    if (result["solver"] == "apgd") result["energy_error_relative"] = nullptr;
  }
  const CliResult result = RunCli({"compare", Write("nulls.json", json.dump()), "--times", "-"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::string& line : Lines(result.out)) {
    if (line[0] == 't') continue;
    EXPECT_EQ(line.substr(line.size() - 2), ",,") << line;
  }
}

}  // namespace
}  // namespace nonsmooth
