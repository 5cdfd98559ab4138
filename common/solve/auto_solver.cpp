// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/auto_solver.h"

#include <algorithm>
#include <exception>
#include <limits>

#include "common/methods/sweep/nncg.h"
#include "common/problem/articulated_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "common/solve/solver_registry.h"

namespace nonsmooth {
namespace {

/// Up to here a contact's exact solution pays: measured on the smallest FCLIB problems.
constexpr int kFewRows = 30;

/// Of the free energy: a tolerance for which factorisations are taken at once.
constexpr double kExact = 1e-10;

/// Iterations over which progress is judged.
constexpr int kWindow = 20;

/// Newton's methods stand still for dozens of steps before they end in a few: they are judged late,
/// and give up by themselves.
constexpr int kDirectWindow = 100;
constexpr int kDirectPatience = 1000;

/// Before the first conjugate direction. With five `nncg` was not behind `psor` on any recorded
/// step after 5 to 100 iterations; with none it was on a fifth of them after 5.
constexpr int kPlainSweeps = 5;

/// Exact solutions of single contacts may be behind plain sweeps before this many iterations.
constexpr int kFewestOfNsgs = 10;

/// A stage that factorises is begun if it is expected to end within the first share of the time
/// that is left, and may take the second.
constexpr double kDirectFits = 0.5;
constexpr double kDirectMost = 0.75;

/// It was worth its time if it has lowered the error to this, even if not to the tolerance.
constexpr double kWorthwhile = 0.01;

/// Under a deadline sweeps are left that lower ln(error) by less than kStallFall in so many.
constexpr int kStallSweeps = 400;
constexpr double kStallFall = 0.05;

/// Expected time of a stage that factorises, before any was measured: so many iterations, each of
/// so many seconds per row, more for large fronts. Fitted to recorded steps of 30 to 1,100 rows.
constexpr double kDirectIterations = 20;
constexpr double kSecondsPerRow = 0.45e-6;
constexpr double kRowsOfLargeFronts = 800;

/// Weight of the latest stage in what is expected of the next, and what a failure adds.
constexpr double kLearn = 0.5;
constexpr double kFailureCost = 2;
constexpr double kForget = 0.99;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

/// Where the number of iterations is what counts: ends where more than `patience` are left, or
/// `most` are done.
class AutoSolver::Patience final : public StageWatch {
 public:
  Patience(double patience, int most) : patience_(patience), most_(most) {}
  bool MayContinue(const StageProgress& progress) override {
    return progress.iterations < most_ && progress.rate * patience_ >= progress.distance;
  }

 private:
  double patience_;
  int most_;
};

/// For a stage that factorises, under a deadline.
class AutoSolver::TimeLimit final : public StageWatch {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  bool MayContinue(const StageProgress& progress) override { return progress.seconds < seconds_; }

 private:
  double seconds_;
};

/// For sweeps under a deadline.
class AutoSolver::SweepWatch final : public StageWatch {
 public:
  SweepWatch(AutoSolver& solver, const Monitor& monitor) : solver_(solver), monitor_(monitor) {}

  bool MayContinue(const StageProgress& progress) override {
    const double left = monitor_.SecondsLeft();
    const std::string_view direct = solver_.DirectThatFits(left);
    if (!direct.empty()) {
      const double to_go = progress.rate > 0 ? progress.distance / progress.rate : kInfinity;
      return to_go * progress.seconds / progress.iterations <=
             std::min(left, solver_.Expected(direct));
    }
    if (progress.distance <= mark_distance_ - kStallFall) {
      mark_distance_ = progress.distance;
      mark_iterations_ = progress.iterations;
    }
    return progress.iterations - mark_iterations_ < kStallSweeps;
  }

