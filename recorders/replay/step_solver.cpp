// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/step_solver.h"

#include <algorithm>
#include <cmath>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// The laws that a solve of this problem has to handle.
std::vector<Law> LawsOf(const Problem& problem, const Law& law) {
  if (law.kind != LawKind::kNative) return {law};
  std::vector<Law> laws;
  for (const RowGroup& group : problem.groups()) {
    if (group.kind != GroupKind::kContact) continue;
    if (std::find(laws.begin(), laws.end(), group.law) == laws.end()) laws.push_back(group.law);
  }
  return laws;
}

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

StepSolver::StepSolver(const ReplayOptions& options)
    : options_(options), previous_(options.solvers.size()) {
  for (const std::string& name : options.solvers) drivers_.emplace_back(name);
  for (const SolverSetting& setting : options.settings) {
    bool found = false;
    for (Driver& driver : drivers_) {
      if (driver.info().name != setting.solver) continue;
      Set(setting.solver, driver.Options(), setting.name, setting.value);
      found = true;
    }
    Require(found, "option ", setting.solver, ".", setting.name,
            " is for a solver that is not run");
  }
  SolveOptions copy = options.solve;
  Validate("options", Fields(copy));
}

void StepSolver::Describe(const CapturedStep& step, ReplayRecord* record) const {
  record->info = step.info;
  record->contacts = step.problem.contacts();
  record->rows = step.problem.rows();
  const std::vector<Law> laws = LawsOf(step.problem, options_.solve.law);
  record->law = laws.empty()      ? ToString(options_.solve.law)
                : laws.size() > 1 ? "mixed"
                                  : ToString(laws.front());
}

void StepSolver::Measure(const Problem& problem, const double* frozen_at, ReplayRecord* record) {
  if (problem.rows() == 0) return;
  set_.Reset(problem, options_.solve.law, frozen_at);
  record->errors = MeasureErrors(set_, record->solution.x.data(), record->solution.w.data());
}

const std::vector<double>* StepSolver::StartOf(int s, const CapturedStep& step) {
  switch (options_.warm_start) {
    case StartFrom::kNone:
      return nullptr;
    case StartFrom::kCaptured:
      return step.x0.empty() ? nullptr : &step.x0;
    case StartFrom::kPrevious:
      previous_[s][{step.info.island, step.info.solve}].Load(step.problem, start_);
      return &start_;
  }
  return nullptr;
}

void StepSolver::Solve(int s, const CapturedStep& step, ReplayRecord* record) {
  Driver& driver = drivers_[s];
  const std::vector<Law> laws = LawsOf(step.problem, options_.solve.law);
  const bool handles = std::all_of(laws.begin(), laws.end(), [&driver](const Law& law) {
    return driver.info().Handles(law.kind);
  });
  if (!handles && options_.skip_unsuitable) return;
  Describe(step, record);
  record->solver = driver.info().name;
  const std::vector<double>* start = StartOf(s, step);
  Result result;
  try {
    driver.Solve(step.problem, options_.solve, start, record->solution, result);
  } catch (const std::exception& error) {
    record->status = ToString(Status::kNotRun);
    record->remark = error.what();
    record->failed = true;
    record->solution = Solution();
    return;
  }
  record->status = ToString(result.status);
  record->remark = result.remark;
  record->failed = result.status == Status::kNumericalFailure;
  record->iterations = result.iterations;
  record->best_iteration = result.best_iteration;
  record->seconds = result.seconds;
  record->total_seconds = result.seconds.total();
  record->history = std::move(result.history);
  Measure(step.problem, start != nullptr ? start->data() : nullptr, record);
  if (options_.warm_start == StartFrom::kPrevious && AllFinite(record->solution.x)) {
    previous_[s][{step.info.island, step.info.solve}].Store(step.problem, record->solution.x);
  }
}

void StepSolver::MeasureEngine(const CapturedStep& step, ReplayRecord* record) {
  const auto rows = static_cast<std::size_t>(step.problem.rows());
  if (rows == 0 || step.x.size() != rows) return;
  Describe(step, record);
  record->solver = kEngineName;
  record->status = "captured";
  record->remark = step.info.solver;
  record->iterations = step.info.iterations;
  record->total_seconds = step.info.seconds;
  record->solution.x = step.x;
  if (!AllFinite(step.x)) {
    record->remark = "the captured solution is not finite";
    record->solution = Solution();
    return;
  }
  record->solution.w.resize(rows);
  record->solution.v.resize(step.problem.dynamics().velocity_size());
  step.problem.dynamics().Evaluate(step.x.data(), record->solution.w.data(),
                                   record->solution.v.data(), workspace_);
  // Law `box` is frozen where it is for the solvers.
  const bool frozen = options_.warm_start != StartFrom::kNone && step.x0.size() == rows;
  Measure(step.problem, frozen ? step.x0.data() : nullptr, record);
}

}  // namespace nonsmooth
