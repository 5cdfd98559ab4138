// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/driver.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// The clock of a noisy machine: a repetition of the same work may take this much longer.
constexpr double kReserveMargin = 1.1;

/// Weight of the latest solve in what is expected of the next.
constexpr double kLearn = 0.25;

/// Solves given up beforehand after which it is tried again: the estimate may have been bad luck.
constexpr int kSkipsBeforeRetry = 500;

double SecondsSince(Monitor::Clock::time_point start) {
  return std::chrono::duration<double>(Monitor::Clock::now() - start).count();
}

}  // namespace

Driver::Driver(std::string_view solver_name)
    : Driver(FindSolver(solver_name), FindSolver(solver_name).make()) {}

Driver::Driver(const SolverInfo& info, std::unique_ptr<Solver> solver)
    : info_(info), solver_(std::move(solver)) {
  Require(solver_ != nullptr, "driver: solver is null");
  solver_fields_ = solver_->Options();
  checked_options_ = std::make_unique<SolveOptions>();
  option_fields_ = Fields(*checked_options_);
}

void Driver::Check(const Problem& problem, const SolveOptions& options,
                   const std::vector<double>* warm_start) {
  *checked_options_ = options;
  Validate("options", option_fields_);
  Validate(info_.name, solver_fields_);
  const auto refuse = [this](LawKind law) {
    std::string known;
    for (LawKind kind : info_.laws) known += " " + std::string(ToString(kind));
    Require(false, "solver ", info_.name, " does not handle law ", ToString(law), "; it handles",
            known);
  };
  if (options.law.kind == LawKind::kNative) {
    for (const RowGroup& group : problem.groups()) {
      if (group.kind == GroupKind::kContact && !info_.Handles(group.law.kind)) {
        refuse(group.law.kind);
      }
    }
  } else {
    Require(HasValidFacets(options.law), "options.law = pyramid with ", options.law.facets,
            " facets, expected ", kFewestFacets, " to ", kMostFacets);
    if (!info_.Handles(options.law.kind)) refuse(options.law.kind);
  }
  if (warm_start == nullptr) return;
  RequireSize("solve", "warm_start", warm_start->size(), static_cast<std::size_t>(problem.rows()));
  for (std::size_t i = 0; i < warm_start->size(); ++i) {
    Require(std::isfinite((*warm_start)[i]), "solve: warm_start[", i, "] = ", (*warm_start)[i],
            " is not finite");
  }
}

Monitor::Energies Driver::ChooseStart(const Problem& problem,
                                      const std::vector<double>* warm_start) {
  Monitor::Energies energies;
  energies.free = FreeEnergy(set_);
  energies.start = energies.free;
  energies.scale = std::max(energies.free, LeastScale(problem));
  if (warm_start != nullptr && energies.free > 0) {
    w_start_.resize(warm_start->size());
    problem.dynamics().ConstraintVelocity(warm_start->data(), w_start_.data(), workspace_);
    const double energy =
        MeasureEnergy(set_, energies.free, warm_start->data(), w_start_.data()).sum;
    if (energy < energies.free) {  // a NaN is not
      energies.start = energy;
      x_ = *warm_start;
      return energies;
    }
  }
  x_.assign(problem.rows(), 0.0);
  return energies;
}

void Driver::Finish(const Problem& problem, Solution& solution, Result& result) {
  const Dynamics& dynamics = problem.dynamics();
  solution.w.resize(solution.x.size());
  solution.v.resize(dynamics.velocity_size());
  dynamics.Evaluate(solution.x.data(), solution.w.data(), solution.v.data(), workspace_);
  result.energy =
      MeasureEnergy(set_, result.energy.free_energy, solution.x.data(), solution.w.data());
}

void Driver::Duration::Learn(double seconds, int rows) {
  const double latest = seconds / rows;
  per_row = per_row == 0 ? latest : per_row + kLearn * (std::min(latest, 2 * per_row) - per_row);
}

