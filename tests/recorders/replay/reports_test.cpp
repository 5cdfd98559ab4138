// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/reports.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "recorders/capture/file_error.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/replay/text_table.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

/// 200 steps of one file solved by psor: step k took k + 1 ms and k + 1 iterations and is off by
/// k + 1 J; the first 50 converged, the last one broke down.
ReplayReport MadeUp() {
  ReplayReport report;
  ReplayFile file;
  file.path = "a.h5";
  file.format = "capture";
  file.steps = 200;
  report.files.push_back(file);
  for (int k = 0; k < 200; ++k) {
    ReplayRecord record;
    record.step = k;
    record.solver = "psor";
    record.law = "ncp";
    record.contacts = 1;
    record.status = k < 50 ? "converged" : "iteration_limit";
    record.iterations = k + 1;
    record.total_seconds = 1e-3 * (k + 1);
    record.errors.energy.sum = k + 1;
    report.records.push_back(record);
  }
  report.records.back().status = "numerical_failure";
  report.records.back().failed = true;
  return report;
}

ReplayOptions Options() {
  ReplayOptions options;
  options.solvers = {"psor"};
  return options;
}

// By nearest rank: of 1 … 200 the median is 100, the 99th percentile 198.
TEST(ReplaySummary, TakesMedianAndPercentileByNearestRank) {
  const std::vector<SolverSummary> summaries = Summarise(MadeUp(), Options());
  ASSERT_EQ(summaries.size(), 1u);  // one file: no total
  const SolverSummary& summary = summaries[0];
  EXPECT_EQ(summary.steps, 200);
  EXPECT_EQ(summary.solved, 50);
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.iterations, 100);
  EXPECT_DOUBLE_EQ(summary.seconds, 0.1);
  EXPECT_DOUBLE_EQ(summary.seconds_p99, 0.198);
  EXPECT_EQ(summary.energy_error, 100);
  EXPECT_EQ(summary.energy_error_max, 200);
}

// The engine says nothing of tolerances: its steps are solved where their error is within them.
TEST(ReplaySummary, EngineIsJudgedByItsError) {
  ReplayReport report = MadeUp();
  for (ReplayRecord& record : report.records) {
    record.solver = kEngineName;
    record.status = "captured";
  }
  ReplayOptions options = Options();
  options.solve.energy_tolerance = 20;
  EXPECT_EQ(Summarise(report, options).at(0).solved, 20);
}

// Steps without contacts have no law; they do not make a file's law mixed, two laws do.
TEST(ReplaySummary, LawIsThatOfTheContacts) {
  ReplayReport report = MadeUp();
  report.records[0].contacts = 0;
  report.records[0].law = "native";
  report.records[7].contacts = 0;
  report.records[7].law = "native";
  EXPECT_EQ(Summarise(report, Options()).at(0).law, "ncp");
  report.records[9].law = "ccp";
  EXPECT_EQ(Summarise(report, Options()).at(0).law, "mixed");
}

TEST(ReplayConsole, NearlyAllIsNotAll) {
  ReplayReport report = MadeUp();
  for (int k = 0; k < 10000; ++k) report.records.push_back(report.records[0]);
  report.records.erase(report.records.begin() + 50, report.records.begin() + 199);
  const std::string text = ConsoleText(report, Options());
  EXPECT_NE(text.find("99.9 %, 1 failed"), std::string::npos) << text;
  EXPECT_EQ(ConsoleText(ReplayReport(), Options()), "no step was solved\n");
}

// RFC 4180: a field with commas or quotes stands in quotes, its own quotes doubled.
TEST(ReplayCsv, QuotesWhatNeedsIt) {
  ReplayReport report = MadeUp();
  report.records.resize(1);
  report.files[0].path = "a,\"b\".h5";
  report.records[0].errors.energy.relative = std::nan("");
  const std::string text = CsvText(report);
  EXPECT_NE(text.find("\n\"a,\"\"b\"\".h5\",0,psor,ncp,converged,1,0.001,1,0,1,0,,"),
            std::string::npos)
      << text;
}

// A path need not be UTF-8, a number need not be finite: JSON stays JSON.
TEST(ReplayJson, SurvivesOddPathsAndNumbers) {
  ReplayReport report = MadeUp();
  report.files[0].path = "a\xff.h5";
  report.records[0].errors.energy.sum = std::nan("");
  const nlohmann::json json = nlohmann::json::parse(JsonText(report, Options()));
  EXPECT_EQ(json["results"].size(), 200u);
  EXPECT_TRUE(json["results"][0]["energy_error"].is_null());
  EXPECT_EQ(json["results"][1]["energy_error"], 2.0);
}

TEST(TextTableTest, AlignsByCharactersNotBytes) {
  TextTable table({{"name", TextTable::Align::kLeft}, {"n", TextTable::Align::kRight}});
  table.AddHeading("a heading wider than all columns together");
  table.AddRow({"μ", "1"});
  table.AddRow({"longer", "22"});
  EXPECT_EQ(table.Text(),
            "name     n\n------  --\na heading wider than all columns together\n"
            "μ        1\nlonger  22\n");
  EXPECT_THROW(table.AddRow({"one", "two", "three"}), std::invalid_argument);
}

// Only a complete file takes the place of the old one; devices and folders are left alone.
TEST(ReplacementFileTest, ReplacesOnlyWhenCommitted) {
  const TemporaryDirectory folder;
  const std::string path = folder.File("a.txt");
  {
    const ReplacementFile given_up(path);
    EXPECT_EQ(folder.Names().size(), 1u);
  }
  EXPECT_TRUE(folder.Names().empty());
  ReplacementFile file(path);
  file.Commit();
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"a.txt"});
  EXPECT_THROW(ReplacementFile{"/dev/null"}, FileError);
  EXPECT_THROW(ReplacementFile{folder.path()}, FileError);
  EXPECT_THROW(ReplacementFile{folder.File("no/such/folder")}, FileError);
}

}  // namespace
}  // namespace nonsmooth
