// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../solver/solver.h"
#include "learnt_duration.h"
#include "measurement.h"

namespace nonsmooth {

/// Solves one problem, a whole one or an island, with one solver: ends where the start is good
/// enough; prepares, iterates and measures what comes out otherwise. Keeps all workspace.
class SingleSolve {
 public:
  explicit SingleSolve(std::unique_ptr<Solver> solver);

  Solver& solver() { return *solver_; }

  struct Task {
    const FeasibleSet* set = nullptr;
    SolveOptions options;
    Monitor::Clock::time_point start;  ///< of the whole solve, for the deadline and the history
    EnergyError start_energy;          ///< of solution.x as it comes in
    double scale = 0;                  ///< [J] what relative_tolerance is relative to
    bool evaluated = false;            ///< w and v of the solution belong to x
    const Observer* observer = nullptr;

    /// A start that was no better than zero: solution.x is zero, and a solver that smooths begins
    /// here all the same.
    const std::vector<double>* dropped_start = nullptr;
  };

  /// Improves `solution`. Nothing is worse afterwards than the start was, and the status says what
  /// the last measurement found, whatever the solver believes. `result` is filled but for
  /// `islands`; its memory is used again.
  void Solve(const Task& task, Solution& solution, Result& result);

 private:
  void Measure(Solution& solution, Result& result);
  void Iterate(const Task& task, Solution& solution, Result& result);
  bool PrepareInTime(Solution& solution, Result& result);
  void Decide(const Task& task, Solution& solution, Result& result);

  std::unique_ptr<Solver> solver_;
  Monitor monitor_;
  const FeasibleSet* set_ = nullptr;
  std::vector<double> x_;
  std::vector<double> start_x_;
  Measurement measurement_;
  LearntDuration prepare_;
  LearntDuration finish_;
  double begun_ = 0;  ///< [s] after the start of the whole solve
  int skips_ = 0;     ///< solves in a row whose preparation would not have fitted
};

}  // namespace nonsmooth
