// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/writer_thread.h"

#include <charconv>
#include <chrono>
#include <new>
#include <utility>

#include "recorders/packing/signals_blocked.h"

namespace nonsmooth {
namespace {

constexpr std::chrono::milliseconds kNap(5);

/// Some 5 MB: to write more at once gains nothing.
constexpr int kManyRows = 20000;

}  // namespace

WriterThread::WriterThread(const std::string& path, const CaptureInfo& info,
                           const RecorderOptions& options)
    : path_(path), options_(options), finisher_(info.scalar, options.measure) {
  kept_.reserve(CaptureWriter::kMostStepsAtOnce);
  views_.reserve(CaptureWriter::kMostStepsAtOnce);
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
    Report({error.what(), "; nothing is recorded"});
  }
}

WriterThread::~WriterThread() { Close(); }

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
  if (pool_.empty()) return Buffer(new (std::nothrow) RecordedStep);
  Buffer buffer = std::move(pool_.back());
  pool_.pop_back();
  return buffer;
}

void WriterThread::GiveBack(Buffer buffer) {
  Reset(*buffer);
  const std::lock_guard lock(mutex_);
  try {
    pool_.push_back(std::move(buffer));
  } catch (const std::bad_alloc&) {
    // Another will be made when there is memory.
  }
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
  bool taken = running_ && !closing_;
  try {
    if (taken) queue_.push_back({std::move(buffer), false});
  } catch (const std::bad_alloc&) {
    taken = false;
  }
  if (!taken) {
    ++dropped_;
    lock.unlock();
    if (buffer) GiveBack(std::move(buffer));
    return false;
  }
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

void WriterThread::Close() {
  const std::lock_guard one_at_a_time(close_mutex_);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  work_.notify_one();
  room_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool WriterThread::Urgent() const {
  return closing_ || (flushing_ > 0 && !queue_.empty()) || 2 * unwritten_ > options_.queue;
}

// Nothing may leave this function, or the program ends. What it calls is either noexcept or, as
// waiting and swapping, takes no memory.
void WriterThread::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait_for(lock, kNap, [this] { return Urgent(); });
    if (queue_.empty()) {
      if (closing_) break;
      continue;
    }
    items_.swap(queue_);
    busy_ = true;
    lock.unlock();
    int steps = 0;
    for (const Item& item : items_) steps += item.step ? 1 : 0;
    for (Item& item : items_) Handle(item);
    WriteKept();
    items_.clear();
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

void WriterThread::Handle(Item& item) noexcept {
  const bool shapes = !item.shapes.empty();
  try {
    if (item.trigger) {
      DumpRing();
    } else if (shapes) {
      if (writer_) writer_->AddShapes(item.shapes);
    } else if (!writer_) {
      Count(dropped_);
      GiveBack(std::move(item.step));
    } else {
      Accept(std::move(item.step));
    }
  } catch (const std::exception& error) {  // out of memory, most likely; it has cost one step
    if (!shapes) Count(dropped_);
    Stop({path_.c_str(), ": ", error.what()});
  }
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

void WriterThread::WriteKept() noexcept {
  views_.clear();
  for (const Buffer& step : kept_) views_.push_back(step.get());
  std::int64_t written = 0;
  try {
    if (writer_) {
      writer_->Append(views_);
      written = static_cast<std::int64_t>(views_.size());
    }
  } catch (const std::invalid_argument&) {
    // One of them is refused; the others are not to suffer.
    for (const CapturedStep* step : views_) written += WriteOne(*step) ? 1 : 0;
  } catch (const FileError& error) {
    Stop({error.what()});
  } catch (const std::exception& error) {
    Stop({path_.c_str(), ": ", error.what()});
  }
  Count(written_, written);
  Count(dropped_, static_cast<std::int64_t>(views_.size()) - written);
  for (Buffer& step : kept_) GiveBack(std::move(step));
  kept_.clear();
  kept_rows_ = 0;
}

bool WriterThread::WriteOne(const CapturedStep& step) noexcept {
  try {
    if (!writer_) return false;
    writer_->Append(step);
    return true;
  } catch (const std::invalid_argument& error) {
    if (!std::exchange(refused_one_, true)) {
      char number[24] = {};
      std::to_chars(number, number + sizeof number - 1, step.info.step);
      Report({path_.c_str(), ": step ", number, " is refused: ", error.what()});
    }
  } catch (const FileError& error) {
    Stop({error.what()});
  } catch (const std::exception& error) {
    Stop({path_.c_str(), ": ", error.what()});
  }
  return false;
}

void WriterThread::Stop(Message cause) noexcept {
  // Closed now rather than at the end, so that nothing is held open that cannot be used.
  char steps[24] = {};
  std::to_chars(steps, steps + sizeof steps - 1, writer_ ? writer_->steps() : 0);
  writer_.reset();
  {
    const std::lock_guard lock(mutex_);
    running_ = false;
  }
  room_.notify_all();
  const auto part = [&cause](std::size_t i) { return i < cause.size() ? cause.begin()[i] : ""; };
  Report({part(0), part(1), part(2), "; recording ends, the file holds ", steps, " steps"});
}

void WriterThread::CloseFile() noexcept {
  Count(left_out_, static_cast<std::int64_t>(ring_.size()));
  ring_.clear();
  if (!writer_) return;
  try {
    writer_->Close();
  } catch (const std::exception& error) {
    Report({error.what(), "; what was committed is in the file"});
  }
  writer_.reset();
}

void WriterThread::Count(std::int64_t& counter, std::int64_t by) {
  const std::lock_guard lock(mutex_);
  counter += by;
}

void WriterThread::Report(Message parts) noexcept {
  std::string message;
  try {
    for (const char* part : parts) message += part;
  } catch (const std::bad_alloc&) {
    message = "out of memory";  // short enough to need none
  }
  try {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty()) trouble_ = message;
  } catch (const std::bad_alloc&) {
    trouble_ = "out of memory";
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
