// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../solver/solver.h"
#include "auto_plan.h"
#include "step_cost.h"

namespace nonsmooth {

struct AutoOptions {
  /// [s of a nominal core, see StepCost] What a step may cost. Counted, never measured: the same
  /// problem gives the same bits however fast the machine is. Whichever is less of this and of
  /// max_iterations sweeps counts.
  double budget = std::numeric_limits<double>::infinity();

  /// [iterations] Where no more than this are allowed only sweeps are used, whatever is predicted.
  int few_iterations = 0;

  /// [-] Sweeps get this share of the cost of an exact solution before they are judged: easy steps
  /// are solved by then, and the others lose no more than this.
  double sweeps_first = 0.06;
};

/// Sweeps where they do, an exact solution as soon as that is the shorter way. What either costs is
/// predicted from the pattern of the problem (StepCost); how many sweeps there are to go is
/// extrapolated from the fall of the error. An iteration that is allowed is a sweep that may be
/// spent: ten or fifty are sweeps by `psor`, some hundreds are enough for `exact` on most scenes,
/// and more never cost an order of magnitude at once.
///
/// `exact` comes first where it costs no more than a few sweeps, or where the tolerance is below
/// 1e-10 of the free energy; never where its predicted cost is above what is left. Who follows is
/// in the table of auto_plan.cpp. Each starts from the best iterate of those before. A start
/// counts as an iteration, as it is measured. With a deadline, times are compared likewise, by the
/// ratio of measured to nominal seconds that earlier solves have shown.
///
/// The remark of the result says who took part, and why.
class AutoSolver final : public Solver {
 public:
  AutoSolver();
  ~AutoSolver() override;
  OptionFields Options() override;
  void UseThreads(int count) override { threads_ = count; }
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  AutoOptions& options() { return options_; }

 private:
  struct Member {
    std::string_view name;
    std::unique_ptr<Solver> solver;
  };
  enum class End { kSolve, kTooSlow, kGaveUp, kSpent };
  class SweepWatch;
  class BudgetWatch;

  void Plan(const Monitor& monitor);
  void RunStages(std::vector<double>& x, Monitor& monitor);
  End RunStage(const AutoStage& stage, bool last, std::vector<double>& x, Monitor& monitor);
  End Iterate(const AutoStage& stage, int window, StageWatch* watch, std::vector<double>& x,
              Monitor& monitor);
  double Cost(const AutoStage& stage) const;
  double Left(const Monitor& monitor) const;
  bool ExactFits(const Monitor& monitor) const;
  void LearnSpeed(double nominal, double seconds);
  Solver& Get(std::string_view name);

  AutoOptions options_;
  int threads_ = 1;
  const FeasibleSet* set_ = nullptr;
  const AutoPolicy* policy_ = nullptr;
  StepCostPredictor predictor_;
  StepCost cost_;
  double budget_ = 0;  ///< [s, nominal] of this solve
  double spent_ = 0;
  bool exact_known_ = false;  ///< its cost is predicted
  bool exact_tried_ = false;
  bool exact_first_ = false;
  double speed_ = 1;                  ///< measured over nominal seconds; used under a deadline only
  Status failure_ = Status::kNotRun;  ///< what the latest stage gave up with
  std::string_view prepared_;         ///< the member that is, or empty
  std::vector<Member> members_;       ///< made so far
  std::string remark_;
};

}  // namespace nonsmooth
