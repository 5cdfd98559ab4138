// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <random>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/recorders/support/write_fault.h"
#include "tests/recorders/support/writing_process.h"

namespace nonsmooth {
namespace {

/// Some 220 KB a step: every step fills chunks, and places are used again after 40 of them.
constexpr int kContacts = 300;
constexpr int kSteps = 150;

/// Slots of the chunks that grow, of those on their way, and those that rest: see RawSlots.
constexpr std::uint64_t kSlots = 40u << 20;

CaptureInfo Info() {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  return info;
}

const CapturedStep& Step(int number) {
  static std::vector<CapturedStep> steps;
  while (static_cast<int>(steps.size()) <= number) {
    steps.push_back(ContactStep(kContacts, static_cast<int>(steps.size())));
  }
  return steps[static_cast<std::size_t>(number)];
}

std::uint64_t BytesOf(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void WriteSteps(const std::string& path, bool compress, const std::function<void()>& committed) {
  CaptureWriterOptions options;
  options.compress = compress;
  CaptureWriter writer(path, Info(), options);
  for (int i = 0; i < kSteps; ++i) {
    writer.Append(Step(i));
    committed();
  }
  writer.Close();
}

// While chunks are packed and their places used again, a reader of another process finds any step
// that was committed, old and new, bit for bit.
TEST(PackedGrowth, IsReadMeanwhile) {
  Step(kSteps - 1);
  const TemporaryDirectory directory;
  const std::string path = directory.File("live.h5");
  WritingProcess process([&](const auto& committed) { WriteSteps(path, true, committed); });
  ASSERT_TRUE(process.WaitForCommit());
  CaptureReader reader(path);
  std::mt19937 random(3);
  for (int committed = 1; process.WaitForCommit(); ++committed) {
    const std::int64_t now = reader.Refresh();
    ASSERT_GE(now, committed);
    for (const std::int64_t i : {now - 1, static_cast<std::int64_t>(random()) % now}) {
      ExpectSame(Step(static_cast<int>(i)), reader.Read(i));
    }
    if (HasFailure()) break;
  }
  EXPECT_FALSE(process.Join());
}

// The finished file is smaller than without packing, although its numbers use all their digits: a
// float64 has 52 of those and 12 others. While it was written it was never more than twice as
// large, but for places of some 40 MB.
TEST(PackedGrowth, TakesLittleOfTheDisk) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("packed.h5");
  std::uint64_t most = 0;
  WriteSteps(path, true, [&] { most = std::max(most, BytesOf(path)); });
  const std::string plain = directory.File("plain.h5");
  WriteSteps(plain, false, [] {});
  EXPECT_LT(BytesOf(path), BytesOf(plain) * 52 / 64);
  EXPECT_LT(most, 2 * BytesOf(path) + kSlots);
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), kSteps);
  for (int i = 0; i < kSteps; i += 10) ExpectSame(Step(i), reader.Read(i));
  EXPECT_TRUE(ValidateCapture(path).empty());
}

// Killed at writes all over the place, among them those that turn the index to a packed chunk.
TEST(PackedGrowth, SurvivesAKillAnywhere) {
  constexpr int kKills = 24;
  Step(kSteps - 1);
  std::mt19937 random(5);
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE(kill);
    const TemporaryDirectory directory;
    const std::string path = directory.File("killed.h5");
    // Of those that reach over a page there are fewer.
    const bool torn = kill % 2 == 1;
    const long writes =
        torn ? 50 + static_cast<long>(random() % 1000) : 200 + static_cast<long>(random() % 5000);
    WritingProcess process([&](const auto& committed) {
      write_fault.error = 0;
      write_fault.torn = torn;
      write_fault.writes_left = writes;
      WriteSteps(path, true, committed);
    });
    EXPECT_TRUE(process.Join());
    const int committed = process.Committed();
    const CaptureReader reader(path);
    ASSERT_GE(reader.steps(), committed);
    ASSERT_LE(reader.steps(), committed + 1);
    for (int i = 0; i < reader.steps(); i += 7) ExpectSame(Step(i), reader.Read(i));
    for (const CaptureFinding& finding : ValidateCapture(path)) {
      EXPECT_NE(finding.what.find("never committed"), std::string::npos) << finding.what;
    }
    if (HasFailure()) return;
  }
}

TEST(PackedGrowth, RefusesSettingsThatMakeNoSense) {
  const TemporaryDirectory directory;
  CaptureWriterOptions options;
  options.compression_level = 0;
  EXPECT_THROW(CaptureWriter(directory.File("a.h5"), Info(), options), std::invalid_argument);
  options.compression_level = 1;
  options.packing_threads = -1;
  EXPECT_THROW(CaptureWriter(directory.File("a.h5"), Info(), options), std::invalid_argument);
  EXPECT_TRUE(directory.Names().empty());
}

}  // namespace
}  // namespace nonsmooth
