// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/recorders/support/write_fault.h"
#include "tests/recorders/support/writing_process.h"

namespace nonsmooth {
namespace {

constexpr int kContacts = 20;

CaptureInfo Info() {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  return info;
}

/// The file opens, holds all that was committed and at most the steps that were under way, each bit
/// for bit, and nothing is wrong with it.
void ExpectHolds(const std::string& path, int committed, int at_once = 1) {
  if (committed == 0 && !std::filesystem::exists(path)) return;  // killed before it got its name
  try {
    const CaptureReader reader(path);
    EXPECT_GE(reader.steps(), committed);
    EXPECT_LE(reader.steps(), committed + at_once);
    EXPECT_LE(reader.uncommitted(), at_once);
    for (int i = 0; i < reader.steps(); ++i) ExpectSame(ContactStep(kContacts, i), reader.Read(i));
    const std::vector<CaptureFinding> findings = ValidateCapture(path);
    for (const CaptureFinding& finding : findings) {
      EXPECT_EQ(finding.what, std::to_string(reader.uncommitted()) + " rows were never committed");
    }
  } catch (const FileError& error) {
    ADD_FAILURE() << error.what();
  }
}

/// Steps are appended `at_once` at a time.
void WriteSteps(const std::string& path, int steps, int at_once,
                const std::function<void()>& committed) {
  CaptureWriter writer(path, Info());
  std::vector<CapturedStep> made(static_cast<std::size_t>(at_once));
  for (int i = 0; i < steps; i += at_once) {
    std::vector<const CapturedStep*> together;
    for (int k = 0; k < at_once; ++k) {
      made[k] = ContactStep(kContacts, i + k);
      together.push_back(&made[k]);
    }
    writer.Append(together);
    for (int k = 0; k < at_once; ++k) committed();
  }
  writer.Close();
}

// Fifty kills at random moments between the start of the process and its end, which takes about 60
// ms: while the file is made, while steps are written, while it is compressed.
TEST(Kill, FiftyKillsAtRandomMoments) {
  std::mt19937 random(2026);
  int killed = 0;
  for (int round = 0; round < 50; ++round) {
    SCOPED_TRACE(round);
    const TemporaryDirectory directory;
    const std::string path = directory.File("killed.h5");
    WritingProcess process(
        [&path](const std::function<void()>& committed) { WriteSteps(path, 40, 1, committed); });
    ::usleep(static_cast<useconds_t>(random() % 60'000));
    process.Kill();
    killed += process.Join() ? 1 : 0;
    ExpectHolds(path, process.Committed());
  }
  EXPECT_GT(killed, 25);
}

// The same through the recorder, whose writing thread is not the one that is busy.
TEST(Kill, RecorderKilledAtRandomMoments) {
  std::mt19937 random(7);
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE(round);
    const TemporaryDirectory directory;
    const std::string path = directory.File("killed.h5");
    WritingProcess process([&path](const std::function<void()>& committed) {
      RecorderOptions options;
      options.measure = false;
      Recorder recorder(path, Info(), options);
      for (int i = 0; i < 40; ++i) {
        recorder.Record(ContactStep(kContacts, i));
        recorder.Flush();
        committed();
      }
    });
    ::usleep(static_cast<useconds_t>(random() % 60'000));
    process.Kill();
    process.Join();
    ExpectHolds(path, process.Committed());
  }
}

struct Variant {
  bool torn;
  int at_once;
};

class KillAtWrite : public testing::TestWithParam<Variant> {};

// Killed before, or within, the n-th write of all that making a file, a few steps and closing take,
// for every n: there is no moment that leaves a file that does not open. Six rows of /steps reach
// over the end of a page, so that a kill within that write leaves some of them.
TEST_P(KillAtWrite, EveryWriteMayBeTheLast) {
  const auto [tear, at_once] = GetParam();
  const int steps = at_once == 1 ? 4 : 2 * at_once;
  bool finished = false;
  int deaths = 0;
  for (long n = 0; !finished; ++n) {
    SCOPED_TRACE(n);
    const TemporaryDirectory directory;
    const std::string path = directory.File("killed.h5");
    WritingProcess process(
        [&path, n, tear = tear, at_once = at_once, steps](const std::function<void()>& committed) {
          write_fault.torn = tear;
          write_fault.writes_left = n;
          WriteSteps(path, steps, at_once, committed);
        });
    finished = !process.Join();
    ExpectHolds(path, process.Committed(), at_once);
    deaths += finished ? 0 : 1;
    ASSERT_LT(n, 5000);
    if (HasFailure()) return;
  }
  EXPECT_GT(deaths, tear ? 20 : 200);
}

INSTANTIATE_TEST_SUITE_P(Kill, KillAtWrite,
                         testing::Values(Variant{false, 1}, Variant{true, 1}, Variant{true, 6}),
                         [](const auto& variant) {
                           return std::string(variant.param.torn ? "Within" : "Before") +
                                  std::to_string(variant.param.at_once);
                         });

}  // namespace
}  // namespace nonsmooth
