// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/recorders/support/writing_process.h"

namespace nonsmooth {
namespace {

constexpr int kContacts = 30;
constexpr int kSteps = 60;

CaptureInfo Info() {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  return info;
}

void WriteSteps(const std::string& path, const std::function<void()>& committed) {
  CaptureWriter writer(path, Info());
  for (int i = 0; i < kSteps; ++i) {
    writer.Append(ContactStep(kContacts, i));
    committed();
  }
  writer.Close();
}

// Another process writes and does not wait for us. Whatever it has reported as committed is there
// after Refresh(), complete; steps() never goes back; and the reader outlives the file's
// replacement by the compressed one.
TEST(LiveReader, FollowsAnotherProcess) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("live.h5");
  WritingProcess process(
      [&path](const std::function<void()>& committed) { WriteSteps(path, committed); });
  ASSERT_TRUE(process.WaitForCommit());
  CaptureReader reader(path);
  EXPECT_TRUE(reader.live());
  std::int64_t before = reader.steps();
  int committed = 1;
  do {
    const std::int64_t now = reader.Refresh();
    EXPECT_GE(now, committed);
    EXPECT_GE(now, before);
    EXPECT_EQ(reader.Summary(now - 1).info.step, now - 1);
    ExpectSame(ContactStep(kContacts, static_cast<int>(now - 1)), reader.Read(now - 1));
    before = now;
    ++committed;
  } while (process.WaitForCommit());
  EXPECT_FALSE(process.Join());
  EXPECT_EQ(reader.Refresh(), kSteps);
  for (int i = 0; i < kSteps; ++i) ExpectSame(ContactStep(kContacts, i), reader.Read(i));

  const CaptureReader finished(path);
  EXPECT_FALSE(finished.live());
  EXPECT_EQ(finished.steps(), kSteps);
}

// A reader opened anew at any time finds a consistent file.
TEST(LiveReader, OpensAtAnyTime) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("live.h5");
  WritingProcess process(
      [&path](const std::function<void()>& committed) { WriteSteps(path, committed); });
  int live = 0;
  for (int committed = 1; process.WaitForCommit(); ++committed) {
    const CaptureReader reader(path);
    live += reader.live() ? 1 : 0;
    ASSERT_GE(reader.steps(), committed);
    const int last = static_cast<int>(reader.steps()) - 1;
    ExpectSame(ContactStep(kContacts, last), reader.Read(last));
  }
  EXPECT_FALSE(process.Join());
  EXPECT_GT(live, 0);
}

// The process that writes may look at its own file, too.
TEST(LiveReader, WriterReadsItsOwnFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("own.h5");
  CaptureWriter writer(path, Info());
  writer.Append(ContactStep(kContacts, 0));
  CaptureReader reader(path);
  ExpectSame(ContactStep(kContacts, 0), reader.Read(0));
  writer.Append(ContactStep(kContacts, 1));
  EXPECT_EQ(reader.Refresh(), 2);
  ExpectSame(ContactStep(kContacts, 1), reader.Read(1));
}

}  // namespace
}  // namespace nonsmooth
