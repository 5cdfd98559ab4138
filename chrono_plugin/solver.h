// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../common/solve/step_solver.h"
#include "alignment.h"
#include "chrono/solver/ChIterativeSolver.h"
#include "chrono/solver/ChSolverVI.h"
#include "extractor.h"
#include "options.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// Puts any registered solver into a Chrono simulation:
///
///     sys.SetSolver(chrono_types::make_shared<nonsmooth::chrono::Solver>(options));
///
/// for a ChSystemNSC and the steppers that pose the complementarity problem at the level of
/// velocities, ChTimestepperEulerImplicitLinearized and ChTimestepperEulerImplicitProjected.
///
/// Chrono's stack never sees an exception from here. Where a problem cannot be read or its solution
/// breaks down numerically, Options::stand_in takes the step. Where that cannot either, velocities
/// stay as they were and constraints carry nothing in this step. fallbacks() counts, trouble() says
/// why, and Options::on_trouble hears of the first.
class Solver : public ::chrono::ChIterativeSolver, public ::chrono::ChSolverVI {
 public:
  /// Throws std::invalid_argument for an unknown solver or an option out of range.
  explicit Solver(const Options& options = Options());
  ~Solver() override;

  /// As they are now, what Chrono's SetMaxIterations(), SetTolerance() and EnableWarmStart() have
  /// changed included.
  const Options& options();

  /// May be changed between steps. What is out of range then makes the next Solve() fall back.
  SolveOptions& solve_options();

  /// The solver's own options, such as psor's relaxation.
  OptionFields solver_options() { return solver_.driver().Options(); }

  /// Of the last Solve(). After a fallback the status is kNotRun.
  const Result& result() const { return result_; }

  /// The problem of the last Solve() and its solution, in the order of its rows; see Extractor.
  const Problem& problem() const { return extractor_.problem(); }
  const Solution& solution() const { return solution_; }
  const Extractor& extractor() const { return extractor_; }

  /// [s] What the last Solve() took to read the descriptor and to write it.
  double read_seconds() const { return read_seconds_; }
  double write_seconds() const { return write_seconds_; }

  std::int64_t solves() const { return solves_; }          ///< calls of Solve() so far
  std::int64_t fallbacks() const { return fallbacks_; }    ///< of them left to the stand-in
  const std::string& trouble() const { return trouble_; }  ///< why that was so the last time

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
  bool TrySolve(::chrono::ChSystemDescriptor& descriptor, std::string& why);
  void FallBack(::chrono::ChSystemDescriptor& descriptor, std::string why);
  bool StandIn(::chrono::ChSystemDescriptor& descriptor);
  void Say(bool& said, const std::string& message);
  void TakeChronosSettings();
  double Budget() const;
  SolveOptions StepOptions() const;

  Options options_;
  double tolerance_ = 0;  ///< that Chrono and options_ agreed on last
  StepSolver solver_;
  Extractor extractor_;
  Solution solution_;
  Result result_;
  double read_seconds_ = 0;
  double write_seconds_ = 0;
  std::int64_t solves_ = 0;
  std::int64_t fallbacks_ = 0;
  std::string trouble_;
  bool said_fallback_ = false;
  bool said_standstill_ = false;
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
