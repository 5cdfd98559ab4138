// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/single_solve.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "common/util/check.h"
#include "common/util/thread_team.h"

namespace nonsmooth {
namespace {

/// The clock of a noisy machine: a repetition of the same work may take this much longer.
constexpr double kReserveMargin = 1.1;

/// Solves given up beforehand after which it is tried again: the estimate may have been bad luck.
constexpr int kSkipsBeforeRetry = 20;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What is larger would overflow at the first step.
bool Bounded(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::abs(value) < 1e100; });
}

}  // namespace

SingleSolve::SingleSolve(std::unique_ptr<Solver> solver) : solver_(std::move(solver)) {
  Require(solver_ != nullptr, "driver: solver is null");
}

void SingleSolve::Measure(Solution& solution, Result& result) {
  measurement_.Evaluate(set_->problem(), solution);
  result.energy = measurement_.Measure(*set_, result.energy.free_energy, solution);
}

void SingleSolve::Solve(const Task& task, Solution& solution, Result& result) {
  set_ = task.set;
  const int threads = ThreadCount(task.options.threads);
  measurement_.UseThreads(threads);
  solver_->UseThreads(threads);
  result.Clear();
  result.energy = task.start_energy;
  monitor_.history().swap(result.history);
  const EnergyError& at_start = task.start_energy;
  const bool rough =
      task.dropped_start != nullptr && solver_->Smooths() && Bounded(*task.dropped_start);
  monitor_.Start(*set_, task.options, {at_start.free_energy, at_start.sum, task.scale, rough},
                 task.start, task.observer, &solution.x);
  x_ = rough ? *task.dropped_start : solution.x;
  begun_ = monitor_.Seconds();
  const bool iterate = monitor_.status() == Status::kNotRun && task.options.max_iterations > 0;
  if (iterate) {
    Iterate(task, solution, result);
  } else {
    // The start is what is returned: nothing is to be prepared.
    if (monitor_.status() == Status::kNotRun) monitor_.Stop(Status::kIterationLimit);
    if (!task.evaluated) Measure(solution, result);
  }
  const double iterated = monitor_.Seconds();
  result.status = monitor_.status();
  result.iterations = std::max(0, monitor_.iterations());
  result.best_iteration = monitor_.best_iteration();
  result.fallbacks = monitor_.fallbacks();
  monitor_.WriteRemark(&result.remark);
  result.bound = monitor_.bound();
  result.seconds.iterate = iterated - begun_ - result.seconds.prepare;
  if (iterate) Decide(task, solution, result);
  result.history.swap(monitor_.history());
  result.seconds.finish = monitor_.Seconds() - iterated;
  finish_.Learn(result.seconds.finish, set_->problem().rows(), true);
}

void SingleSolve::Iterate(const Task& task, Solution& solution, Result& result) {
  start_x_ = solution.x;
  try {
    if (task.options.deadline < kInfinity) {
      if (!PrepareInTime(solution, result)) return;
    } else {
      solver_->Prepare(*set_);
      result.seconds.prepare = monitor_.Seconds() - begun_;
    }
    solver_->Run(x_, monitor_);
    if (monitor_.status() == Status::kNotRun) monitor_.Stop(Status::kStalled, "the solver gave up");
  } catch (const std::exception& trouble) {
    // A factorisation out of memory, an Eigen assertion turned exception: the best iterate stands.
    monitor_.Stop(Status::kNumericalFailure, std::string("the solver threw: ") + trouble.what());
  }
}

bool SingleSolve::PrepareInTime(Solution& solution, Result& result) {
  const int rows = set_->problem().rows();
  if (finish_.Expected(rows) == 0) {
    // What the end of a solve takes is found out by doing it once on the starting point.
    const double before = monitor_.Seconds();
    Measure(solution, result);
    finish_.Learn(monitor_.Seconds() - before, rows, true);
  }
  const double finish = kReserveMargin * finish_.Expected(rows);
  monitor_.ReserveTime(finish + (skips_ < kSkipsBeforeRetry ? prepare_.Expected(rows) : 0));
  if (monitor_.OutOfTime()) {
    // Not even the preparation would fit: the start is returned, measured, in time.
    ++skips_;
    return false;
  }
  skips_ = 0;
  const double before = monitor_.Seconds();
  monitor_.ReserveTime(finish);
  solver_->Prepare(*set_);
  const double after = monitor_.Seconds();
  result.seconds.prepare = after - begun_;
  prepare_.Learn(after - before, rows, false);
  return true;
}

void SingleSolve::Decide(const Task& task, Solution& solution, Result& result) {
  const double at_start = task.start_energy.sum;
  Measure(solution, result);
  const bool worse = !(result.energy.sum <= at_start) && std::isfinite(at_start);
  // Near the least error of rows that contradict each other the start may be as good.
  if (worse && task.options.least_error && result.status != Status::kContradictory) {
    // The solver took for an improvement what was none, such as sums that have lost their digits.
    solution.x = start_x_;
    Measure(solution, result);
    result.best_iteration = 0;
  }
  if (!std::isfinite(result.energy.sum)) {
    result.status = Status::kNumericalFailure;
  } else if (result.energy.sum <= monitor_.tolerance()) {
    result.status = Status::kConverged;
  } else if (result.status == Status::kConverged) {
    result.status = Status::kStalled;
    result.remark = "the solver took itself for converged, the final measurement does not";
  }
}

}  // namespace nonsmooth
