// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/writer_thread.h"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace nonsmooth {
namespace {

constexpr std::chrono::milliseconds kNap(5);

/// Some 5 MB: to write more at once gains nothing.
constexpr int kManyRows = 20000;

/// Blocks all signals but those of a fault, as long as it lives: a thread started meanwhile runs
/// none of the application's handlers, and a write beyond a file size limit is an error to it, not
/// the end of the process.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
      sigdelset(&blocked, fault);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

WriterThread::WriterThread(const std::string& path, const CaptureInfo& info,
                           const RecorderOptions& options)
    : path_(path), options_(options), finisher_(info.scalar, options.measure) {
  try {
    writer_.emplace(path, info, options.file);
    running_ = true;
    const SignalsBlocked blocked;
    thread_ = std::thread(&WriterThread::Loop, this);
  } catch (const std::invalid_argument&) {
    throw;
  } catch (const std::exception& error) {
    running_ = false;
    writer_.reset();
    Report(std::string(error.what()) + "; nothing is recorded");
  }
}

WriterThread::~WriterThread() { Close(false); }

bool WriterThread::running() const {
  const std::lock_guard lock(mutex_);
  return running_ && !closing_;
}

bool WriterThread::closed() const {
  const std::lock_guard lock(mutex_);
  return closing_;
}

void WriterThread::Reset(RecordedStep& step) const {
  step.problem = Problem();
  step.bodies.clear();
  step.contacts.clear();
  step.poses.clear();
  step.places.clear();
  step.violation.clear();
  step.x0.clear();
  step.x.clear();
  step.w.clear();
  step.v.clear();
  step.measures = StepMeasures();
}

WriterThread::Buffer WriterThread::Take() {
  const std::lock_guard lock(mutex_);
  if (!running_ || closing_) return nullptr;
  if (options_.drop_when_full && unwritten_ >= options_.queue) return nullptr;
  if (pool_.empty()) return std::make_unique<RecordedStep>();
  Buffer buffer = std::move(pool_.back());
  pool_.pop_back();
  return buffer;
}

void WriterThread::GiveBack(Buffer buffer) {
  Reset(*buffer);
  const std::lock_guard lock(mutex_);
  pool_.push_back(std::move(buffer));
}

bool WriterThread::Push(Buffer buffer, double* waited) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] {
    return !running_ || closing_ || options_.drop_when_full || unwritten_ < options_.queue;
  };
  if (!ready()) {
    const auto begin = std::chrono::steady_clock::now();
    room_.wait(lock, ready);
    *waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (!running_ || closing_) {
    ++dropped_;
    lock.unlock();
    GiveBack(std::move(buffer));
    return false;
  }
  queue_.push_back({std::move(buffer), false});
  ++unwritten_;
  const bool urgent = Urgent();
  lock.unlock();
  if (urgent) work_.notify_one();
  return true;
}

void WriterThread::Trigger() {
  {
    const std::lock_guard lock(mutex_);
    if (!running_ || closing_ || options_.ring == 0) return;
    queue_.push_back({nullptr, true});
  }
}

void WriterThread::PushShapes(std::vector<BodyShape> shapes) {
  const std::lock_guard lock(mutex_);
  if (running_ && !closing_) queue_.push_back({nullptr, false, std::move(shapes)});
}

void WriterThread::Flush() {
  std::unique_lock lock(mutex_);
  ++flushing_;
  work_.notify_one();
  settled_.wait(lock, [this] { return !running_ || (queue_.empty() && !busy_); });
  --flushing_;
}

void WriterThread::Close(bool compress) {
  const std::lock_guard one_at_a_time(close_mutex_);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    compress_ = compress;
  }
  work_.notify_one();
  room_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool WriterThread::Urgent() const {
  return closing_ || (flushing_ > 0 && !queue_.empty()) || 2 * unwritten_ > options_.queue;
}

void WriterThread::Loop() {
  std::deque<Item> items;
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait_for(lock, kNap, [this] { return Urgent(); });
    if (queue_.empty()) {
      if (closing_) break;
      continue;
    }
    items.swap(queue_);
    busy_ = true;
    lock.unlock();
    int steps = 0;
    for (const Item& item : items) steps += item.step ? 1 : 0;
    Handle(items);
    items.clear();
    lock.lock();
    busy_ = false;
    unwritten_ -= steps;
    room_.notify_all();
    if (queue_.empty() || !running_) settled_.notify_all();
  }
  lock.unlock();
  CloseFile();
  lock.lock();
  running_ = false;
  settled_.notify_all();
}

