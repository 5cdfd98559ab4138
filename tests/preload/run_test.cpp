// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "recorders/capture/capture_reader.h"
#include "tests/recorders/support/run_cli.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

constexpr int kSteps = 60;  // of every program here

/// The program's own file names, in NONSMOOTH_PROGRAMS.
std::string Program(const std::string& name) {
  return std::string(NONSMOOTH_PROGRAMS) + "/" + name;
}

CliResult Record(const std::string& capture, const std::vector<std::string>& program) {
  std::vector<std::string> arguments{"run", "--quiet", "--capture", capture, "--"};
  arguments.insert(arguments.end(), program.begin(), program.end());
  return RunCli(arguments);
}

void ExpectWhole(const std::string& capture, int least, int most) {
  const CaptureReader reader(capture);
  EXPECT_GE(reader.steps(), least) << capture;
  EXPECT_LE(reader.steps(), most) << capture;
  EXPECT_TRUE(ValidateCapture(capture).empty()) << capture;
}

int Captures(const std::string& folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    count += entry.path().extension() == ".h5" ? 1 : 0;
  }
  return count;
}

class Programs : public testing::TestWithParam<const char*> {
 protected:
  std::string boxes() const { return Program(GetParam()); }
  const TemporaryDirectory directory_;
  const std::string capture_ = directory_.File("run.h5");
};

// Every bit of every place is the same with and without; each world that stepped has its file, with
// two groups a step at the most: the tower and the ball on its string.
TEST_P(Programs, RecordingChangesNothing) {
  const struct {
    const char* mode;
    int worlds;
  } cases[] = {{"plain", 1},   {"owned", 1}, {"nncg", 1},     {"mlcp", 1}, {"again", 3},
               {"threads", 2}, {"throw", 1}, {"exchange", 1}, {"fork", 2}};
  for (const auto& [mode, worlds] : cases) {
    SCOPED_TRACE(mode);
    const TemporaryDirectory directory;
    const CliResult plain = RunProgram({boxes(), mode});
    const CliResult recorded = Record(directory.File("run.h5"), {boxes(), mode});
    EXPECT_EQ(plain.code, 0);
    EXPECT_EQ(recorded.code, 0);
    EXPECT_FALSE(plain.out.empty());
    EXPECT_EQ(plain.out, recorded.out);
    EXPECT_EQ(recorded.err, "");
    EXPECT_EQ(Captures(directory.path()), worlds);
    ExpectWhole(directory.File("run.h5"), kSteps / 2, 2 * kSteps);
  }
}

// Ten iterations of Bullet's are not enough for masses of 1, 4, 16 and 64 kg on each other:
// something else comes out, and nothing is left to Bullet.
TEST_P(Programs, SolverIsSwapped) {
  const CliResult plain = RunProgram({boxes(), "plain"});
  const CliResult swapped =
      RunCli({"run", "--solver", "nncg", "--capture", capture_, "--", boxes(), "plain"});
  EXPECT_EQ(swapped.code, 0);
  EXPECT_NE(plain.out, swapped.out);
  EXPECT_NE(swapped.err.find("60 steps solved by nncg, 0 groups left to Bullet's own"),
            std::string::npos)
      << swapped.err;
  const CaptureReader reader(capture_);
  EXPECT_EQ(reader.Read(reader.steps() - 1).info.solver, "nncg");
}

TEST_P(Programs, ExitCodeAndSignalsAreTheProgramsOwn) {
  EXPECT_EQ(Record(capture_, {boxes(), "code"}).code, 42);
  EXPECT_EQ(Record(capture_, {boxes(), "kill"}).signal, SIGKILL);
}

// Whatever was written before is there, and valid but for rows that were never committed.
TEST_P(Programs, KilledProgramLeavesAValidFile) {
  Record(capture_, {boxes(), "kill"});
  const CaptureReader reader(capture_);
  EXPECT_GT(reader.steps(), kSteps / 2);
  for (const CaptureFinding& finding : ValidateCapture(capture_)) {
    EXPECT_NE(finding.what.find("never committed"), std::string::npos) << finding.what;
  }
}

// A class of the program's may do more than ours knows: it is told, once, and left alone.
TEST_P(Programs, SolverOfTheProgramsOwnIsRefused) {
  const CliResult plain = RunProgram({boxes(), "own"});
  const CliResult refused = Record(capture_, {boxes(), "own"});
  EXPECT_EQ(plain.out, refused.out);
  EXPECT_EQ(refused.err.find("nonsmooth: world 1 (btDiscreteDynamicsWorld): is left alone: its "
                             "solver is a (anonymous namespace)::OwnSolver"),
            0U)
      << refused.err;
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
  EXPECT_EQ(Captures(directory_.path()), 0);
}

INSTANTIATE_TEST_SUITE_P(, Programs, testing::Values(NONSMOOTH_BOXES));

// A plugin opened while the program runs, with its names kept to itself.
TEST(RunPlugin, OpenedLaterIsRecorded) {
  const TemporaryDirectory directory;
  const CliResult plain = RunProgram({Program("host"), Program("boxes.so")});
  const CliResult recorded =
      Record(directory.File("run.h5"), {Program("host"), Program("boxes.so")});
  EXPECT_EQ(plain.out, recorded.out);
  EXPECT_EQ(recorded.err, "");
  ExpectWhole(directory.File("run.h5"), kSteps, 2 * kSteps);
}

// What looks among its own names first never comes to us.
TEST(RunPlugin, DeepBindIsTold) {
  const TemporaryDirectory directory;
  const CliResult run =
      Record(directory.File("run.h5"), {Program("host"), Program("boxes.so"), "deepbind"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("cannot be stood in for: it was opened with RTLD_DEEPBIND"),
            std::string::npos)
      << run.err;
}

TEST(RunOwnCopy, OfTheProgramIsTold) {
  const TemporaryDirectory directory;
  const CliResult run = Record(directory.File("run.h5"), {Program("own_copy")});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err,
            "nonsmooth: this program has its own copy of Bullet: nothing can be stood in for\n");
}

TEST(RunOwnCopy, OfAPluginIsTold) {
  const TemporaryDirectory directory;
  const CliResult run = Record(directory.File("run.h5"), {Program("host"), Program("own_copy.so")});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err.find("nonsmooth: this program has its own copy of Bullet, in "), 0U) << run.err;
}

TEST(RunNothing, IsTold) {
  const TemporaryDirectory directory;
  const CliResult run = Record(directory.File("run.h5"), {"/bin/true"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "nonsmooth: no world of Bullet or Project Chrono was stepped\n");
}

TEST(RunUsage, MistakesAreTold) {
  EXPECT_EQ(RunCli({"run", "--", "/bin/true"}).code, 2);
  EXPECT_EQ(RunCli({"run", "--solver", "none_such", "--", "/bin/true"}).code, 2);
  EXPECT_EQ(RunCli({"run", "--solver", "psor", "--law", "x", "--", "/bin/true"}).code, 2);
  EXPECT_EQ(RunCli({"run", "--solver", "psor", "--set", "option.x=1", "--", "/bin/true"}).code, 2);
  EXPECT_EQ(RunCli({"run", "--capture", "x.h5"}).code, 2);
  EXPECT_EQ(RunCli({"run", "--capture", "x.h5", "--", "/none/such"}).code, 127);
}

}  // namespace
}  // namespace nonsmooth
