// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/recorder.h"

#include <limits>
#include <mutex>
#include <utility>

#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"
#include "recorders/format/step_row.h"
#include "recorders/recording/writer_thread.h"

namespace nonsmooth {
namespace {

using Clock = std::chrono::steady_clock;

RecorderOptions Checked(RecorderOptions options) {
  Validate("recorder", Fields(options));
  return options;
}

template <class Vector>
void CopyKnown(const Vector* from, Vector& to) {
  if (from != nullptr) to = *from;
}

/// As CheckSizes() for what a RecordedStep adds.
void CheckPlaces(const RecordedStep& step) {
  if (step.poses.empty() && step.places.empty()) return;
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(step.problem.shared_dynamics().get());
  Require(dynamics != nullptr, "recorder: poses or places, but the problem is not two-body");
  if (!step.poses.empty()) {
    Require(step.bodies.empty(), "recorder: bodies are given and poses, too");
    RequireSize("recorder", "poses", step.poses.size(), dynamics->bodies().size());
  }
  if (!step.places.empty()) {
    Require(step.contacts.empty(), "recorder: contacts are given and places, too");
    RequireSize("recorder", "places", step.places.size(),
                static_cast<std::size_t>(step.problem.contacts()));
  }
}

}  // namespace

OptionFields Fields(RecorderOptions& options) {
  constexpr double kMost = std::numeric_limits<int>::max();
  return {
      {"every", "time steps", "keep those whose number is a multiple of this", &options.every, 1,
       kMost},
      {"energy_error_above", "J", "keep those with a larger energy error; -1: all",
       &options.energy_error_above, -1, std::numeric_limits<double>::max()},
      {"iterations_above", "iterations", "keep those that took more; -1: all",
       &options.iterations_above, -1, kMost},
      {"ring", "subproblems", "hold the last so many in memory until a trigger; 0: no ring",
       &options.ring, 0, 1e6},
      {"queue", "subproblems", "that may wait for the writer", &options.queue, 1, 1e6},
      {"drop_when_full", "-", "drop and count instead of waiting", &options.drop_when_full},
      {"measure", "-", "add w and errors where they are not known", &options.measure},
      {"compress", "-", "pack the file while it grows; 0 for the fastest disks",
       &options.file.compress},
      {"packing_threads", "threads", "that pack; 0: half of the processors, 4 at the most",
       &options.file.packing_threads, 0, 64},
  };
}

StepView ViewOf(StepInfo info, const Problem& problem, const Solution& solution,
                const Result& result) {
  StepView view;
  view.info = std::move(info);
  view.info.iterations = result.iterations;
  view.info.seconds = result.seconds.total();
  view.problem = &problem;
  view.x = &solution.x;
  view.measures.energy_error = result.energy.sum;
  return view;
}

class Recorder::Impl {
 public:
  Impl(const std::string& path, const CaptureInfo& info, RecorderOptions options)
      : path_(path), options_(Checked(std::move(options))), writer_(path, info, options_) {}

  bool Chosen(const StepInfo& info) const {
    return info.step % options_.every == 0 && (options_.ring > 0 || options_.iterations_above < 0 ||
                                               info.iterations > options_.iterations_above);
  }

  WriterThread::Buffer Begin(const StepInfo& info);
  bool Submit(WriterThread::Buffer buffer, Clock::time_point begun);
  void Drop(const StepInfo& info, const std::string& why);
  void LeaveOut(WriterThread::Buffer buffer);
  void Close();
  RecorderStatus status() const;

  const std::string path_;
  const RecorderOptions options_;
  WriterThread writer_;

 private:
  mutable std::mutex mutex_;  // guards all that follows
  std::int64_t offered_ = 0;
  std::int64_t left_out_ = 0;
  std::int64_t dropped_ = 0;
  double copy_seconds_ = 0;
  double wait_seconds_ = 0;
  bool said_closed_ = false;
  bool said_dropped_ = false;
  bool said_unread_ = false;
};

WriterThread::Buffer Recorder::Impl::Begin(const StepInfo& info) {
  const bool chosen = Chosen(info);
  WriterThread::Buffer buffer = chosen ? writer_.Take() : nullptr;
  bool say_closed = false;
  {
    const std::lock_guard lock(mutex_);
    ++offered_;
    if (!chosen) ++left_out_;
    if (chosen && !buffer) {
      ++dropped_;
      say_closed = writer_.closed() && !std::exchange(said_closed_, true);
    }
  }
  if (say_closed) {
    writer_.Report(
        {path_.c_str(), ": step ", std::to_string(info.step).c_str(),
         " is offered after the file was closed; it is dropped, as are all that follow"});
  }
  if (buffer) buffer->info = info;
  return buffer;
}

bool Recorder::Impl::Submit(WriterThread::Buffer buffer, Clock::time_point begun) {
  try {
    CheckSizes(*buffer);
    CheckPlaces(*buffer);
    Require(buffer->info.solver.size() < schema::kSolverNameSize, "recorder: the solver's name '",
            buffer->info.solver, "' has more than ", schema::kSolverNameSize - 1, " bytes");
  } catch (...) {
    LeaveOut(std::move(buffer));
    throw;
  }
  const double copied = std::chrono::duration<double>(Clock::now() - begun).count();
  double waited = 0;
  const bool taken = writer_.Push(std::move(buffer), &waited);
  const std::lock_guard lock(mutex_);
  copy_seconds_ += copied;
  wait_seconds_ += waited;
  return taken;
}

void Recorder::Impl::Drop(const StepInfo& info, const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    ++offered_;
    if (!Chosen(info)) {
      ++left_out_;
      return;
    }
    ++dropped_;
    if (std::exchange(said_unread_, true)) return;
  }
  writer_.Report({path_.c_str(), ": step ", std::to_string(info.step).c_str(),
                  " cannot be read and is dropped: ", why.c_str()});
}

