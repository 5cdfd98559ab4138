// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// report, view and explain as commands: what they write, where, and how they end.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/recorders/support/page_data.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One file that needs nothing else: no address of anything outside it is asked for.
TEST(CliReport, WritesOnePageThatNeedsNothing) {
  const TemporaryDirectory directory;
  const std::string out = directory.File("out.html");
  const CliResult result = RunCli(
      {"report", DataFile("balls.h5"), "--solver", "psor", "--steps", "20:30", "--out", out});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(Contains(result.out, out)) << result.out;
  EXPECT_TRUE(Contains(result.out, "10 steps")) << result.out;
  const std::string page = ReadText(out);
  EXPECT_TRUE(Contains(page, "default-src 'none'"));
  EXPECT_FALSE(Contains(page, "<link"));
  EXPECT_FALSE(Contains(page, " src="));
  EXPECT_EQ(PageData(page)["files"][0]["name"], "balls.h5");
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"out.html"});
}

TEST(CliReport, TellsResultsFromCaptures) {
  const TemporaryDirectory directory;
  const std::string results = directory.File("results");
  ASSERT_EQ(RunCli({"replay", DataFile("balls.h5"), "--solver", "nncg", "--json", results}).code,
            0);
  const CliResult result =
      RunCli({"report", results, DataFile("balls.h5"), "--solver", "none", "--out", "-"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(PageData(result.out)["files"][0]["series"].size(), 2U);
}

TEST(CliReport, AFileThatCannotBeReadIsAFailureAndStillAPage) {
  const CliResult result =
      RunCli({"report", "none.h5", DataFile("balls.h5"), "--solver", "none", "--out", "-"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(Contains(result.err, "none.h5")) << result.err;
  EXPECT_EQ(PageData(result.out)["files"].size(), 1U);
}

TEST(CliReport, DoesNotWriteOverWhatItReads) {
  const CliResult result = RunCli({"report", DataFile("balls.h5"), "--out", DataFile("balls.h5")});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(Contains(result.err, "both read and written")) << result.err;
}

// Where there is no screen the path is printed, and the page is there.
TEST(CliView, PrintsThePathWithoutABrowser) {
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  const CliResult result =
      RunCli({"view", DataFile("balls.h5"), "--solver", "none", "--steps", "30"});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::size_t at = result.out.find("file://");
  ASSERT_NE(at, std::string::npos) << result.out;
  const std::string path = result.out.substr(at + 7, result.out.find(' ', at) - at - 7);
  EXPECT_EQ(PageData(ReadText(path))["files"][0]["name"], "balls.h5");
  std::filesystem::remove_all(std::filesystem::path(path).parent_path());
}

TEST(CliExplain, PrintsParagraphAndTables) {
  const CliResult result =
      RunCli({"explain", DataFile("bullet/brick_wall.h5"), "--step", "0", "--try", "psor,nncg"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* part : {"solution of engine", "off by", "condition", "worst", "psor", "nncg"}) {
    EXPECT_TRUE(Contains(result.out, part)) << part << "\n" << result.out;
  }
}

// Without --step it is the one that the engine has solved worst.
TEST(CliExplain, FindsTheWorstStepItself) {
  const CliResult result = RunCli({"explain", DataFile("balls.h5"), "--try", "psor", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json found = nlohmann::json::parse(result.out);
  const nlohmann::json replay =
      nlohmann::json::parse(RunCli({"replay", DataFile("balls.h5"), "--solver", "psor",
                                    "--warm-start", "captured", "--json", "-"})
                                .out);
  double worst = -1;
  int step = -1;
  for (const auto& record : replay["results"]) {
    if (record["solver"] != "engine" || record["energy_error"] <= worst) continue;
    worst = record["energy_error"];
    step = record["step"];
  }
  EXPECT_EQ(found["step"], step);
  EXPECT_EQ(found["joules"], worst);
}

TEST(CliExplain, RefusesAStepThatIsNotThere) {
  const CliResult result = RunCli({"explain", DataFile("balls.h5"), "--step", "36"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(Contains(result.err, "0 to 35")) << result.err;
}

TEST(CliExplain, RefusesAnUnknownSolver) {
  const CliResult result = RunCli({"explain", DataFile("balls.h5"), "--solver", "magic"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(Contains(result.err, "magic")) << result.err;
}

}  // namespace
}  // namespace nonsmooth
