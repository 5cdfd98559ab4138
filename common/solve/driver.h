// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "solver_registry.h"

namespace nonsmooth {

/// Solves problems with one solver: validates, prepares, iterates, measures, reports. All results
/// are measured here and in the monitor, the same way for every solver. One driver keeps all
/// workspace; it is not to be used by two threads at once.
class Driver {
 public:
  /// A registered solver by name; throws std::invalid_argument if there is none.
  explicit Driver(std::string_view solver_name);

  /// Any solver; `info` is copied.
  Driver(const SolverInfo& info, std::unique_ptr<Solver> solver);

  const SolverInfo& info() const { return info_; }

  /// The solver's own options, to be set before a solve.
  OptionFields Options() { return solver_->Options(); }

  /// Solves `problem` from `warm_start` (rows() entries) or from zero, if that is null or no better
  /// than zero: last step's impulses may be far off after an impact or where joints were redundant,
  /// and a solver that is stopped early would return them.
  ///
  /// Throws std::invalid_argument for options out of range, a law the solver does not handle, and a
  /// warm start of the wrong size or not finite. Numerical trouble is a status, never an exception.
  /// `result` and `solution` are reused.
  void Solve(const Problem& problem, const SolveOptions& options,
             const std::vector<double>* warm_start, Solution& solution, Result& result,
             const Observer* observer = nullptr);

  /// The same for those who do not mind allocations.
  [[nodiscard]] Result Solve(const Problem& problem, const SolveOptions& options,
                             Solution& solution);

 private:
  void Check(const Problem& problem, const SolveOptions& options,
             const std::vector<double>* warm_start);
  Monitor::Energies ChooseStart(const Problem& problem, const std::vector<double>* warm_start);
  void Finish(const Problem& problem, Solution& solution, Result& result);

  /// How long a part of a solve takes, learnt from the solves before.
  struct Duration {
    double per_row = 0;  ///< [s]; 0: not known yet
    double Expected(int rows) const { return per_row * rows; }
    void Learn(double seconds, int rows);
  };
  void RunUntilDeadline(const Problem& problem, Solution& solution, Result& result);

  SolverInfo info_;
  std::unique_ptr<Solver> solver_;
  OptionFields solver_fields_;                     ///< listed once, since a list allocates
  std::unique_ptr<SolveOptions> checked_options_;  ///< what the next list points at
  OptionFields option_fields_;
  FeasibleSet set_;
  Monitor monitor_;
  std::vector<double> x_;
  std::vector<double> w_start_;
  OperatorWorkspace workspace_;
  Duration prepare_;
  Duration finish_;
  int prepared_rows_ = 0;  ///< of the largest problem so far
  int skips_ = 0;  ///< solves in a row that were not begun because their preparation would not fit
};

}  // namespace nonsmooth
