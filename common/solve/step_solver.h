// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver.h"

namespace nonsmooth {

/// Solves the steps of a simulation: a driver, with a budget of work for `auto` and a net under it.
///
/// The budget is [s] of a nominal core, counted from the rows and never measured, so that the same
/// problem gives the same bits on any machine (StepBudget()). What `exact` solves within it is
/// solved by `exact`; what is larger, and what that leaves undone, is swept.
///
/// The net: a solution that is worse than zero impulses, adds energy it cannot account for
/// (Objection()), or is not finite, is not returned. `psor` from zero takes its place; if there is
/// an objection to that as well the status is kNumericalFailure and the engine's own solver is to
/// take the step. Result::fallbacks counts, trouble() says why.
class StepSolver {
 public:
  /// As of Driver.
  explicit StepSolver(std::string_view solver_name);

  Driver& driver() { return driver_; }
  const Driver& driver() const { return driver_; }

  /// True if a budget is kept to: others than `auto` have their iterations.
  bool takes_budget() const { return takes_budget_; }

  /// True if so many rows are solved exactly, as a rule: by `exact` within the budget, or by
  /// whoever is `exact` himself.
  bool SolvesExactly(int rows, double budget) const;

  /// As Driver::Solve(), within `budget`.
  void Solve(const Problem& problem, const SolveOptions& options, double budget,
             const std::vector<double>* warm_start, Solution& solution, Result& result);

  /// Why the last solution of the driver was not taken; empty: it was.
  std::string_view trouble() const { return trouble_; }

 private:
  void SolveWithin(const Problem& problem, SolveOptions options, double budget,
                   const std::vector<double>* warm_start, Solution& solution, Result& result);
  Driver& Plain();
  std::string_view Judge(const Problem& problem, const Solution& solution, const Result& result);

  Driver driver_;
  bool takes_budget_ = false;
  std::unique_ptr<Driver> exact_, plain_;
  std::vector<double> x0_;
  std::string_view trouble_;
};

}  // namespace nonsmooth
