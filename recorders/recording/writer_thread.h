// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "recorder.h"
#include "step_finisher.h"

namespace nonsmooth {

/// The recorder's other half: a thread that takes steps from a bounded queue, decides about those
/// that have to be measured first, keeps the ring, and writes. Buffers go round through a pool.
///
/// It looks at the queue every few milliseconds. Waking it for every step would cost the
/// simulation's thread a system call, which is more than copying a small step takes; and steps that
/// have gathered are written together, which is several times as fast.
class WriterThread {
 public:
  using Buffer = std::unique_ptr<RecordedStep>;

  /// Makes the file on the calling thread, so that running() is known at once.
  WriterThread(const std::string& path, const CaptureInfo& info, const RecorderOptions& options);
  ~WriterThread();  ///< Close()

  bool running() const;

  /// An empty step, used before if possible; null if the thread is not running, or the queue is
  /// full and nobody is to wait.
  Buffer Take();
  void GiveBack(Buffer buffer);

  /// Queues a step; waits for room if the options say so. False: dropped. `waited` is increased by
  /// the time it took [s].
  bool Push(Buffer buffer, double* waited);

  /// Never waits and is never dropped while the thread runs: shapes come seldom.
  void PushShapes(std::vector<BodyShape> shapes);

  void Trigger();
  void Flush();
  void Close();
  bool closed() const;

  /// The pieces of a message, put together where there is memory.
  using Message = std::initializer_list<const char*>;

  /// Passes a message on and keeps it if it is the first one.
  void Report(Message parts) noexcept;

  std::int64_t written() const;
  std::int64_t left_out() const;
  std::int64_t dropped() const;
  std::string trouble() const;

 private:
  /// A step, or the wish to write the ring, or shapes.
  struct Item {
    Buffer step;
    bool trigger = false;
    std::vector<BodyShape> shapes{};
  };

  void Loop();
  bool Urgent() const;
  void Handle(Item& item) noexcept;
  void Accept(Buffer step);
  void DumpRing();
  void Keep(Buffer step);
  void WriteKept() noexcept;
  bool WriteOne(const CapturedStep& step) noexcept;
  void Stop(Message cause) noexcept;  ///< three pieces at the most
  void CloseFile() noexcept;
  void Reset(RecordedStep& step) const;
  void Count(std::int64_t& counter, std::int64_t by = 1);
  bool has_conditions() const;

  const std::string path_;
  const RecorderOptions options_;

  // Of the writer's thread alone, once it runs.
  std::optional<CaptureWriter> writer_;
  StepFinisher finisher_;
  std::deque<Item> items_;  ///< at hand
  std::deque<Buffer> ring_;
  std::vector<Buffer> kept_;  ///< to be written together
  int kept_rows_ = 0;         ///< of their problems
  std::vector<const CapturedStep*> views_;
  bool refused_one_ = false;

  mutable std::mutex mutex_;         // guards all that follows
  std::condition_variable work_;     // for the writer: something is in the queue, or it is to end
  std::condition_variable room_;     // for the simulation: the queue is shorter, or nobody writes
  std::condition_variable settled_;  // for Flush(): nothing is queued or being written
  std::deque<Item> queue_;
  int unwritten_ = 0;  ///< steps in the queue or being written
  int flushing_ = 0;   ///< threads that wait in Flush()
  std::vector<Buffer> pool_;
  bool running_ = false;
  bool busy_ = false;
  bool closing_ = false;
  std::int64_t written_ = 0;
  std::int64_t left_out_ = 0;
  std::int64_t dropped_ = 0;
  std::string trouble_;

  std::mutex close_mutex_;  // two threads may close at once
  std::thread thread_;
};

}  // namespace nonsmooth
