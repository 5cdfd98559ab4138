// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "solver_registry.h"

namespace nonsmooth {

/// Solves problems with one solver: validates, chooses the start, takes the problem apart into
/// islands, has each solved, and reports. All results are measured here and in the monitor, the
/// same way for every solver. One driver keeps all workspace; it is not to be used by two threads
/// at once, though it may use several itself.
class Driver {
 public:
  /// A registered solver by name; throws std::invalid_argument if there is none.
  explicit Driver(std::string_view solver_name);

  /// Any solver; `info` is copied. Islands are solved in parallel only if `info.make` makes more of
  /// them.
  Driver(const SolverInfo& info, std::unique_ptr<Solver> solver);

  ~Driver();
  Driver(Driver&&) noexcept;
  Driver& operator=(Driver&&) noexcept;

  const SolverInfo& info() const { return info_; }

  /// The solver's own options, to be set before a solve.
  OptionFields Options();

  /// See Solver::Tuning().
  OptionFields Tuning();

  /// Solves `problem`. Each of its islands starts from its part of `warm_start` (rows() entries) or
  /// from zero, whichever has the smaller error; null stands for zero. An island whose start meets
  /// the tolerance is done, and costs no more than having been measured. Last step's impulses may
  /// be far off after an impact or where joints were redundant: a start that is no better than zero
  /// is never returned, and goes only to solvers that smooth it, Solver::Smooths().
  ///
  /// Throws std::invalid_argument for options out of range, a law the solver does not handle, and a
  /// warm start of the wrong size or not finite. Numerical trouble is a status, never an exception.
  /// `result` and `solution` are reused. The observer is called on this thread; where there are
  /// several islands, with the records of one after the other and the x of all.
  void Solve(const Problem& problem, const SolveOptions& options,
             const std::vector<double>* warm_start, Solution& solution, Result& result,
             const Observer* observer = nullptr);

  /// The same for those who do not mind allocations.
  [[nodiscard]] Result Solve(const Problem& problem, const SolveOptions& options,
                             Solution& solution);

 private:
  struct Workspace;
  void Check(const Problem& problem, const SolveOptions& options,
             const std::vector<double>* warm_start);
  bool ChooseStart(const Problem& problem, const std::vector<double>* warm_start,
                   Solution& solution);
  void ChooseStarts(const Problem& problem, const std::vector<double>* warm_start,
                    Solution& solution);
  void Combine(const SolveOptions& options, Result& result);

  SolverInfo info_;
  std::unique_ptr<SolveOptions> checked_options_;  ///< what the next list points at
  OptionFields option_fields_;
  OptionFields solver_fields_;  ///< listed once, since a list allocates
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace nonsmooth
