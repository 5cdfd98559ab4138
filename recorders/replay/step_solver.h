// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "../../common/solver/warm_start.h"
#include "replay.h"

namespace nonsmooth {

/// One thread's drivers, and what they need to solve step after step.
class StepSolver {
 public:
  /// Throws std::invalid_argument for unknown solvers, options and values. `options` must outlive
  /// this.
  explicit StepSolver(const ReplayOptions& options);

  /// Solves with solver number `s` of the options; leaves `record` alone if the solver does not
  /// handle the law and is to be left out then.
  void Solve(int s, const CapturedStep& step, ReplayRecord* record);

  /// Measures the engine's own solution; leaves `record` alone if there is none.
  void MeasureEngine(const CapturedStep& step, ReplayRecord* record);

  /// Before the first step of another file.
  void Forget() { previous_.assign(previous_.size(), {}); }

 private:
  const std::vector<double>* StartOf(int s, const CapturedStep& step);
  void Describe(const CapturedStep& step, ReplayRecord* record) const;
  void Measure(const Problem& problem, const double* frozen_at, ReplayRecord* record);

  const ReplayOptions& options_;
  std::vector<Driver> drivers_;
  /// Of each solver, by island and solve: those are different subproblems of one time step.
  std::vector<std::map<std::pair<int, int>, WarmStart>> previous_;
  std::vector<double> start_;
  FeasibleSet set_;
  OperatorWorkspace workspace_;
};

}  // namespace nonsmooth