bool WriterThread::has_conditions() const {
  return options_.energy_error_above >= 0 || options_.iterations_above >= 0;
}

void WriterThread::Handle(std::deque<Item>& items) {
  for (Item& item : items) {
    try {
      if (item.trigger) {
        DumpRing();
      } else if (!item.shapes.empty()) {
        if (writer_) writer_->AddShapes(item.shapes);
      } else if (!writer_) {
        Count(dropped_);
        GiveBack(std::move(item.step));
      } else {
        Accept(std::move(item.step));
      }
    } catch (const std::exception& error) {  // out of memory, most likely
      Count(dropped_);
      Stop(path_ + ": " + error.what());
    }
  }
  WriteKept();
}

void WriterThread::Accept(Buffer step) {
  finisher_.Finish(*step);
  const bool meets =
      (options_.energy_error_above < 0 ||
       step->measures.energy_error > options_.energy_error_above) &&
      (options_.iterations_above < 0 || step->info.iterations > options_.iterations_above);
  if (options_.ring > 0) {
    ring_.push_back(std::move(step));
    if (static_cast<int>(ring_.size()) > options_.ring) {
      Count(left_out_);
      GiveBack(std::move(ring_.front()));
      ring_.pop_front();
    }
    if (has_conditions() && meets) DumpRing();
  } else if (meets) {
    Keep(std::move(step));
  } else {
    Count(left_out_);
    GiveBack(std::move(step));
  }
}

void WriterThread::DumpRing() {
  while (!ring_.empty()) {
    Buffer step = std::move(ring_.front());
    ring_.pop_front();
    Keep(std::move(step));
  }
}

void WriterThread::Keep(Buffer step) {
  kept_rows_ += step->problem.rows();
  kept_.push_back(std::move(step));
  if (kept_.size() == CaptureWriter::kMostStepsAtOnce || kept_rows_ > kManyRows) WriteKept();
}

void WriterThread::WriteKept() {
  std::vector<const CapturedStep*> steps;
  for (const Buffer& step : kept_) steps.push_back(step.get());
  std::int64_t written = 0;
  try {
    if (writer_) {
      writer_->Append(steps);
      written = static_cast<std::int64_t>(steps.size());
    }
  } catch (const std::invalid_argument&) {
    // One of them is refused; the others are not to suffer.
    for (const CapturedStep* step : steps) written += WriteOne(*step) ? 1 : 0;
  } catch (const FileError& error) {
    Stop(error.what());
  } catch (const std::exception& error) {
    Stop(path_ + ": " + error.what());
  }
  Count(written_, written);
  Count(dropped_, static_cast<std::int64_t>(steps.size()) - written);
  for (Buffer& step : kept_) GiveBack(std::move(step));
  kept_.clear();
  kept_rows_ = 0;
}

bool WriterThread::WriteOne(const CapturedStep& step) {
  try {
    if (!writer_) return false;
    writer_->Append(step);
    return true;
  } catch (const std::invalid_argument& error) {
    if (!std::exchange(refused_one_, true)) {
      Report(path_ + ": step " + std::to_string(step.info.step) + " is refused: " + error.what());
    }
  } catch (const FileError& error) {
    Stop(error.what());
  }
  return false;
}

void WriterThread::Stop(const std::string& cause) {
  // Closed now rather than at the end, so that nothing is held open that cannot be used.
  const std::int64_t steps = writer_ ? writer_->steps() : 0;
  writer_.reset();
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
  room_.notify_all();
  Report(cause + "; recording ends, the file holds " + std::to_string(steps) + " steps");
}

void WriterThread::CloseFile() {
  Count(left_out_, static_cast<std::int64_t>(ring_.size()));
  ring_.clear();
  if (!writer_) return;
  try {
    if (compress_) writer_->Close();
  } catch (const std::exception& error) {
    Report(std::string(error.what()) + "; what was committed is in the file");
  }
  writer_.reset();
}

void WriterThread::Count(std::int64_t& counter, std::int64_t by) {
  const std::lock_guard lock(mutex_);
  counter += by;
}

void WriterThread::Report(const std::string& message) {
  {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty()) trouble_ = message;
  }
  if (!options_.on_trouble) return;
  try {
    options_.on_trouble(message);
  } catch (...) {
    // A message must not end the simulation.
  }
}

std::int64_t WriterThread::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

std::int64_t WriterThread::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

std::int64_t WriterThread::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

std::string WriterThread::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

}  // namespace nonsmooth
