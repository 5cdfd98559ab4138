// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory runs out in the recorder's threads. Alone in its program: every allocation of C++ comes
// by.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "recorders/capture/capture_reader.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/step_zoo.h"

namespace {

/// Allocations of other threads than this one that still succeed; negative: all do.
std::atomic<long> left{-1};
std::atomic<long> failed{0};
thread_local bool spared = false;

bool Fails() {
  if (spared || left.load(std::memory_order_relaxed) < 0) return false;
  if (left.fetch_sub(1) > 0) return false;
  left = 0;  // and all that follow
  ++failed;
  return true;
}

void* Allocate(std::size_t size) {
  if (Fails()) return nullptr;
  return std::malloc(size > 0 ? size : 1);  // NOLINT
}

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = Allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return Allocate(size);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // they are a pair: see above
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
#pragma GCC diagnostic pop

namespace nonsmooth {
namespace {

constexpr int kContacts = 60;
constexpr int kSteps = 40;

/// Records with the n-th allocation of the recorder's threads and all after it failing; returns
/// whether any failed.
bool RecordWithout(long n, const std::string& path, RecorderStatus* status) {
  CaptureInfo info;
  info.engine = "none";
  RecorderOptions options;
  options.ring = n % 3 == 0 ? 5 : 0;
  options.iterations_above = n % 3 == 0 ? 0 : -1;
  Recorder recorder(path, info, options);
  failed = 0;
  left = n;
  for (int i = 0; i < kSteps; ++i) {
    CapturedStep step = ContactStep(kContacts, i);
    step.info.iterations = i % 4;
    recorder.Record(step);
  }
  recorder.Flush();
  recorder.Close();
  left = -1;
  *status = recorder.status();
  return failed > 0;
}

// Whatever allocation of the writer's or the packing threads is the last that succeeds, the program
// goes on, every step is accounted for, trouble is told, and the file holds what was committed.
TEST(NoMemory, NeverEndsTheProgram) {
  spared = true;
  int troubles = 0;
  long n = 0;
  for (bool any = true; any; n += 1 + n / 12) {
    ASSERT_LT(n, 1000000);
    SCOPED_TRACE(n);
    const TemporaryDirectory directory;
    const std::string path = directory.File("run.h5");
    RecorderStatus status;
    any = RecordWithout(n, path, &status);
    EXPECT_EQ(status.pending, 0);
    EXPECT_EQ(status.offered, kSteps);
    EXPECT_EQ(status.offered, status.left_out + status.written + status.dropped);
    EXPECT_TRUE(status.dropped == 0 || !status.trouble.empty());
    troubles += status.trouble.empty() ? 0 : 1;
    const CaptureReader reader(path);
    EXPECT_EQ(reader.steps(), status.written);
    CapturedStep step;
    for (std::int64_t i = 0; i < reader.steps(); ++i) reader.Read(i, step);
    if (HasFailure()) return;
  }
  EXPECT_GT(troubles, 20);
  EXPECT_GT(n, 100);
}

}  // namespace
}  // namespace nonsmooth
