// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../common/solve/driver.h"
#include "chrono/solver/ChIterativeSolver.h"
#include "chrono/solver/ChSolverVI.h"
#include "extractor.h"
#include "options.h"

namespace nonsmooth::chrono {

/// Puts any registered solver into a Chrono simulation:
///
///     sys.SetSolver(chrono_types::make_shared<nonsmooth::chrono::Solver>(options));
///
/// for a ChSystemNSC and the steppers that pose the complementarity problem at the level of
/// velocities, ChTimestepperEulerImplicitLinearized and ChTimestepperEulerImplicitProjected.
///
/// Chrono's stack never sees an exception from here. Where a problem cannot be read or its solution
/// is not finite, Chrono's own PSOR stands in, as if the plugin were not there. Where that cannot
/// do it either (it refuses stiffness blocks), velocities stay as they were and constraints carry
/// nothing in this step. fallbacks() counts, failure() says why.
class Solver : public ::chrono::ChIterativeSolver, public ::chrono::ChSolverVI {
 public:
  /// Throws std::invalid_argument for an unknown solver or an option out of range.
  explicit Solver(const Options& options = Options());
  ~Solver() override;

  const Options& options() const { return options_; }

  /// May be changed between steps. What is out of range then makes the next Solve() fall back.
  SolveOptions& solve_options() { return options_.solve; }

  /// Of the last Solve(). After a fallback the status is kNotRun.
  const Result& result() const { return result_; }

  /// The problem of the last Solve() and its solution, in the order of its rows; see Extractor.
  const Problem& problem() const { return extractor_.problem(); }
  const Solution& solution() const { return solution_; }
  const Extractor& extractor() const { return extractor_; }

  /// [s] What the last Solve() took to read the descriptor and to write it.
  double read_seconds() const { return read_seconds_; }
  double write_seconds() const { return write_seconds_; }

  int solves() const { return solves_; }                   ///< calls of Solve() so far
  int fallbacks() const { return fallbacks_; }             ///< of them that Chrono's PSOR had to do
  const std::string& failure() const { return failure_; }  ///< why it last had to; else empty

  // Chrono's spelling.
  bool IsIterative() const override { return true; }
  bool IsDirect() const override { return false; }
  ::chrono::ChIterativeSolver* AsIterative() override { return this; }
  bool SolveRequiresMatrix() const override { return true; }

  /// The energy error of what was written [J].
  double Solve(::chrono::ChSystemDescriptor& descriptor) override;

  void SetMaxIterations(int max_iterations) override;
  int GetIterations() const override { return result_.iterations; }
  double GetError() const override { return result_.energy.sum; }

 private:
  bool TrySolve(::chrono::ChSystemDescriptor& descriptor);
  void FallBack(::chrono::ChSystemDescriptor& descriptor);

  Options options_;
  Driver driver_;
  Extractor extractor_;
  Solution solution_;
  Result result_;
  double read_seconds_ = 0;
  double write_seconds_ = 0;
  int solves_ = 0;
  int fallbacks_ = 0;
  std::string failure_;
};

}  // namespace nonsmooth::chrono
