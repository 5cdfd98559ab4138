// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/step_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/solve/step_guard.h"

namespace nonsmooth {
namespace {

/// [s, nominal] Of a row in a sweep, a row in an iteration of `exact`, and the iterations that
/// `exact` takes as a rule: docs/benchmarks.md.
constexpr double kSweptRow = 4e-9;
constexpr double kExactRow = 50e-9;
constexpr int kExactIterations = 25;

/// Iterations of a solve that stands in: enough for a step that is better than none.
constexpr int kPlainIterations = 50;

bool Finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

StepSolver::StepSolver(std::string_view solver_name)
    : driver_(solver_name), takes_budget_(solver_name == "auto") {}

bool StepSolver::SolvesExactly(int rows, double budget) const {
  if (!takes_budget_) return driver_.info().name == "exact";
  return budget < std::numeric_limits<double>::infinity() &&
         kExactIterations * kExactRow * rows <= budget;
}

Driver& StepSolver::Plain() {
  if (plain_ == nullptr) plain_ = std::make_unique<Driver>("psor");
  return *plain_;
}

void StepSolver::SolveWithin(const Problem& problem, SolveOptions options, double budget,
                             const std::vector<double>* warm_start, Solution& solution,
                             Result& result) {
  const double rows = problem.rows();
  const int sweeps = static_cast<int>(std::min(1e6, budget / (kSweptRow * rows)));
  const int exact = static_cast<int>(std::min(1e6, budget / (kExactRow * rows)));
  const bool fits = SolvesExactly(problem.rows(), budget);
  if (fits) {
    if (exact_ == nullptr) exact_ = std::make_unique<Driver>("exact");
    options.max_iterations = exact;
    exact_->Solve(problem, options, warm_start, solution, result);
    if (result.status != Status::kIterationLimit) return;
    // Half-way an exact method may have little to show: sweeps go on.
    x0_ = solution.x;
    warm_start = &x0_;
  }
  const int fallbacks = result.fallbacks;
  options.max_iterations = std::max(1, sweeps);
  Plain().Solve(problem, options, warm_start, solution, result);
  if (fits) result.fallbacks += fallbacks + 1;
}

std::string_view StepSolver::Judge(const Problem& problem, const Solution& solution,
                                   const Result& result) {
  if (result.status == Status::kNumericalFailure) return "broke down numerically";
  if (!Finite(solution.x) || !Finite(solution.v)) return "has a solution that is not finite";
  return Objection(problem, solution, result);
}

void StepSolver::Solve(const Problem& problem, const SolveOptions& options, double budget,
                       const std::vector<double>* warm_start, Solution& solution, Result& result) {
  const bool within =
      takes_budget_ && problem.rows() > 0 && budget < std::numeric_limits<double>::infinity();
  if (within) {
    SolveWithin(problem, options, budget, warm_start, solution, result);
  } else {
    driver_.Solve(problem, options, warm_start, solution, result);
  }
  trouble_ = problem.rows() > 0 ? Judge(problem, solution, result) : std::string_view();
  if (trouble_.empty()) return;
  const int fallbacks = result.fallbacks + 1;
  SolveOptions plain = options;
  plain.max_iterations = kPlainIterations;
  Plain().Solve(problem, plain, nullptr, solution, result);
  if (!Judge(problem, solution, result).empty()) result.status = Status::kNumericalFailure;
  result.fallbacks = fallbacks;
}

}  // namespace nonsmooth
