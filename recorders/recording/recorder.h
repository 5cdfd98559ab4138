// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "../../common/solver/option_field.h"
#include "../../common/solver/result.h"
#include "../capture/capture_writer.h"

namespace nonsmooth {

/// What to keep, and what to do when the disk is slower than the simulation. A step is kept if all
/// conditions hold; a negative one always does.
struct RecorderOptions {
  /// [steps] Only time steps whose number is a multiple of this, with all their islands.
  int every = 1;

  /// [J] Only steps with an energy error above this; a step without a solution has none.
  double energy_error_above = -1;

  /// [iterations] Only steps for which the engine's solver took more than this.
  int iterations_above = -1;

  /// [subproblems] If positive, the last so many are held in memory. They go to the file when a
  /// step meets the two conditions above (if one of them is set), that step being the last of them,
  /// or when Trigger() is called. What was never triggered is left out.
  int ring = 0;

  /// [subproblems] That may wait for the writer. 8 bridge a hiccup of the disk at little memory.
  int queue = 8;

  /// With a full queue a step is dropped and counted. By default the simulation waits instead.
  bool drop_when_full = false;

  /// The writer's thread adds w, v and the errors of a solution where they are not known.
  bool measure = true;

  CaptureWriterOptions file;

  /// Gets a message, "file: object: cause …", at most once each: about the first step that is
  /// refused, about why the recorder stopped, about steps offered after Close(), and, when all is
  /// over, about how many steps were dropped. Called on the thread that constructs, records, writes
  /// or closes; must not call the recorder.
  std::function<void(const std::string&)> on_trouble;
};

/// All but `on_trouble` and, of `file`, what is no matter of speed.
OptionFields Fields(RecorderOptions& options);

/// Counts of subproblems; offered = left_out + written + dropped + pending.
struct RecorderStatus {
  bool recording = false;     ///< neither closed nor in trouble
  std::int64_t offered = 0;   ///< asked for by Begin() or Record()
  std::int64_t left_out = 0;  ///< by choice
  std::int64_t written = 0;   ///< committed
  std::int64_t dropped = 0;   ///< lost: queue full, file failed or closed, step refused
  std::int64_t pending = 0;   ///< being filled, in the queue or in the ring
  double copy_seconds = 0;    ///< [s] of the simulation's thread, between Begin() and Submit()
  double wait_seconds = 0;    ///< [s] of the simulation's thread, for room in the queue
  std::string trouble;        ///< the first message; empty: all is well
};

/// What a problem does not tell of a body.
struct BodyPose {
  std::int64_t id = 0;
  std::array<double, 3> position{};
  std::array<double, 4> quaternion{1, 0, 0, 0};
};

/// What a problem does not tell of a contact.
struct ContactPlace {
  std::array<double, 3> point{};
  double gap = 0;
  double restitution = 0;
  double cohesion = 0;
};

/// A step on its way to the file. Where the problem has the two-body form, `poses` and `places` may
/// be given instead of `bodies` and `contacts`: they are a third of the size, and the writer's
/// thread finds the rest (masses, inertia, pairs, normals, tangents) in the problem.
struct RecordedStep : CapturedStep {
  std::vector<BodyPose> poses;
  std::vector<ContactPlace> places;
};

/// A subproblem by what the engine's side has at hand; nothing is owned, null: not known.
struct StepView {
  StepInfo info;
  const Problem* problem = nullptr;
  const std::vector<double>* x0 = nullptr;
  const std::vector<double>* x = nullptr;
  const std::vector<double>* w = nullptr;
  const std::vector<double>* v = nullptr;
  const std::vector<BodyState>* bodies = nullptr;
  const std::vector<ContactGeometry>* contacts = nullptr;
  const std::vector<BodyPose>* poses = nullptr;
  const std::vector<ContactPlace>* places = nullptr;
  const std::vector<double>* violation = nullptr;
  StepMeasures measures;
};

/// The view of a solve by a Driver: x, iterations, seconds, energy error. w and v follow from x and
/// are left to the writer's thread, which finds the same bits.
StepView ViewOf(StepInfo info, const Problem& problem, const Solution& solution,
                const Result& result);

/// Records a running simulation into a capture. The simulation's thread copies into a buffer that
/// is reused, and shares the problem; a thread of the recorder's own does everything else.
///
/// The simulation never fails because of the recorder: where the file cannot be made or written,
/// the recorder stops, says so, counts what it drops, and the file stays valid to its last
/// commit. Only a caller's mistake (options out of range, vectors of a wrong size) throws, a
/// std::invalid_argument.
///
/// In a float32 file the problem has to be float32 exactly; states, geometry and solution are
/// rounded.
class Recorder {
 public:
  /// One buffer, between Begin() and Submit(). Given back unused if it is not submitted, which
  /// counts as left out. Must not outlive the recorder.
  class Slot {
   public:
    Slot() = default;
    ~Slot() { Release(); }
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&& other) noexcept;

    /// False: the step is not wanted, or cannot be taken. Nothing is to be filled then.
    explicit operator bool() const { return step_ != nullptr; }

    /// `info` is set; everything else is empty or unknown, with the memory of former steps.
    RecordedStep& operator*() const { return *step_; }
    RecordedStep* operator->() const { return step_.get(); }

   private:
    friend class Recorder;
    void Release();

    Recorder* recorder_ = nullptr;
    std::unique_ptr<RecordedStep> step_;
    std::chrono::steady_clock::time_point begun_;
  };

  /// Replaces an existing file, as CaptureWriter does.
  Recorder(const std::string& path, const CaptureInfo& info, RecorderOptions options = {});
  ~Recorder();  ///< Close()
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Whether Begin() with this would give a buffer; costs next to nothing, counts nothing.
  bool Wants(const StepInfo& info) const;

  /// A buffer to be filled, after the engine has solved: `info.iterations` counts.
  Slot Begin(const StepInfo& info);

  /// Hands the buffer to the writer's thread; waits for room in the queue, if it is to. Throws
  /// std::invalid_argument as CheckSizes() says, for poses and places too. True: the step is on its
  /// way.
  bool Submit(Slot slot);

  /// A step that was to be kept, but could not be read: counted as dropped, and the first one told.
  void Drop(const StepInfo& info, const std::string& why);

  /// Begin(), copy, Submit(). All of these may be called by several threads at once.
  bool Record(const StepView& view);
  bool Record(const CapturedStep& step);

  /// What bodies look like, once for each: goes to the file with the next step that is written, and
  /// is left out where the file has the body's shapes already. Throws std::invalid_argument as
  /// CheckShape() says.
  void AddShapes(std::vector<BodyShape> shapes);

  /// Writes what is in the ring, up to the last step submitted.
  void Trigger();

  /// Waits until everything submitted so far is written, or dropped, or in the ring.
  void Flush();

  /// Writes what is left, finishes the file; steps offered later are dropped.
  void Close();

  /// At any time, from any thread.
  RecorderStatus status() const;
  const std::string& path() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nonsmooth
