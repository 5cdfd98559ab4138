// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "recorders/capture/capture_reader.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/hdf5/file.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/bad_file.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/recorders/support/write_fault.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;

constexpr int kContacts = 20;
constexpr int kSteps = 4;

enum ChildCode { kReported = 0, kUntold = 1, kWrongCause = 2, kLeak = 3, kNoFault = 10 };

CaptureInfo Info() {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  return info;
}

int OpenDescriptors() {
  const fs::directory_iterator entries("/proc/self/fd");
  return static_cast<int>(std::distance(begin(entries), end(entries)));
}

/// Objects of all kinds that HDF5 has open.
ssize_t OpenObjects() { return H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL); }

/// Runs `child` in a process of its own, which ends as programs do, exit handlers included, and
/// returns its wait status.
template <class Child>
int StatusOf(const Child& child) {
  std::fflush(nullptr);
  const pid_t process = ::fork();
  if (process == 0) std::exit(child());
  int status = -1;
  ::waitpid(process, &status, 0);
  return status;
}

/// Writes a capture; a write fails, and the file is copied at that moment.
int WriteUntilFault(const std::string& path, long writes, bool torn, const std::string& copy) {
  const int descriptors = OpenDescriptors();
  write_fault.torn = torn;
  write_fault.error = ENOSPC;
  write_fault.at_fault = [&path, &copy] {
    if (fs::exists(path)) fs::copy_file(path, copy);
  };
  write_fault.writes_left = writes;
  std::string cause;
  try {
    CaptureWriter writer(path, Info());
    for (int i = 0; i < kSteps; ++i) writer.Append(ContactStep(kContacts, i));
    writer.Close();
  } catch (const FileError& error) {
    cause = error.what();
  }
  if (OpenObjects() != 0 || OpenDescriptors() != descriptors) return kLeak;
  if (write_fault.writes_left >= 0) return kNoFault;
  if (cause.empty()) return kUntold;
  return cause.find("No space left on device") == std::string::npos ? kWrongCause : kReported;
}

class FailAtWrite : public testing::TestWithParam<bool> {};

// The n-th write of all that making a file, four steps, closing and compressing take fails, for
// every n; those after it would succeed, were they tried. The process says so, leaks nothing and
// ends with code 0; the file is bit for bit what it was when the write failed, and holds what was
// committed; nothing else is left in the directory.
TEST_P(FailAtWrite, EveryWriteMayFail) {
  int faults = 0;
  int files = 0;
  for (long n = 0;; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 5000);
    const TemporaryDirectory directory;
    const TemporaryDirectory elsewhere;
    const std::string path = directory.File("failed.h5");
    const std::string copy = elsewhere.File("copy.h5");
    const int status = StatusOf([&] { return WriteUntilFault(path, n, GetParam(), copy); });
    ASSERT_TRUE(WIFEXITED(status)) << "died of signal " << WTERMSIG(status);
    if (WEXITSTATUS(status) == kNoFault) break;
    ASSERT_EQ(WEXITSTATUS(status), kReported);
    ++faults;
    if (!fs::exists(path)) {
      EXPECT_EQ(files, 0);
      EXPECT_TRUE(directory.Names().empty());
      continue;
    }
    ++files;
    EXPECT_EQ(directory.Names(), std::vector<std::string>{"failed.h5"});
    EXPECT_EQ(LoadBytes(path), LoadBytes(copy));
    const CaptureReader reader(path);
    for (int i = 0; i < reader.steps(); ++i) ExpectSame(ContactStep(kContacts, i), reader.Read(i));
    if (HasFailure()) return;
  }
  EXPECT_GT(faults, GetParam() ? 20 : 200);
  EXPECT_GT(files, GetParam() ? 10 : 100);
}

INSTANTIATE_TEST_SUITE_P(WriteFailure, FailAtWrite, testing::Bool(),
                         [](const auto& variant) { return variant.param ? "Within" : "Before"; });

