// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../common/error/energy_error.h"
#include "../recorders/recording/recorder.h"
#include "extractor.h"
#include "multibody_extractor.h"
#include "step_result.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// Where a simulation is recorded to, and what is measured on the way.
struct Recording {
  Recording() = default;                       ///< nowhere
  Recording(const char* file) : path(file) {}  // NOLINT: one line is all it takes to record
  Recording(std::string file) : path(std::move(file)) {}                        // NOLINT
  Recording(std::shared_ptr<Recorder> shared) : recorder(std::move(shared)) {}  // NOLINT

  std::string path;         ///< of the capture; empty: none
  std::string scene;        ///< free text for it
  RecorderOptions options;  ///< what to keep, and what to do when the disk is slow

  /// Instead of a path: a recorder shared with other solvers, as a btConstraintSolverPoolMt needs.
  std::shared_ptr<Recorder> recorder;

  /// Where a recording that is shared goes on: the number and the time [s] of the first step.
  std::int64_t first_step = 0;
  double first_time = 0;

  /// Measure the energy error of every solve in the simulation's thread, for `measured()`. The
  /// recorder measures for itself, in its own thread.
  bool measure = false;
  Law measure_law{LawKind::kNative, 0};
};

/// CaptureInfo of a simulation in this build of Bullet.
CaptureInfo MakeCaptureInfo(const std::string& scene);

/// Bodies and contacts of a group as a capture has them: what the solve itself does not need.
void FillStates(const Extractor& rows, const SolverPools& pools, CapturedStep& step);
void FillStates(const MultiBodyExtractor& rows, const MultiBodyPools& pools, CapturedStep& step);

/// The part of a recording solver that does not depend on which solver it is. Only reads what
/// Bullet has; all calls come from RecordingSolver or RecordingMultiBodySolver, which have an
/// extractor each and the pools that it reads.
template <class Rows, class Pools>
class BasicTape {
 public:
  explicit BasicTape(Recording recording);

  void BeginStep();
  void EndStep(double h);

  /// Before a group is solved: hands over the shapes of objects that were not seen before.
  void LookAt(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
              int manifold_count);

  /// Once the rows are set up: keeps the problem and where the solver starts.
  void AfterSetup(const Pools& pools, const btContactSolverInfo& info);

  /// Once they are solved, before Bullet writes back.
  void AfterSolve(const Pools& pools, const btContactSolverInfo& info, const char* solver,
                  int iterations, double seconds);

  void AddSeconds(double seconds) { current_.seconds += seconds; }
  const StepResult& measured() const { return measured_; }
  std::int64_t skipped() const { return skipped_; }
  std::int64_t steps() const { return step_; }
  double time() const { return time_; }
  const std::shared_ptr<Recorder>& recorder() const { return recorder_; }

 private:
  StepInfo MakeInfo(const Pools& pools, const btContactSolverInfo& info) const;
  void AddShapes(const btCollisionObject* object, std::vector<BodyShape>& shapes);
  void Skip(const StepInfo& step);
  void Fill(const Pools& pools, CapturedStep& step) const;
  bool Active() const { return recorder_ != nullptr || recording_.measure; }

  Recording recording_;
  std::shared_ptr<Recorder> recorder_;
  Rows extractor_;
  bool extracted_ = false;  ///< the group at hand
  std::string unread_;      ///< why not
  std::vector<double> x0_;
  std::vector<double> x_;
  std::vector<double> w_;
  OperatorWorkspace workspace_;
  FeasibleSet set_;

  std::set<std::uint32_t> seen_;  ///< objects whose shapes the recorder has

  std::int64_t step_ = 0;
  double time_ = 0;  ///< [s]
  StepResult current_;
  StepResult measured_;
  std::int64_t skipped_ = 0;
};

using Tape = BasicTape<Extractor, SolverPools>;
using MultiBodyTape = BasicTape<MultiBodyExtractor, MultiBodyPools>;

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
