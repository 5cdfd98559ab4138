// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "../recorders/recording/recorder.h"
#include "alignment.h"
#include "chrono/physics/ChSystem.h"
#include "chrono/solver/ChSolver.h"
#include "step_snapshot.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// What a capture made with Chrono says of itself; `scene` is free text.
CaptureInfo MakeCaptureInfo(const std::string& scene);

/// Wraps any solver, Chrono's own or ours, and records what it is given and what it makes of it:
///
///     sys.SetSolver(chrono_types::make_shared<nonsmooth::chrono::RecordingSolver>(
///         sys, sys.GetSolver(), recorder));
///
/// The simulation is not changed by a bit. A step that cannot be read is not recorded and counted;
/// what goes wrong with the file is the recorder's to tell.
class RecordingSolver : public ::chrono::ChSolver {
 public:
  /// `system`, a ChSystemNSC, outlives this; the others must not be null. Throws
  /// std::invalid_argument otherwise.
  RecordingSolver(::chrono::ChSystem& system, std::shared_ptr<::chrono::ChSolver> solver,
                  std::shared_ptr<Recorder> recorder);

  const std::shared_ptr<::chrono::ChSolver>& solver() const { return solver_; }
  const std::shared_ptr<Recorder>& recorder() const { return recorder_; }

  /// Steps that could not be read and are not in the file; the recorder's status says why.
  std::int64_t skipped() const { return skipped_; }

  // Chrono's spelling; all of it is the wrapped solver's business.
  Type GetType() const override { return solver_->GetType(); }
  bool IsIterative() const override { return solver_->IsIterative(); }
  bool IsDirect() const override { return solver_->IsDirect(); }
  ::chrono::ChIterativeSolver* AsIterative() override { return solver_->AsIterative(); }
  ::chrono::ChDirectSolverLS* AsDirect() override { return solver_->AsDirect(); }
  bool SolveRequiresMatrix() const override { return solver_->SolveRequiresMatrix(); }
  bool Setup(::chrono::ChSystemDescriptor& descriptor, bool analyze) override {
    return solver_->Setup(descriptor, analyze);
  }
  double Solve(::chrono::ChSystemDescriptor& descriptor) override;

 private:
  bool ReadBefore(::chrono::ChSystemDescriptor& descriptor);
  void Record(double seconds);
  void AddShapes();
  void Skip(const char* why);

  std::shared_ptr<::chrono::ChSolver> solver_;
  std::shared_ptr<Recorder> recorder_;
  StepSnapshot snapshot_;
  StepInfo info_;
  std::string name_;
  std::int64_t skipped_ = 0;
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
