// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/recording_solver.h"

#include <chrono>
#include <exception>
#include <utility>

#include "chrono/ChVersion.h"
#include "chrono/solver/ChIterativeSolver.h"
#include "chrono_plugin/solver.h"
#include "common/util/check.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using Clock = std::chrono::steady_clock;

/// "chrono:PSOR", or our solver's own name.
std::string NameOf(::chrono::ChSolver& solver) {
  if (auto* ours = dynamic_cast<Solver*>(&solver)) return ours->options().solver;
  return "chrono:" + solver.GetTypeAsString();
}

}  // namespace

CaptureInfo MakeCaptureInfo(const std::string& scene) {
  CaptureInfo info;
  info.engine = "chrono";
  info.engine_version = CHRONO_VERSION;
  info.scalar = ScalarType::kFloat64;
  info.scene = scene;
  return info;
}

RecordingSolver::RecordingSolver(::chrono::ChSystem& system,
                                 std::shared_ptr<::chrono::ChSolver> solver,
                                 std::shared_ptr<Recorder> recorder)
    : solver_(std::move(solver)), recorder_(std::move(recorder)), snapshot_(system) {
  Require(solver_ != nullptr, "recording solver: the solver to wrap is null");
  Require(recorder_ != nullptr, "recording solver: the recorder is null");
  Require(system.GetContactMethod() == ::chrono::ChContactMethod::NSC,
          "recording solver: contacts of a ChSystemSMC are forces that no solver sees");
  name_ = NameOf(*solver_);
}

double RecordingSolver::Solve(::chrono::ChSystemDescriptor& descriptor) {
  const bool recorded = ReadBefore(descriptor);
  const Clock::time_point start = Clock::now();
  const double result = solver_->Solve(descriptor);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (recorded) Record(seconds);
  return result;
}

bool RecordingSolver::ReadBefore(::chrono::ChSystemDescriptor& descriptor) {
  try {
    info_ = snapshot_.Info();
    info_.solver = name_;
    if (!recorder_->Wants(info_)) return false;
    snapshot_.Before(descriptor);
    return true;
  } catch (const std::exception& trouble) {
    Skip(trouble.what());
    return false;
  }
}

void RecordingSolver::Skip(const char* why) {
  ++skipped_;
  try {
    recorder_->Drop(info_, why);
  } catch (...) {
    // A listener that throws, or no memory for a message: the count is right all the same.
  }
}

void RecordingSolver::AddShapes() {
  try {
    recorder_->AddShapes(snapshot_.NewShapes());
  } catch (const std::exception&) {
    // Shapes that are no numbers: those who look at the capture see a box instead.
  }
}

void RecordingSolver::Record(double seconds) {
  try {
    info_.seconds = seconds;
    ::chrono::ChIterativeSolver* iterative = solver_->AsIterative();
    info_.iterations = iterative != nullptr ? iterative->GetIterations() : -1;
    Recorder::Slot slot = recorder_->Begin(info_);
    if (!slot) return;
    AddShapes();
    snapshot_.After(*slot);
    recorder_->Submit(std::move(slot));
  } catch (const std::exception&) {
    ++skipped_;
  }
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
