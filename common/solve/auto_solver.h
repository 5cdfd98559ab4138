// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../solver/solver.h"

namespace nonsmooth {

struct AutoOptions {
  /// [iterations] Where no more than this are allowed, only sweeps are used: who asks for ten or
  /// fifty iterations means cheap ones.
  int few_iterations = 100;

  /// [iterations] A method hands over to the next once its progress says that the tolerance is more
  /// than this many of its own sweeps away. Some hundreds of sweeps cost what a few factorisations
  /// do. Where there is a deadline, times are compared instead.
  int patience = 300;

  /// [rows] Above this no factorisation is tried: its time grows faster than that of sweeps.
  int most_factorised_rows = 6000;
};

/// Chooses among the registered solvers by the budget and by what can be seen before the first
/// iteration, and changes from one to the next where the energy error does not fall fast enough.
///
/// Few iterations: `psor`; `nsgs` where A is a matrix and the contacts are cones. Nothing is
/// assembled that is not there, an iteration is a sweep.
///
/// Many iterations, no deadline:
/// 1. rows on packed bodies: `nncg`, whose sweeps are the cheapest there are;
///    a few dozen rows under a cone: `nsgs`, whose contacts are solved exactly;
/// 2. unless there are too many rows to factorise: `alart_curnier`, then `ip`; on bodies under a
///    law without De Saxcé's term the other way round, since `ip` is at its best there. They are
///    the first where A is given as a matrix, that is where a sweep costs as much as a product, and
///    where the tolerance is below 1e-10 of the free energy;
/// 3. `apgd`, which converges whatever the condition number, if slowly;
/// 4. `extragradient`, which does not diverge where A is not symmetric; on packed bodies, where it
///    is, `nncg` again.
///
/// With a deadline: the same first solver, then of the two that factorise the one whose expected
/// time is within half of what is left, as soon as the sweeps would take longer; it may take three
/// quarters, and sweeps have the rest. Sweeps that do not lower the error any more hand over to
/// `apgd`. The expectation is learnt from solve to solve.
///
/// Each starts from the best iterate of those before. A start counts as an iteration, as it is
/// measured. The remark of the result says who took part, and why.
class AutoSolver final : public Solver {
 public:
  AutoSolver();
  ~AutoSolver() override;
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  AutoOptions& options() { return options_; }

 private:
  struct Member {
    std::string_view name;
    std::unique_ptr<Solver> solver;
    double cost = 1;  ///< measured time over that of the model, see Expected()
    bool tried = false;
  };
  enum class End { kSolve, kTooSlow, kGaveUp };
  class Patience;
  class TimeLimit;
  class SweepWatch;

  void PlanOpen(bool exact);
  void RunFew(std::vector<double>& x, Monitor& monitor);
  void RunOpen(std::vector<double>& x, Monitor& monitor);
  void RunTimed(std::vector<double>& x, Monitor& monitor, bool exact);
  End RunStage(std::string_view name, int window, StageWatch* watch, std::vector<double>& x,
               Monitor& monitor);
  void Learn(std::string_view name, double seconds, bool converged, bool worthwhile);
  double Expected(std::string_view name);
  std::string_view DirectThatFits(double seconds);
  Member& Get(std::string_view name);

  AutoOptions options_;
  const FeasibleSet* set_ = nullptr;
  int rows_ = 0;
  bool packed_ = false;               ///< sweeps need no A
  bool bodies_ = false;               ///< rather than A alone
  bool cones_ = false;                ///< all contacts are
  bool shifted_ = false;              ///< by De Saxcé's term, some are
  std::string_view sweeps_ = "psor";  ///< who does them, by the budget of the last solve
  std::string_view prepared_;         ///< of the two that sweep, or empty
  std::string_view direct_[2];
  std::vector<std::string_view> plan_;  ///< names, in the order of their turns
  std::vector<Member> members_;         ///< made so far
  std::string remark_;
};

}  // namespace nonsmooth
