// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page's data against the files they come from, and files that mean no good.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/report/report.h"
#include "tests/recorders/support/page_data.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::json;

ReportOptions With(const std::vector<std::string>& solvers) {
  ReportOptions options;
  options.replay.solvers = solvers;
  options.replay.warm_start = StartFrom::kCaptured;
  options.replay.solve.history = true;
  options.explained = 1;
  return options;
}

std::string WriteCapture(const TemporaryDirectory& directory, const std::string& scene,
                         const std::vector<CapturedStep>& steps) {
  CaptureInfo info;
  info.engine = "none";
  info.scene = scene;
  const std::string path = directory.File("file.h5");
  CaptureWriter writer(path, info);
  for (const CapturedStep& step : steps) writer.Append(step);
  writer.Close();
  return path;
}

Json World(const Report& report) { return PageData(report.page)["files"][0]["world"]; }

// 12 significant bits: off by at most 2^-12 of the value.
constexpr double kImpulse = 1.0 / 4096;

// Impulses, positions and counts of every step of the page are those of the file.
TEST(Report, HoldsTheNumbersOfTheFile) {
  const std::string path = DataFile("chain.h5");
  const Report report = MakeReport({path}, With({}));
  EXPECT_TRUE(report.errors.empty());
  const Json world = World(report);
  const std::vector<double> x = Unpack(world["solutions"][0]["x"]);
  const std::vector<double> position = Unpack(world["frames"]["position"]);
  const std::vector<double> groups = Unpack(world["frames"]["groupCount"]);
  const CaptureReader reader(path);
  ASSERT_EQ(groups.size(), static_cast<std::size_t>(reader.steps()));
  EXPECT_EQ(report.steps, reader.steps());
  EXPECT_EQ(report.frames, reader.steps());
  std::size_t row = 0;
  std::size_t body = 0;
  for (std::int64_t k = 0; k < reader.steps(); ++k) {
    const CapturedStep step = reader.Read(k);
    EXPECT_EQ(groups[static_cast<std::size_t>(k)], step.problem.groups().size());
    for (double expected : step.x)
      EXPECT_NEAR(x.at(row++), expected, kImpulse * std::abs(expected));
    for (const BodyState& state : step.bodies) {
      for (double expected : state.position) {
        EXPECT_NEAR(position.at(body++), expected, 2e-5 * std::abs(expected));
      }
    }
  }
  EXPECT_EQ(row, x.size());
  EXPECT_EQ(body, position.size());
}

// The joules of a frame's groups add up to the step's energy error, for the engine and a solver.
TEST(Report, JoulesAddUpToTheErrorOfTheStep) {
  const Json data = PageData(MakeReport({DataFile("balls.h5")}, With({"psor"})).page);
  const Json& file = data["files"][0];
  const std::vector<double> groups = Unpack(file["world"]["frames"]["groupCount"]);
  for (std::size_t s = 0; s < 2; ++s) {
    const Json& series = file["series"][s];
    EXPECT_EQ(series["solver"], s == 0 ? "engine" : "psor");
    const std::vector<double> joules = Unpack(file["world"]["solutions"][s]["joules"]);
    const std::vector<double> energy = Unpack(series["energy"]);
    const std::vector<double> steps = Unpack(series["step"]);
    std::size_t at = 0;
    std::vector<double> sums;
    for (double count : groups) {
      double sum = 0;
      for (int g = 0; g < count; ++g) sum += joules.at(at++);
      sums.push_back(sum);
    }
    ASSERT_FALSE(energy.empty());
    for (std::size_t k = 0; k < energy.size(); ++k) {
      EXPECT_NEAR(sums.at(static_cast<std::size_t>(steps[k])), energy[k], 1e-3 * energy[k] + 1e-30);
    }
  }
}

// Texts of a file are data: none of them can end the element they stand in.
TEST(Report, HostileNamesStayText) {
  const TemporaryDirectory directory;
  const std::string evil = "</script><script>document.title='evil'</script><!--";
  CapturedStep step = ContactStep(3, 1);
  step.info.solver = "</script><img src=x onerror=alert(1)>";
  const Report report = MakeReport({WriteCapture(directory, evil, {step})}, With({"psor"}));
  EXPECT_EQ(report.page.find("</script><script>document"), std::string::npos);
  EXPECT_EQ(report.page.find("<img"), std::string::npos);
  EXPECT_EQ(PageData(report.page)["files"][0]["scene"], evil);
}

// A solution of NaN is shown as what it is, and solvers stand beside it all the same.
TEST(Report, SolutionsThatAreNotFiniteAreLeftOut) {
  const TemporaryDirectory directory;
  CapturedStep step = ContactStep(3, 1);
  step.x.assign(step.x.size(), std::nan(""));
  const Report report = MakeReport({WriteCapture(directory, "nan", {step})}, With({"psor"}));
  const Json world = World(report);
  EXPECT_EQ(Unpack(world["solutions"][0]["known"]), std::vector<double>{0});
  EXPECT_EQ(Unpack(world["solutions"][1]["known"]), std::vector<double>{1});
  EXPECT_TRUE(std::isnan(Unpack(world["solutions"][0]["x"]).front()));
  EXPECT_TRUE(std::isfinite(Unpack(world["solutions"][1]["x"]).front()));
}

