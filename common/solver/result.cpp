// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/result.h"

#include <utility>

namespace nonsmooth {

void Result::Clear() {
  std::vector<IterationRecord> records = std::move(history);
  std::string text = std::move(remark);
  records.clear();
  text.clear();
  *this = Result();
  history = std::move(records);
  remark = std::move(text);
}

std::string_view ToString(Status status) {
  switch (status) {
    case Status::kNotRun:
      return "not_run";
    case Status::kConverged:
      return "converged";
    case Status::kStalled:
      return "stalled";
    case Status::kIterationLimit:
      return "iteration_limit";
    case Status::kDeadline:
      return "deadline";
    case Status::kNumericalFailure:
      return "numerical_failure";
    case Status::kContradictory:
      return "contradictory";
  }
  return "unknown";
}

}  // namespace nonsmooth
