// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include "recorders/capture/capture_reader.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

CaptureInfo Info(ScalarType scalar = ScalarType::kFloat64) {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  info.scalar = scalar;
  return info;
}

RecorderOptions Listening(std::vector<std::string>* messages) {
  RecorderOptions options;
  options.measure = false;
  options.on_trouble = [messages](const std::string& text) { messages->push_back(text); };
  return options;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// All steps of the file read back as ContactStep(contacts, 0), ContactStep(contacts, 1), …
void ExpectFirstSteps(const std::string& path, int contacts, std::int64_t steps) {
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), steps);
  for (int i = 0; i < steps; ++i) ExpectSame(ContactStep(contacts, i), reader.Read(i));
}

/// Records until the file has failed, and thirty steps more; then checks that two messages came,
/// the second being the count, and that the file holds the steps that were reported as written.
void ExpectGoesOnWithoutTheFile(
    Recorder& recorder, const std::vector<std::string>& messages, const std::string& cause,
    int number = 0, const std::function<void()>& repair = [] {}) {
  for (; number < 2000 && recorder.status().recording; ++number) {
    recorder.Record(ContactStep(50, number));
  }
  ASSERT_LT(number, 2000) << "the file did not fail";
  for (int end = number + 30; number < end; ++number) {
    EXPECT_FALSE(recorder.Record(ContactStep(50, number)));
  }
  recorder.Close();
  const RecorderStatus status = recorder.status();
  EXPECT_EQ(status.written + status.dropped, number);
  EXPECT_GE(status.dropped, 31);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0], status.trouble);
  EXPECT_TRUE(Contains(messages[0], recorder.path())) << messages[0];
  EXPECT_TRUE(Contains(messages[0], cause)) << messages[0];
  EXPECT_TRUE(Contains(messages[0], "the file holds " + std::to_string(status.written) + " steps"))
      << messages[0];
  EXPECT_TRUE(Contains(messages[1], std::to_string(status.dropped) + " of ")) << messages[1];
  repair();
  ExpectFirstSteps(recorder.path(), 50, status.written);
}

// The simulation goes on where the file cannot be made; every step is counted, one message says
// why.
TEST(RecorderTrouble, UnwritablePath) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("file");
  std::ofstream(file) << "not a directory";
  for (const std::string& path : {directory.File("nowhere/x.h5"), directory.path(), file + "/x.h5",
                                  std::string("/dev/null"), std::string("/proc/x.h5")}) {
    SCOPED_TRACE(path);
    std::vector<std::string> messages;
    Recorder recorder(path, Info(), Listening(&messages));
    EXPECT_FALSE(recorder.status().recording);
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].rfind(path + ": ", 0), 0u) << messages[0];
    EXPECT_TRUE(Contains(messages[0], "nothing is recorded")) << messages[0];
    EXPECT_FALSE(recorder.Wants(StepInfo()));
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(recorder.Record(ContactStep(2, i)));
    recorder.Trigger();
    recorder.Flush();
    recorder.Close();
    EXPECT_EQ(recorder.status().dropped, 5);
    EXPECT_EQ(messages.size(), 2u);
  }
  EXPECT_EQ(directory.Names(), std::vector<std::string>{"file"});
}

// Steps offered after Close() are counted and answered with one message; the file is as it was.
TEST(RecorderTrouble, ClosedFile) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("closed.h5");
  std::vector<std::string> messages;
  Recorder recorder(path, Info(), Listening(&messages));
  for (int i = 0; i < 3; ++i) recorder.Record(ContactStep(2, i));
  recorder.Close();
  EXPECT_TRUE(messages.empty());
  for (int i = 3; i < 6; ++i) EXPECT_FALSE(recorder.Record(ContactStep(2, i)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(Contains(messages[0], path + ": step 3 is offered after the file was closed"));
  EXPECT_EQ(recorder.status().dropped, 3);
  ExpectFirstSteps(path, 2, 3);
}

// A step whose problem is not float32 is refused in a float32 file: counted, one message for the
// first, and those that are float32 are written.
TEST(RecorderTrouble, RefusedSteps) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("refused.h5");
  std::vector<std::string> messages;
  Recorder recorder(path, Info(ScalarType::kFloat32), Listening(&messages));
  for (int i = 0; i < 6; ++i) recorder.Record(ContactStep(2, i, i % 2 == 0));
  recorder.Close();
  const RecorderStatus status = recorder.status();
  EXPECT_EQ(status.written, 3);
  EXPECT_EQ(status.dropped, 3);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(Contains(messages[0], path + ": step 1 is refused: ")) << messages[0];
  EXPECT_TRUE(Contains(messages[0], "is not a float32")) << messages[0];
  EXPECT_EQ(CaptureReader(path).steps(), 3);
}

/// The descriptor of this process that is open on `path`; −1: none.
int DescriptorOf(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) == path) {
      return std::stoi(entry.path().filename().string());
    }
  }
  return -1;
}