// The first write of a step fails: the file is bit for bit what it was at the last commit, and
// stays so; the writer refuses more. The same where the failure is that of the recorder's thread.
TEST(WriteFailure, FileStaysAsCommitted) {
  const auto child = [](bool recorder_too) {
    const TemporaryDirectory directory;
    const std::string path = directory.File("failed.h5");
    std::vector<std::string> messages;
    Bytes committed;
    write_fault.error = ENOSPC;
    if (recorder_too) {
      RecorderOptions options;
      options.measure = false;
      options.on_trouble = [&messages](const std::string& text) { messages.push_back(text); };
      Recorder recorder(path, Info(), options);
      for (int i = 0; i < 3; ++i) recorder.Record(ContactStep(kContacts, i));
      recorder.Flush();
      committed = LoadBytes(path);
      write_fault.writes_left = 0;
      for (int i = 3; i < 6; ++i) recorder.Record(ContactStep(kContacts, i));
      recorder.Close();
      EXPECT_EQ(recorder.status().written, 3);
      EXPECT_EQ(messages.size(), 2u);
    } else {
      CaptureWriter writer(path, Info());
      for (int i = 0; i < 3; ++i) writer.Append(ContactStep(kContacts, i));
      committed = LoadBytes(path);
      write_fault.writes_left = 0;
      EXPECT_THROW(writer.Append(ContactStep(kContacts, 3)), FileError);
      EXPECT_THROW(writer.Append(ContactStep(kContacts, 4)), FileError);
      EXPECT_EQ(writer.steps(), 3);
      writer.Close();
    }
    EXPECT_EQ(write_fault.writes_left, -1);
    EXPECT_EQ(LoadBytes(path), committed);
    EXPECT_EQ(CaptureReader(path).steps(), 3);
    std::exit(testing::Test::HasFailure() ? EXIT_FAILURE : EXIT_SUCCESS);
  };
  EXPECT_EXIT(child(false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(child(true), testing::ExitedWithCode(0), "");
}

// Any other HDF5 file we make: every write of it may fail, Finish() names the cause, and nothing
// stays open.
TEST(WriteFailure, FinishNamesTheCause) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("other.h5");
  const std::vector<double> numbers(100'000, 1.5);
  const ssize_t objects = OpenObjects();
  const int descriptors = OpenDescriptors();
  write_fault.error = ENOSPC;
  int faults = 0;
  for (long n = 0;; ++n) {
    SCOPED_TRACE(n);
    ASSERT_LT(n, 1000);
    write_fault.writes_left = n;
    std::string cause;
    try {
      hdf5::File file = hdf5::File::Create(path);
      file.WriteText("text", "words");
      file.CreateGroup("group").Write<double>("numbers", numbers);
      file.Finish("named.h5");
    } catch (const FileError& error) {
      cause = error.what();
    }
    EXPECT_EQ(OpenObjects(), objects);
    EXPECT_EQ(OpenDescriptors(), descriptors);
    if (write_fault.writes_left >= 0) {
      EXPECT_EQ(cause, "");
      break;
    }
    EXPECT_EQ(cause, "named.h5: cannot be written completely (No space left on device)");
    ++faults;
  }
  write_fault = WriteFault();
  EXPECT_GT(faults, 2);
  EXPECT_EQ(hdf5::File::Open(path).OpenGroup("group").Read<double>("numbers"), numbers);
}

// An application that uses HDF5 finds its default driver where it was, and may shut the library
// down between two captures.
TEST(WriteFailure, ApplicationUsesHdf5Itself) {
  const int status = StatusOf([] {
    const TemporaryDirectory directory;
    for (int round = 0; round < 3; ++round) {
      const std::string path = directory.File("capture.h5");
      {
        CaptureWriter writer(path, Info());
        writer.Append(ContactStep(kContacts, round));
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        EXPECT_EQ(H5Pget_driver(access), H5FD_SEC2);
        H5Pclose(access);
        writer.Close();
      }
      ExpectSame(ContactStep(kContacts, round), CaptureReader(path).Read(0));
      H5close();
      // Takes the numbers that were ours.
      for (int k = 0; k < 3; ++k) H5Pcreate(H5P_FILE_ACCESS);
    }
    return testing::Test::HasFailure() ? EXIT_FAILURE : EXIT_SUCCESS;
  });
  ASSERT_TRUE(WIFEXITED(status)) << "died of signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), EXIT_SUCCESS);
}

}  // namespace
}  // namespace nonsmooth
