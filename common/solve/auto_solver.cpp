// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/auto_solver.h"

#include <algorithm>
#include <exception>

#include "common/solve/solver_registry.h"

namespace nonsmooth {
namespace {

/// Of the free energy: a tolerance that sweeps do not come to.
constexpr double kTight = 1e-10;

/// An exact solution is begun where so many times what it costs as a rule are left, hard steps
/// being harder.
constexpr double kMargin = 2.5;

/// How far a hard step may go beyond the sweeps that its iterations stand for.
constexpr double kToTheEnd = 3;

/// An exact solution that costs no more sweeps than this is taken at once.
constexpr double kAtOnce = 8;

/// Sweeps go on where they are expected to end within this share of the cost of an exact solution,
/// on the first look and on later ones: the fall of the error slows down. In all they get no more
/// than the last.
constexpr double kShorterAtFirst = 0.25;
constexpr double kShorter = 0.1;
constexpr double kMostSweeps = 0.25;

/// Sweeps after which they are judged, and judged again, at the least and at the most.
constexpr double kLeastWindow = 4;
constexpr double kMostWindow = 20;

/// Methods that stand behind the exact one are judged late: they stand still for long before they
/// end in a few steps.
constexpr int kBackstopWindow = 100;

/// A method with more than so many of its windows to go hands over.
constexpr double kPatience = 50;

/// Weight of the latest stage in what is known of the machine.
constexpr double kLearn = 0.25;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

/// For sweeps: they end where an exact solution is the shorter way to the tolerance, or with the
/// budget.
class AutoSolver::SweepWatch final : public StageWatch {
 public:
  SweepWatch(const AutoSolver& solver, const Monitor& monitor, bool last)
      : solver_(solver), monitor_(monitor), last_(last) {}

  bool MayContinue(const StageProgress& progress) override {
    const double sweep = solver_.cost_.sweep;
    const double left = solver_.Left(monitor_) - progress.iterations * sweep;
    if (left < sweep) return false;
    const double to_go = progress.rate > 0 ? sweep * progress.distance / progress.rate : kInfinity;
    const double exact = solver_.cost_.exact();
    if (!solver_.exact_tried_ && solver_.ExactFits(monitor_)) {
      const double shorter = looks_++ == 0 ? kShorterAtFirst : kShorter;
      return to_go <= shorter * exact && progress.iterations * sweep <= kMostSweeps * exact;
    }
    // Another method may be quicker than one that will not come to the end.
    return last_ || to_go <= left || progress.rate * kPatience * kMostWindow >= progress.distance;
  }

 private:
  const AutoSolver& solver_;
  const Monitor& monitor_;
  bool last_;
  int looks_ = 0;
};

/// For the others: they end with the budget, or where they stand still.
class AutoSolver::BudgetWatch final : public StageWatch {
 public:
  BudgetWatch(const AutoSolver& solver, const Monitor& monitor, double cost, bool judged)
      : solver_(solver), monitor_(monitor), cost_(cost), judged_(judged) {}

  bool MayContinue(const StageProgress& progress) override {
    if (solver_.Left(monitor_) - progress.iterations * cost_ < cost_) return false;
    return !judged_ || progress.rate * kPatience * kBackstopWindow >= progress.distance;
  }

