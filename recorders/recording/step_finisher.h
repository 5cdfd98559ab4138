// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../common/law/feasible_set.h"
#include "../capture/capture_info.h"
#include "recorder.h"

namespace nonsmooth {

/// What the writer's thread does to a step before it is written. Keeps its memory between steps.
class StepFinisher {
 public:
  StepFinisher(ScalarType scalar, bool measure) : scalar_(scalar), measure_(measure) {}

  /// Makes bodies and contacts from poses and places. Rounds states, geometry and solution to
  /// float32 if that is the file's scalar; then, if asked to measure, adds w = A x + b, v and the
  /// errors of (x, w) under the native law where x is known and they are not. The problem itself is
  /// left alone.
  void Finish(RecordedStep& step);

 private:
  void Measure(CapturedStep& step);
  void AddVelocities(CapturedStep& step);

  ScalarType scalar_;
  bool measure_;
  FeasibleSet set_;
  OperatorWorkspace workspace_;
  std::vector<double> w_;
  std::vector<double> v_;
};

}  // namespace nonsmooth