TEST(Report, AFileWithoutStepsIsAPageWithoutFrames) {
  const TemporaryDirectory directory;
  const Report report = MakeReport({WriteCapture(directory, "empty", {})}, With({"psor"}));
  EXPECT_EQ(report.steps, 0);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.remarks.size(), 1U);
  EXPECT_NE(report.remarks[0].find("no steps"), std::string::npos);
  EXPECT_EQ(PageData(report.page)["files"].size(), 1U);
}

// A file that cannot be read is named; the others are shown.
TEST(Report, NamesFilesThatCannotBeRead) {
  const Report report = MakeReport({DataFile("none.h5"), DataFile("balls.h5")}, With({}));
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_NE(report.errors[0].find("none.h5"), std::string::npos);
  EXPECT_EQ(PageData(report.page)["files"].size(), 1U);
}

// Frames are left out until the page fits, the worst step stays, curves lose nothing, and it is
// told.
TEST(Report, IsThinnedToItsLimit) {
  ReportOptions options = With({});
  const Report whole = MakeReport({DataFile("balls.h5")}, options);
  const auto viewer = static_cast<std::int64_t>(whole.page.find("id=\"report\">"));
  ASSERT_GT(viewer, 0);
  const auto size = static_cast<std::int64_t>(whole.page.size());
  const auto data = static_cast<std::int64_t>(PageData(whole.page).dump().size());
  options.size_limit = size - data / 3;
  const Report thinned = MakeReport({DataFile("balls.h5")}, options);
  EXPECT_LE(static_cast<std::int64_t>(thinned.page.size()), options.size_limit);
  EXPECT_LT(thinned.frames, thinned.steps);
  EXPECT_GT(thinned.frames, 0);
  ASSERT_FALSE(thinned.remarks.empty());
  EXPECT_NE(thinned.remarks[0].find("--limit"), std::string::npos);
  const Json file = PageData(thinned.page)["files"][0];
  const std::vector<double> energy = Unpack(file["series"][0]["energy"]);
  const std::vector<double> steps = Unpack(file["series"][0]["step"]);
  EXPECT_EQ(energy, Unpack(PageData(whole.page)["files"][0]["series"][0]["energy"]));
  const auto worst = std::max_element(energy.begin(), energy.end()) - energy.begin();
  const std::vector<double> frames = Unpack(file["world"]["frames"]["step"]);
  EXPECT_EQ(std::count(frames.begin(), frames.end(), steps[static_cast<std::size_t>(worst)]), 1);
}

TEST(Report, ReadsEveryKthOfTheChosenSteps) {
  ReportOptions options = With({});
  options.replay.first_step = 10;
  options.replay.last_step = 20;
  options.every = 4;
  const Report report = MakeReport({DataFile("balls.h5")}, options);
  EXPECT_EQ(Unpack(World(report)["frames"]["step"]), (std::vector<double>{10, 14, 18}));
}

// What a replay has found joins curves and profiles.
TEST(Report, TakesResultsOfAReplay) {
  const TemporaryDirectory directory;
  const std::string results = directory.File("results.json");
  ASSERT_EQ(
      RunCli({"replay", DataFile("balls.h5"), "--solver", "nncg", "--history", "--json", results})
          .code,
      0);
  ReportOptions options = With({"psor"});
  options.results = {results};
  const Json data = PageData(MakeReport({DataFile("balls.h5")}, options).page);
  const Json& series = data["files"][0]["series"];
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[2]["solver"], "nncg");
  EXPECT_EQ(series[2]["source"], results);
  EXPECT_EQ(Unpack(series[2]["energy"]).size(), 36U);
  EXPECT_GT(Unpack(series[2]["history"]["energy"]).size(), 36U);
  EXPECT_EQ(data["comparison"]["contenders"], Json::array({"nncg"}));
}

// 1e5 contacts make a page, and every one of them is in it.
TEST(Report, TakesAHundredThousandContacts) {
  const TemporaryDirectory directory;
  const CapturedStep step = ContactStep(100000, 1);
  ReportOptions options = With({});
  options.explained = 0;
  const Report report = MakeReport({WriteCapture(directory, "many", {step})}, options);
  EXPECT_EQ(Unpack(World(report)["frames"]["groupCount"]), std::vector<double>{100000});
  EXPECT_EQ(Unpack(World(report)["solutions"][0]["x"]).size(), 300000U);
}

TEST(Report, RefusesOptionsThatMakeNoSense) {
  ReportOptions options = With({});
  options.every = 0;
  EXPECT_THROW(MakeReport({DataFile("balls.h5")}, options), std::invalid_argument);
  options = With({"magic"});
  EXPECT_THROW(MakeReport({DataFile("balls.h5")}, options), std::invalid_argument);
  options = With({});
  options.results = {DataFile("balls.h5")};
  EXPECT_THROW(MakeReport({DataFile("balls.h5")}, options), FileError);
}

}  // namespace
}  // namespace nonsmooth