void Recorder::Impl::LeaveOut(WriterThread::Buffer buffer) {
  writer_.GiveBack(std::move(buffer));
  const std::lock_guard lock(mutex_);
  ++left_out_;
}

void Recorder::Impl::Close() {
  writer_.Close();
  const RecorderStatus now = status();
  {
    const std::lock_guard lock(mutex_);
    if (now.dropped == 0 || std::exchange(said_dropped_, true)) return;
  }
  writer_.Report({path_.c_str(), ": ", std::to_string(now.dropped).c_str(), " of ",
                  std::to_string(now.dropped + now.written).c_str(),
                  " steps to be kept were dropped"});
}

RecorderStatus Recorder::Impl::status() const {
  RecorderStatus status;
  status.recording = writer_.running();
  status.trouble = writer_.trouble();
  status.written = writer_.written();
  const std::lock_guard lock(mutex_);
  status.offered = offered_;
  status.left_out = left_out_ + writer_.left_out();
  status.dropped = dropped_ + writer_.dropped();
  status.pending = offered_ - status.left_out - status.dropped - status.written;
  status.copy_seconds = copy_seconds_;
  status.wait_seconds = wait_seconds_;
  return status;
}

Recorder::Slot::Slot(Slot&& other) noexcept
    : recorder_(other.recorder_), step_(std::move(other.step_)), begun_(other.begun_) {}

Recorder::Slot& Recorder::Slot::operator=(Slot&& other) noexcept {
  if (this != &other) {
    Release();
    recorder_ = other.recorder_;
    step_ = std::move(other.step_);
    begun_ = other.begun_;
  }
  return *this;
}

void Recorder::Slot::Release() {
  if (step_) recorder_->impl_->LeaveOut(std::move(step_));
}

Recorder::Recorder(const std::string& path, const CaptureInfo& info, RecorderOptions options)
    : impl_(std::make_unique<Impl>(path, info, std::move(options))) {}

Recorder::~Recorder() { impl_->Close(); }

bool Recorder::Wants(const StepInfo& info) const {
  return impl_->Chosen(info) && impl_->writer_.running();
}

Recorder::Slot Recorder::Begin(const StepInfo& info) {
  Slot slot;
  slot.begun_ = Clock::now();
  slot.recorder_ = this;
  slot.step_ = impl_->Begin(info);
  return slot;
}

bool Recorder::Submit(Slot slot) {
  Require(static_cast<bool>(slot), "recorder: an empty slot is submitted");
  return impl_->Submit(std::move(slot.step_), slot.begun_);
}

void Recorder::Drop(const StepInfo& info, const std::string& why) { impl_->Drop(info, why); }

bool Recorder::Record(const StepView& view) {
  Require(view.problem != nullptr, "recorder: a step without a problem");
  Slot slot = Begin(view.info);
  if (!slot) return false;
  slot->problem = *view.problem;
  CopyKnown(view.x0, slot->x0);
  CopyKnown(view.x, slot->x);
  CopyKnown(view.w, slot->w);
  CopyKnown(view.v, slot->v);
  CopyKnown(view.bodies, slot->bodies);
  CopyKnown(view.contacts, slot->contacts);
  CopyKnown(view.poses, slot->poses);
  CopyKnown(view.places, slot->places);
  CopyKnown(view.violation, slot->violation);
  slot->measures = view.measures;
  return Submit(std::move(slot));
}

bool Recorder::Record(const CapturedStep& step) {
  Slot slot = Begin(step.info);
  if (!slot) return false;
  static_cast<CapturedStep&>(*slot) = step;
  return Submit(std::move(slot));
}

void Recorder::AddShapes(std::vector<BodyShape> shapes) {
  for (const BodyShape& shape : shapes) CheckShape(shape);
  if (!shapes.empty()) impl_->writer_.PushShapes(std::move(shapes));
}

void Recorder::Trigger() { impl_->writer_.Trigger(); }
void Recorder::Flush() { impl_->writer_.Flush(); }
void Recorder::Close() { impl_->Close(); }
RecorderStatus Recorder::status() const { return impl_->status(); }
const std::string& Recorder::path() const { return impl_->path_; }

}  // namespace nonsmooth