 private:
  AutoSolver& solver_;
  const Monitor& monitor_;
  double mark_distance_ = kInfinity;
  int mark_iterations_ = 0;
};

AutoSolver::AutoSolver() = default;
AutoSolver::~AutoSolver() = default;

OptionFields AutoSolver::Options() {
  return {
      {"few_iterations", "iterations", "where no more are allowed only sweeps are used",
       &options_.few_iterations, 0, 1e9},
      {"patience", "iterations", "a method with more than so many to go hands over",
       &options_.patience, 1, 1e9},
      {"most_factorised_rows", "rows", "above this no factorisation is tried",
       &options_.most_factorised_rows, 0, 1e9},
  };
}

void AutoSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const Problem& problem = set.problem();
  rows_ = problem.rows();
  bodies_ = problem.dynamics().velocity_size() > 0;
  packed_ = dynamic_cast<const TwoBodyDynamics*>(&problem.dynamics()) != nullptr ||
            dynamic_cast<const ArticulatedDynamics*>(&problem.dynamics()) != nullptr;
  cones_ = problem.contacts() > 0;
  shifted_ = false;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    if (problem.groups()[g].kind != GroupKind::kContact) continue;
    cones_ = cones_ && set.group(g).shape == GroupSet::Shape::kCone;
    shifted_ = shifted_ || set.group(g).shifted;
  }
  const bool ip_first = bodies_ && !shifted_;
  direct_[0] = ip_first ? "ip" : "alart_curnier";
  direct_[1] = ip_first ? "alart_curnier" : "ip";
  for (Member& member : members_) member.tried = false;
  // The driver learns how long a preparation takes: what nearly always comes first belongs to it.
  prepared_ = packed_ ? sweeps_ : std::string_view();
  if (packed_) Get(prepared_).solver->Prepare(set);
}

void AutoSolver::PlanOpen(bool exact) {
  const bool factorise = rows_ <= options_.most_factorised_rows;
  plan_.clear();
  if (rows_ <= kFewRows && cones_) {
    plan_.push_back("nsgs");
  } else if ((bodies_ && !(exact && factorise)) || !factorise) {
    // Where exact: sweeps do not come so far, and Newton's method ends sooner from the start than
    // from where they got stuck.
    plan_.push_back("nncg");
  }
  if (factorise) plan_.insert(plan_.end(), std::begin(direct_), std::end(direct_));
  plan_.push_back("apgd");
  plan_.push_back(packed_ ? "nncg" : "extragradient");  // A of bodies is symmetric
}

AutoSolver::Member& AutoSolver::Get(std::string_view name) {
  for (Member& member : members_) {
    if (member.name == name) return member;
  }
  std::unique_ptr<Solver> solver = FindSolver(name).make();
  if (auto* nncg = dynamic_cast<NncgSolver*>(solver.get())) {
    nncg->options().plain_sweeps = kPlainSweeps;
  }
  members_.push_back({name, std::move(solver)});
  return members_.back();
}

double AutoSolver::Expected(std::string_view name) {
  return Get(name).cost * kDirectIterations * kSecondsPerRow * rows_ *
         (1 + rows_ / kRowsOfLargeFronts);
}

std::string_view AutoSolver::DirectThatFits(double seconds) {
  if (rows_ > options_.most_factorised_rows) return {};
  for (std::string_view name : direct_) {
    if (!Get(name).tried && Expected(name) <= kDirectFits * seconds) return name;
  }
  return {};
}

void AutoSolver::Learn(std::string_view name, double seconds, bool converged, bool worthwhile) {
  Member& member = Get(name);
  const double ratio = member.cost * seconds / Expected(name);
  if (converged) {
    member.cost += kLearn * (ratio - member.cost);
  } else if (!worthwhile) {
    member.cost = kFailureCost * std::max(member.cost, ratio);
  }
}

AutoSolver::End AutoSolver::RunStage(std::string_view name, int window, StageWatch* watch,
                                     std::vector<double>& x, Monitor& monitor) {
  const bool first = monitor.iterations() < 0;
  if (!first) {
    x = monitor.best();
    monitor.CountFallback();
  }
  monitor.BeginStage(window, watch);
  bool broke = false;
  try {
    Member& member = Get(name);
    member.tried = true;
    if (name != prepared_) member.solver->Prepare(*set_);
    if (name == sweeps_) prepared_ = name;
    member.solver->Run(x, monitor);
  } catch (const std::exception&) {
    if (watch == nullptr) throw;  // the last; the driver reports it
    broke = true;
  }
  broke = broke || monitor.status() == Status::kStalled ||
          monitor.status() == Status::kNumericalFailure;
  if (!monitor.Resume()) return End::kSolve;
  return broke ? End::kGaveUp : End::kTooSlow;
}

