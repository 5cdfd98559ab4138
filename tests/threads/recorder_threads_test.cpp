// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "common/problem/two_body_dynamics.h"
#include "common/util/reclaimer.h"
#include "recorders/capture/capture_reader.h"
#include "recorders/recording/recorder.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/recorders/support/writing_process.h"

namespace nonsmooth {
namespace {

CaptureInfo Info() {
  CaptureInfo info;
  info.engine = "none";
  info.engine_version = "0";
  return info;
}

// Four threads record while a fifth asks, flushes and pulls the trigger: every step is accounted
// for, and is in the file once.
TEST(RecorderThreads, RecordAtOnce) {
  constexpr int kThreads = 4, kSteps = 40;
  const TemporaryDirectory directory;
  const std::string path = directory.File("run.h5");
  RecorderOptions options;
  options.file.packing_threads = 2;
  Recorder recorder(path, Info(), options);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&recorder, t] {
      for (int i = 0; i < kSteps; ++i) recorder.Record(ContactStep(60, kSteps * t + i));
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_LE(recorder.status().written, kThreads * kSteps);
    recorder.Trigger();
    recorder.Flush();
  }
  for (std::thread& thread : threads) thread.join();
  recorder.Close();
  EXPECT_EQ(recorder.status().written, kThreads * kSteps);
  const CaptureReader reader(path);
  std::vector<int> times(kThreads * kSteps, 0);
  for (const StepSummary& step : reader.Summaries(0, reader.steps())) ++times[step.info.step];
  EXPECT_EQ(times, std::vector<int>(kThreads * kSteps, 1));
}

// A problem is shared with the writer's thread, and the thread that made it takes its memory for
// the next one as soon as the writer is done: what is written is what was recorded.
TEST(RecorderThreads, MemoryOfAProblemComesBack) {
  constexpr int kSteps = 200;
  const TemporaryDirectory directory;
  const std::string path = directory.File("run.h5");
  Reclaimer<TwoBodyDynamics> dynamics;
  std::vector<Body> bodies;
  std::vector<TwoBodyRow> rows;
  int taken = 0;
  {
    Recorder recorder(path, Info());
    for (int i = 0; i < kSteps; ++i) {
      CapturedStep step = ContactStep(20, i);
      if (const auto former = dynamics.Take()) {
        former->TakeApart(&bodies, &rows);
        ++taken;
      }
      const auto& made = static_cast<const TwoBodyDynamics&>(step.problem.dynamics());
      bodies = made.bodies();
      rows = made.body_rows();
      auto shared =
          dynamics.Share(std::make_shared<TwoBodyDynamics>(std::move(bodies), std::move(rows)));
      step.problem = Problem(std::move(shared), step.problem.groups(), step.problem.lower(),
                             step.problem.upper());
      recorder.Record(step);
      if (i % 10 == 0) recorder.Flush();
    }
    recorder.Close();
  }
  EXPECT_GT(taken, kSteps / 20);
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), kSteps);
  for (int i = 0; i < kSteps; ++i) {
    EXPECT_EQ(ProblemChecksum(reader.Read(i).problem), ProblemChecksum(ContactStep(20, i).problem));
  }
}

// One thread looks for new steps, another asks how many there are and reads: no number is torn, and
// none goes back.
TEST(ReaderThreads, AskWhileAnotherRefreshes) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("live.h5");
  WritingProcess process([&path](const std::function<void()>& committed) {
    CaptureWriter writer(path, Info());
    for (int i = 0; i < 40; ++i) {
      writer.Append(ContactStep(20, i));
      committed();
    }
    writer.Close();
  });
  ASSERT_TRUE(process.WaitForCommit());
  CaptureReader reader(path);
  std::atomic<bool> done{false};
  std::thread asking([&] {
    std::int64_t before = 0;
    while (!done) {
      const std::int64_t now = reader.steps();
      EXPECT_GE(now, before);
      EXPECT_GE(reader.uncommitted(), 0);
      if (now > 0) {
        EXPECT_EQ(reader.Read(now - 1).info.step, now - 1);
      }
      before = now;
    }
  });
  while (process.WaitForCommit()) reader.Refresh();
  process.Join();
  done = true;
  asking.join();
  EXPECT_EQ(reader.Refresh(), 40);
}

}  // namespace
}  // namespace nonsmooth