void Driver::RunUntilDeadline(const Problem& problem, Solution& solution, Result& result) {
  const int rows = problem.rows();
  if (finish_.per_row == 0) {
    // What the end of a solve takes is found out by doing it once on the starting point.
    const double before = monitor_.Seconds();
    Finish(problem, solution, result);
    finish_.Learn(monitor_.Seconds() - before, rows);
  }
  const double finish = kReserveMargin * finish_.Expected(rows);
  monitor_.ReserveTime(finish + (skips_ < kSkipsBeforeRetry ? prepare_.Expected(rows) : 0));
  if (monitor_.OutOfTime()) {
    // Not even the preparation would fit: the start is returned, measured, in time.
    ++skips_;
    return;
  }
  skips_ = 0;
  const double before = monitor_.Seconds();
  monitor_.ReserveTime(finish);
  solver_->Prepare(set_);
  result.seconds.prepare = monitor_.Seconds();
  // A first preparation pays for memory and says nothing about the next.
  if (rows <= prepared_rows_) prepare_.Learn(result.seconds.prepare - before, rows);
  prepared_rows_ = std::max(prepared_rows_, rows);
  solver_->Run(x_, monitor_);
}

void Driver::Solve(const Problem& problem, const SolveOptions& options,
                   const std::vector<double>* warm_start, Solution& solution, Result& result,
                   const Observer* observer) {
  const Monitor::Clock::time_point start = Monitor::Clock::now();
  std::vector<IterationRecord> history = std::move(result.history);
  std::string remark = std::move(result.remark);
  remark.clear();
  result = Result();
  result.remark = std::move(remark);
  Check(problem, options, warm_start);
  if (problem.rows() == 0) {
    solution.x.clear();
    solution.w.clear();
    solution.v.resize(problem.shared_dynamics() ? problem.dynamics().velocity_size() : 0);
    if (problem.shared_dynamics()) problem.dynamics().FreeVelocity(solution.v.data());
    result.status = Status::kConverged;
    return;
  }

  set_.Reset(problem, options.law, warm_start != nullptr ? warm_start->data() : nullptr);
  const Monitor::Energies energies = ChooseStart(problem, warm_start);
  result.energy.free_energy = energies.free;
  solution.x = x_;
  monitor_.history().swap(history);
  monitor_.Start(set_, options, energies, start, observer, &solution.x);
  const bool in_time = options.deadline < std::numeric_limits<double>::infinity();
  try {
    if (monitor_.status() != Status::kNotRun) {
      // The start is the solution: nothing is to be prepared.
    } else if (in_time) {
      RunUntilDeadline(problem, solution, result);
    } else {
      solver_->Prepare(set_);
      result.seconds.prepare = monitor_.Seconds();
      solver_->Run(x_, monitor_);
    }
    if (monitor_.status() == Status::kNotRun) monitor_.Stop(Status::kStalled, "the solver gave up");
  } catch (const std::exception& error) {
    // A factorisation out of memory, an Eigen assertion turned exception: the best iterate stands.
    monitor_.Stop(Status::kNumericalFailure, std::string("the solver threw: ") + error.what());
  }
  result.status = monitor_.status();
  result.iterations = std::max(0, monitor_.iterations());
  result.best_iteration = monitor_.best_iteration();
  result.fallbacks = monitor_.fallbacks();
  monitor_.WriteRemark(&result.remark);
  result.bound = monitor_.bound();
  result.seconds.iterate = monitor_.Seconds() - result.seconds.prepare;
  Finish(problem, solution, result);
  result.history.swap(monitor_.history());
  result.seconds.finish = SecondsSince(start) - result.seconds.prepare - result.seconds.iterate;
  if (in_time) finish_.Learn(result.seconds.finish, problem.rows());
}

Result Driver::Solve(const Problem& problem, const SolveOptions& options, Solution& solution) {
  Result result;
  Solve(problem, options, nullptr, solution, result);
  return result;
}

}  // namespace nonsmooth