 private:
  const AutoSolver& solver_;
  const Monitor& monitor_;
  double cost_;
  bool judged_;
};

AutoSolver::AutoSolver() = default;
AutoSolver::~AutoSolver() = default;

OptionFields AutoSolver::Options() {
  return {
      {"budget", "s", "what a step may cost on a nominal core: counted, not measured",
       &options_.budget, 0, kInfinity},
      {"few_iterations", "iterations", "where no more are allowed only sweeps are used",
       &options_.few_iterations, 0, 1e9},
      {"sweeps_first", "-", "what sweeps may cost before they are judged, of an exact solution",
       &options_.sweeps_first, 0, 1e3},
  };
}

void AutoSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  policy_ = &PolicyFor(set);
  prepared_ = {};
  // The driver learns how long a preparation takes: what nearly always comes first belongs to it.
  if (set.problem().dynamics().velocity_size() == 0) return;
  prepared_ = policy_->stages[0].solver;
  Get(prepared_).Prepare(set);
}

Solver& AutoSolver::Get(std::string_view name) {
  for (Member& member : members_) {
    if (member.name != name) continue;
    member.solver->UseThreads(threads_);
    return *member.solver;
  }
  members_.push_back({name, FindSolver(name).make()});
  members_.back().solver->UseThreads(threads_);
  return *members_.back().solver;
}

void AutoSolver::Plan(const Monitor& monitor) {
  const Problem& problem = set_->problem();
  cost_.sweep = predictor_.Sweep(problem);
  budget_ = std::min(options_.budget, cost_.sweep * monitor.options().max_iterations);
  spent_ = 0;
  exact_tried_ = false;
  failure_ = Status::kNotRun;
  // The ordering of a problem that is far too large for the budget is not worth its own cost.
  exact_known_ = monitor.options().max_iterations > options_.few_iterations &&
                 StepCostPredictor::LeastOfExact(problem) <= Left(monitor);
  if (exact_known_) cost_ = predictor_.Predict(problem);
  const bool tight = monitor.tolerance() < kTight * monitor.free_energy();
  exact_first_ = ExactFits(monitor) && (tight || cost_.exact() <= kAtOnce * cost_.sweep);
}

/// [s, nominal] that may still be spent, without the stage that is running.
double AutoSolver::Left(const Monitor& monitor) const {
  const double left = budget_ - spent_;
  const double seconds = monitor.SecondsLeft();
  return seconds < kInfinity ? std::min(left, seconds / speed_) : left;
}

bool AutoSolver::ExactFits(const Monitor& monitor) const {
  if (!exact_known_ || kMargin * cost_.exact() > Left(monitor)) return false;
  const int left = monitor.options().max_iterations - std::max(0, monitor.iterations());
  return left >= kMargin * StepCost::kExactIterations;
}

double AutoSolver::Cost(const AutoStage& stage) const {
  return stage.kind == AutoStageKind::kExact ? cost_.exact_iteration : cost_.sweep;
}

void AutoSolver::LearnSpeed(double nominal, double seconds) {
  if (nominal > 0 && seconds > 0) speed_ += kLearn * (seconds / nominal - speed_);
}

void AutoSolver::Run(std::vector<double>& x, Monitor& monitor) {
  Plan(monitor);
  remark_ = "auto: ";
  RunStages(x, monitor);
  // What the last one broke down with is not hidden; a solve that is over has its own status.
  const Status status = monitor.status() == Status::kNotRun ? failure_ : monitor.status();
  monitor.Stop(status == Status::kNotRun ? Status::kStalled : status, remark_);
}

void AutoSolver::RunStages(std::vector<double>& x, Monitor& monitor) {
  const auto& stages = policy_->stages;
  bool begun = false;
  for (std::size_t turn = 0; turn < stages.size(); ++turn) {
    const AutoStage& stage = stages[turn];
    if (stage.kind == AutoStageKind::kExact && !ExactFits(monitor)) continue;
    if (turn == 0 && exact_first_) continue;
    if (begun) remark_.append(", then ");
    begun = true;
    remark_.append(stage.solver);
    const End end = RunStage(stage, turn + 1 == stages.size(), x, monitor);
    if (end == End::kSolve) return;
    if (end == End::kSpent) {
      monitor.Stop(Status::kIterationLimit);
      remark_.append(", budget spent");
      return;
    }
    remark_.append(end == End::kGaveUp ? ", gave up" : ", too slow");
  }
}

AutoSolver::End AutoSolver::RunStage(const AutoStage& stage, bool last, std::vector<double>& x,
                                     Monitor& monitor) {
  const double cost = Cost(stage);
  if (stage.kind == AutoStageKind::kExact) {
    exact_tried_ = true;
    // Iterations say what may be begun; what is begun where no budget was given may end.
    if (options_.budget == kInfinity) budget_ *= kToTheEnd;
    BudgetWatch watch(*this, monitor, cost, false);
    spent_ += cost_.exact_setup;
    return Iterate(stage, 1, &watch, x, monitor);
  }
  if (stage.kind == AutoStageKind::kBackstop) {
    BudgetWatch watch(*this, monitor, cost, !last);
    return Iterate(stage, kBackstopWindow, &watch, x, monitor);
  }
  SweepWatch watch(*this, monitor, last);
  const double sweeps = options_.sweeps_first * cost_.exact() / cost_.sweep;
  const double window =
      ExactFits(monitor) ? std::clamp(sweeps, kLeastWindow, kMostWindow) : kMostWindow;
  return Iterate(stage, static_cast<int>(window), &watch, x, monitor);
}

AutoSolver::End AutoSolver::Iterate(const AutoStage& stage, int window, StageWatch* watch,
                                    std::vector<double>& x, Monitor& monitor) {
  const int before = monitor.iterations();
  failure_ = Status::kNotRun;
  if (before >= 0) monitor.CountFallback();
  // A start that is worse than zero is for those who smooth it.
  if (before >= 0 || !Get(stage.solver).Smooths()) x = monitor.best();
  const double begin = monitor.Seconds();
  monitor.BeginStage(window, watch);
  bool broke = false;
  try {
    Solver& solver = Get(stage.solver);
    if (prepared_ != stage.solver) solver.Prepare(*set_);
    prepared_ = stage.solver;
    solver.Run(x, monitor);
  } catch (const std::exception&) {
    failure_ = Status::kNumericalFailure;
    broke = true;
  }
  const double nominal = Cost(stage) * (monitor.iterations() - std::max(0, before));
  spent_ += nominal;
  if (stage.kind != AutoStageKind::kBackstop) LearnSpeed(nominal, monitor.Seconds() - begin);
  const Status status = monitor.status();
  if (status == Status::kStalled || status == Status::kNumericalFailure) {
    failure_ = status;
    broke = true;
  }
  if (!monitor.Resume()) return End::kSolve;
  if (Left(monitor) < cost_.sweep) return End::kSpent;
  return broke ? End::kGaveUp : End::kTooSlow;
}

}  // namespace nonsmooth
