// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_refusal.h"

namespace nonsmooth {
namespace {

using test::ExpectRefusal;

SolveRecord Solve(const std::string& solver, std::int64_t step, double seconds, double relative) {
  SolveRecord record;
  record.file = "a.h5";
  record.step = step;
  record.solver = solver;
  record.law = "ncp";
  record.status = "converged";
  record.seconds = seconds;
  record.free_energy = 2;
  record.relative_energy = relative;
  record.fclib_error = std::sqrt(relative);
  return record;
}

/// Seconds to 1e-8 on four problems; a dash never gets there.
///
///            0    1    2    3
///     fast   1    2    4    -
///     slow   2    2   40    -
ReplayResults TwoSolvers() {
  ReplayResults results;
  results.path = "runs/one.json";
  results.relative_tolerance = 1e-8;
  results.settings = {{"fast", "{}"}, {"slow", "{}"}};
  const double fast[] = {1, 2, 4, 9};
  const double slow[] = {2, 2, 40, 9};
  for (int k = 0; k < 4; ++k) {
    results.records.push_back(Solve("fast", k, fast[k], k < 3 ? 1e-9 : 1e-7));
    results.records.push_back(Solve("slow", k, slow[k], k < 3 ? 1e-9 : 1e-3));
  }
  return results;
}

ComparisonOptions To(double tolerance) {
  ComparisonOptions options;
  options.tolerances = {tolerance};
  return options;
}

bool Mentions(const std::vector<std::string>& remarks, const std::string& part) {
  for (const std::string& remark : remarks) {
    if (remark.find(part) != std::string::npos) return true;
  }
  return false;
}

// By Dolan and Moré's definition, with the table above: fast is never beaten where it arrives, slow
// ties on one of four, is within a factor 2 on two and within 10 on three.
TEST(Comparison, ProfileIsTheShareWithinAFactorOfTheFastest) {
  const Comparison comparison = Compare({TwoSolvers()}, To(1e-8));
  ASSERT_EQ(comparison.contenders, (std::vector<std::string>{"fast", "slow"}));
  ASSERT_EQ(comparison.problems.size(), 4u);
  const ToleranceComparison& to = comparison.tolerances.at(0);
  EXPECT_DOUBLE_EQ(Profile(to, 0, 1), 0.75);
  EXPECT_DOUBLE_EQ(Profile(to, 0, 1e9), 0.75);
  EXPECT_DOUBLE_EQ(Profile(to, 1, 1), 0.25);
  EXPECT_DOUBLE_EQ(Profile(to, 1, 1.99), 0.25);
  EXPECT_DOUBLE_EQ(Profile(to, 1, 2), 0.5);
  EXPECT_DOUBLE_EQ(Profile(to, 1, 10), 0.75);
  EXPECT_TRUE(std::isinf(to.seconds[0][3]));
  // To 1e-4 the last problem is solved by fast alone.
  const Comparison loose = Compare({TwoSolvers()}, To(1e-4));
  EXPECT_DOUBLE_EQ(Profile(loose.tolerances[0], 0, 1), 1);
  EXPECT_DOUBLE_EQ(Profile(loose.tolerances[0], 1, 1e9), 0.75);
}

// Steps of the profile are where a ratio is: at 1, 2 and 10. One line each.
TEST(Comparison, ProfileCsvHasALineForEveryStepOfTheProfiles) {
  EXPECT_EQ(ProfileCsv(Compare({TwoSolvers()}, To(1e-8))),
            "tolerance,ratio,fast,slow\n"
            "1e-08,1,0.75,0.25\n"
            "1e-08,2,0.75,0.5\n"
            "1e-08,10,0.75,0.75\n");
}

TEST(Comparison, TimesCsvLeavesOutWhatWasNotReached) {
  const std::string csv = TimesCsv(Compare({TwoSolvers()}, To(1e-8)));
  EXPECT_EQ(csv,
            "tolerance,file,step,law,fast,slow\n"
            "1e-08,a.h5,0,ncp,1,2\n"
            "1e-08,a.h5,1,ncp,2,2\n"
            "1e-08,a.h5,2,ncp,4,40\n"
            "1e-08,a.h5,3,ncp,,\n");
}

// With 2 J of free energy 1e-4 is 2e-4 J: reached in the second record, lost again, kept by the
// monitor as the best iterate all the same. 1e-8 is in none of them, but was returned.
TEST(Comparison, HistoryTellsWhenALooserToleranceWasReached) {
  ReplayResults results = TwoSolvers();
  SolveRecord& record = results.records[0];
  record.has_history = true;
  record.history = {{0.1, 1}, {0.2, 1.9e-4}, {0.3, std::nan("")}, {0.4, 3e-4}};
  EXPECT_DOUBLE_EQ(Compare({results}, To(1e-4)).tolerances[0].seconds[0][0], 0.2);
  EXPECT_DOUBLE_EQ(Compare({results}, To(1e-8)).tolerances[0].seconds[0][0], 1);
  // FCLIB's error has no history: 1e-9 of the energy is 3e-5 here.
  ComparisonOptions fclib = To(1e-4);
  fclib.error = ComparedError::kFclib;
  EXPECT_DOUBLE_EQ(Compare({results}, fclib).tolerances[0].seconds[0][0], 1);
  fclib.tolerances = {1e-5};
  EXPECT_TRUE(std::isinf(Compare({results}, fclib).tolerances[0].seconds[0][0]));
}

// 1, 5 and 3 seconds: 3. One failure of two: failed, whichever comes first.
TEST(Comparison, MedianOfRepetitionsCounts) {
  std::vector<ReplayResults> runs(3, TwoSolvers());
  runs[1].records[0].seconds = 5;
  runs[2].records[0].seconds = 3;
  runs.back().path = "runs/three.json";
  EXPECT_DOUBLE_EQ(Compare(runs, To(1e-8)).tolerances[0].seconds[0][0], 3);
  runs.pop_back();
  runs[0].records[0].relative_energy = 1;
  EXPECT_TRUE(std::isinf(Compare(runs, To(1e-8)).tolerances[0].seconds[0][0]));
}

// The same name with other options is another method: to be said, not to be mixed.
TEST(Comparison, OtherSettingsAreRefusedUnlessFilesAreContenders) {
  std::vector<ReplayResults> runs(2, TwoSolvers());
  runs[1].path = "runs/two.json";
  runs[1].settings[0].second = "{\"relaxation\":1.5}";
  ExpectRefusal([&] { Compare(runs, To(1e-8)); }, {"fast", "one.json", "two.json", "relaxation"});
  ComparisonOptions options = To(1e-8);
  options.by_file = true;
  EXPECT_EQ(Compare(runs, options).contenders,
            (std::vector<std::string>{"fast@one", "slow@one", "fast@two", "slow@two"}));
}

TEST(Comparison, SaysWhatLimitsIt) {
  std::vector<ReplayResults> runs(2, TwoSolvers());
  EXPECT_TRUE(Mentions(Compare(runs, To(1e-8)).remarks, "--history"));
  EXPECT_FALSE(Mentions(Compare(runs, To(1e-8)).remarks, "stopped"));
  EXPECT_TRUE(Mentions(Compare(runs, To(1e-9)).remarks, "stopped at a relative error of 1e-08"));
  runs[1].jobs = 4;
  runs[1].energy_tolerance = 0.5;
  const std::vector<std::string> remarks = Compare(runs, To(1e-8)).remarks;
  EXPECT_TRUE(Mentions(remarks, "4 threads"));
  EXPECT_TRUE(Mentions(remarks, "0.5 J"));
}

/// A second run of the same problems on a machine that takes `factor` times as long for everything.
std::vector<ReplayResults> TwoMachines(double factor) {
  std::vector<ReplayResults> runs(2, TwoSolvers());
  runs[1].path = "runs/two.json";
  runs[1].machines = {"another"};
  for (SolveRecord& record : runs[0].records) record.calibration = 1e-4;
  for (SolveRecord& record : runs[1].records) {
    record.calibration = factor * 1e-4;
    record.seconds *= factor;
    for (ErrorRecord& entry : record.history) entry.seconds *= factor;
  }
  return runs;
}

TEST(Comparison, SeveralMachinesAreRefusedUnlessToldWhatToDo) {
  const std::vector<ReplayResults> runs = TwoMachines(4);
  ExpectRefusal([&] { Compare(runs, To(1e-8)); }, {"2 machines", "another"});
  ComparisonOptions options = To(1e-8);
  options.machines = SeveralMachines::kMix;
  EXPECT_TRUE(Mentions(Compare(runs, options).remarks, "as they are"));
}

// What takes four times as long where the calibration does, takes as long on the first machine.
TEST(Comparison, NormalisedTimesAreThoseOfTheFirstMachine) {
  const std::vector<ReplayResults> runs = TwoMachines(4);
  ComparisonOptions options = To(1e-8);
  options.machines = SeveralMachines::kNormalise;
  options.by_file = true;
  const Comparison comparison = Compare(runs, options);
  EXPECT_TRUE(Mentions(comparison.remarks, "normalised"));
  const auto& seconds = comparison.tolerances[0].seconds;
  ASSERT_EQ(seconds.size(), 4u);
  for (std::size_t p = 0; p < seconds[0].size(); ++p) {
    for (const std::size_t c : {0u, 1u}) {
      if (std::isinf(seconds[c][p])) continue;
      EXPECT_NEAR(seconds[c + 2][p], seconds[c][p], 1e-12 * seconds[c][p]);
    }
  }
}

TEST(Comparison, WithoutACalibrationNothingIsNormalised) {
  std::vector<ReplayResults> runs = TwoMachines(4);
  runs[1].records[0].calibration = kNotMeasured;
  ComparisonOptions options = To(1e-8);
  options.machines = SeveralMachines::kNormalise;
  ExpectRefusal([&] { Compare(runs, options); }, {"calibration_seconds", "another"});
}

// A solver that was not run on a problem has not solved it.
TEST(Comparison, MissingResultsCountAsFailed) {
  ReplayResults results = TwoSolvers();
  results.records.erase(results.records.begin() + 1);  // slow on problem 0
  results.records[3].status = "not_run";               // fast on problem 2
  const Comparison comparison = Compare({results}, To(1e-8));
  EXPECT_EQ(comparison.missing, (std::vector<int>{0, 1}));
  EXPECT_TRUE(Mentions(comparison.remarks, "slow has no result for 1 of 4 problems"));
  EXPECT_DOUBLE_EQ(Profile(comparison.tolerances[0], 1, 1e9), 0.5);
  EXPECT_DOUBLE_EQ(Profile(comparison.tolerances[0], 0, 1e9), 0.5);
}

TEST(Comparison, WrongOptionsAreNamed) {
  ExpectRefusal([] { Compare({TwoSolvers()}, To(0)); }, {"tolerance", "0"});
  ExpectRefusal([] { Compare({}, To(1e-8)); }, {"no solve"});
  ComparisonOptions none;
  none.tolerances.clear();
  ExpectRefusal([&] { Compare({TwoSolvers()}, none); }, {"no tolerance"});
}

}  // namespace
}  // namespace nonsmooth