void AutoSolver::Run(std::vector<double>& x, Monitor& monitor) {
  const bool exact = monitor.tolerance() < kExact * monitor.free_energy();
  remark_ = "auto: ";
  // Whoever asks a given matrix for an error at rounding wants Newton's method.
  const bool few = monitor.options().max_iterations <= options_.few_iterations;
  sweeps_ = few ? "psor" : "nncg";
  if (few && (packed_ || !exact)) {
    RunFew(x, monitor);
  } else if (monitor.SecondsLeft() < kInfinity) {
    RunTimed(x, monitor, exact);
  } else {
    PlanOpen(exact);
    RunOpen(x, monitor);
  }
  monitor.Stop(monitor.status(), remark_);
}

void AutoSolver::RunFew(std::vector<double>& x, Monitor& monitor) {
  const bool exactly = !packed_ && cones_ && monitor.options().max_iterations >= kFewestOfNsgs;
  const std::string_view name = exactly ? "nsgs" : "psor";
  remark_.append(name).append(", few iterations");
  RunStage(name, 0, nullptr, x, monitor);
}

void AutoSolver::RunOpen(std::vector<double>& x, Monitor& monitor) {
  for (std::size_t turn = 0; turn < plan_.size(); ++turn) {
    const std::string_view name = plan_[turn];
    const bool last = turn + 1 == plan_.size();
    const bool direct = name == direct_[0] || name == direct_[1];
    const int left = monitor.options().max_iterations - std::max(0, monitor.iterations());
    const int most = direct ? std::max(1, left / 2) : left;
    Patience patience(direct ? kDirectPatience : options_.patience, most);
    remark_.append(name);
    const End end = RunStage(name, std::min(direct ? kDirectWindow : kWindow, most),
                             last ? nullptr : &patience, x, monitor);
    if (last || end == End::kSolve) break;
    remark_.append(end == End::kGaveUp ? ", gave up, then " : ", too slow, then ");
  }
}

void AutoSolver::RunTimed(std::vector<double>& x, Monitor& monitor, bool exact) {
  std::string_view name = "nncg";
  if (rows_ <= kFewRows && cones_) name = "nsgs";
  if (name == "nncg" && (!bodies_ || exact)) {
    const std::string_view direct = DirectThatFits(monitor.SecondsLeft());
    if (!direct.empty()) name = direct;
  }
  bool last = false;
  for (;;) {
    remark_.append(name);
    const bool direct = name == direct_[0] || name == direct_[1];
    End end = End::kSolve;
    if (direct) {
      TimeLimit watch(kDirectMost * monitor.SecondsLeft());
      const double begin = monitor.Seconds();
      const double before = monitor.best_energy();
      end = RunStage(name, 1, &watch, x, monitor);
      Learn(name, monitor.Seconds() - begin, monitor.status() == Status::kConverged,
            monitor.best_energy() <= kWorthwhile * before);
    } else {
      SweepWatch watch(*this, monitor);
      end = RunStage(name, kWindow, last ? nullptr : &watch, x, monitor);
    }
    if (last || end == End::kSolve) break;
    remark_.append(end == End::kGaveUp ? ", gave up, then " : ", too slow, then ");
    const std::string_view next = DirectThatFits(monitor.SecondsLeft());
    if (!next.empty()) {
      name = next;
    } else if (direct) {
      name = "nncg";
    } else {
      last = name == "apgd";
      name = !last ? "apgd" : packed_ ? "nncg" : "extragradient";
    }
  }
  bool factorised = false;
  for (std::string_view direct : direct_) {
    Member& member = Get(direct);
    factorised = factorised || member.tried;
    // What was expensive once may have become cheap.
    if (!member.tried && member.cost > 1) member.cost = std::max(1.0, member.cost * kForget);
  }
  if (!factorised && monitor.status() == Status::kDeadline) {
    remark_.append(", no time to factorise");
  }
}

}  // namespace nonsmooth