// /dev/full answers every write with ENOSPC, as a full disk does.
TEST(RecorderTrouble, DeviceFullFromOneStepToTheNext) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("full.h5");
  std::vector<std::string> messages;
  Recorder recorder(path, Info(), Listening(&messages));
  for (int i = 0; i < 5; ++i) recorder.Record(ContactStep(50, i));
  recorder.Flush();
  const int descriptor = DescriptorOf(path);
  ASSERT_GE(descriptor, 0);
  const int full = ::open("/dev/full", O_RDWR);
  ASSERT_GE(full, 0);
  ASSERT_GE(::dup2(full, descriptor), 0);
  ::close(full);
  for (int i = 5; i < 20; ++i) recorder.Record(ContactStep(50, i));
  recorder.Close();
  EXPECT_EQ(recorder.status().written, 5);
  EXPECT_EQ(recorder.status().dropped, 15);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(Contains(messages[0], "No space left on device")) << messages[0];
  ExpectFirstSteps(path, 50, 5);
}

// Somebody closes the file's descriptor behind our back.
TEST(RecorderTrouble, DescriptorClosedByTheApplication) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("gone.h5");
  std::vector<std::string> messages;
  Recorder recorder(path, Info(), Listening(&messages));
  for (int i = 0; i < 5; ++i) recorder.Record(ContactStep(50, i));
  recorder.Flush();
  const int descriptor = DescriptorOf(path);
  ASSERT_GE(descriptor, 0);
  ::close(descriptor);
  ExpectGoesOnWithoutTheFile(recorder, messages, "Bad file descriptor", 5);
}

/// The number of the file's descriptor comes to mean `other`. Nothing happens to either.
void ExpectLeavesAlone(const std::string& other, std::int64_t steps_before) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("reused.h5");
  std::vector<std::string> messages;
  Recorder recorder(path, Info(), Listening(&messages));
  for (int i = 0; i < steps_before; ++i) recorder.Record(ContactStep(50, i));
  recorder.Flush();
  const Bytes capture = LoadBytes(path);
  const int descriptor = DescriptorOf(path);
  ASSERT_GE(descriptor, 0);
  const int opened = ::open(other.c_str(), O_RDWR);
  ASSERT_GE(opened, 0);
  ASSERT_GE(::dup2(opened, descriptor), 0);
  ::close(opened);
  for (int i = 0; i < 15; ++i) recorder.Record(ContactStep(50, 100 + i));
  recorder.Close();
  EXPECT_EQ(recorder.status().written, steps_before);
  EXPECT_EQ(recorder.status().dropped, 15);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(Contains(messages[0], "uses it for another file")) << messages[0];
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), 0) << "somebody else's descriptor was closed";
  ::close(descriptor);
  EXPECT_EQ(LoadBytes(path), capture);
  ExpectFirstSteps(path, 50, steps_before);
}

// Somebody closes the file's descriptor, and the number is given to another file: that is not
// written to, and stays open; the capture keeps every bit of its last commit.
TEST(RecorderTrouble, DescriptorReusedByTheApplication) {
  const TemporaryDirectory directory;
  const std::string other = directory.File("diary.txt");
  const Bytes text(100'000, 'x');
  SaveBytes(other, text);
  ExpectLeavesAlone(other, 5);
  EXPECT_EQ(LoadBytes(other), text);
  // Even a write that succeeds commits nothing, if it goes elsewhere.
  ExpectLeavesAlone("/dev/null", 5);
}

// A limit of 20 MB on the size of a file. The default action of SIGXFSZ would end the process; the
// writer's thread blocks it, so that the write fails instead.
TEST(RecorderTrouble, FileSizeLimit) {
  const TemporaryDirectory directory;
  std::vector<std::string> messages;
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit limit = before;
  limit.rlim_cur = 20'000'000;
  Recorder recorder(directory.File("limit.h5"), Info(), Listening(&messages));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  ExpectGoesOnWithoutTheFile(recorder, messages, "File too large", 0,
                             [&before] { ::setrlimit(RLIMIT_FSIZE, &before); });
  ::setrlimit(RLIMIT_FSIZE, &before);
}

enum ChildCode { kPassed = 0, kFailed = 1, kNoMount = 77 };

/// Runs in a child, which may therefore leave the namespace: a file system of a few MB, made full.
int FillTinyDisk(const std::string& mount_point, const std::string& size) {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return kNoMount;
  ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  if (::mount("tmpfs", mount_point.c_str(), "tmpfs", 0, ("size=" + size).c_str()) != 0)
    return kNoMount;
  {
    std::vector<std::string> messages;
    Recorder recorder(mount_point + "/full.h5", Info(), Listening(&messages));
    ExpectGoesOnWithoutTheFile(recorder, messages, "No space left on device");
    // A second file does not even begin there.
    messages.clear();
    Recorder second(mount_point + "/second.h5", Info(), Listening(&messages));
    EXPECT_FALSE(second.status().recording);
    EXPECT_EQ(messages.size(), 1u);
  }
  return testing::Test::HasFailure() ? kFailed : kPassed;
}

// On the smallest disk not even the first step has room.
TEST(RecorderTrouble, FullDisk) {
  for (const char* size : {"300k", "1m", "2500k", "8m"}) {
    SCOPED_TRACE(size);
    const TemporaryDirectory directory;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(FillTinyDisk(directory.path(), size));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "the recording process died of signal " << WTERMSIG(status);
    if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
    EXPECT_EQ(WEXITSTATUS(status), kPassed);
  }
}

}  // namespace
}  // namespace nonsmooth
