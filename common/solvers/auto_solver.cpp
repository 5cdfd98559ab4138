// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/auto_solver.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <set>

#include "common/solver/solver_registry.h"

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

/// Remarks outlive results and solvers; there are as many as there are plans.
std::string_view Intern(std::string text) {
  static std::mutex mutex;
  static auto* const texts = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  return *texts->insert(std::move(text)).first;
}

}  // namespace

OptionFields AutoSolver::Options() {
  return {
      {"patience", "iterations", "a method with more than so many to go hands over",
       &options_.patience, 1, 1e9},
      {"most_factorised_rows", "rows", "above this no factorisation is tried",
       &options_.most_factorised_rows, 0, 1e9},
  };
}

void AutoSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  Choose();
}

void AutoSolver::Choose() {
  const Problem& problem = set_->problem();
  const int rows = problem.rows();
  bool cones = problem.contacts() > 0;
  bool shifted = false;
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    if (problem.groups()[g].kind != GroupKind::kContact) continue;
    cones = cones && set_->group(g).shape == GroupSet::Shape::kCone;
    shifted = shifted || set_->group(g).shifted;
  }
  const bool bodies = problem.dynamics().velocity_size() > 0;
  plan_.clear();
  if (rows <= kFewRows && cones) {
    plan_.push_back("nsgs");
  } else if (bodies || rows > options_.most_factorised_rows) {
    plan_.push_back("nncg");
  }
  if (rows <= options_.most_factorised_rows) {
    plan_.push_back(bodies && !shifted ? "ip" : "alart_curnier");
    plan_.push_back(bodies && !shifted ? "alart_curnier" : "ip");
  }
  plan_.push_back("apgd");
  plan_.push_back("extragradient");
}

Solver& AutoSolver::Get(std::string_view name) {
  for (Member& member : members_) {
    if (member.name == name) return *member.solver;
  }
  members_.push_back({name, FindSolver(name).make()});
  return *members_.back().solver;
}

void AutoSolver::Run(std::vector<double>& x, Monitor& monitor) {
  // Sweeps do not come so far; and Newton's method ends sooner from the start than from where they
  // got stuck.
  const bool exact = monitor.tolerance() < kExact * monitor.free_energy();
  if (exact && plan_[0] == "nncg" && plan_[1] != "apgd") plan_.erase(plan_.begin());
  std::string remark = "auto:";
  for (std::size_t turn = 0; turn < plan_.size(); ++turn) {
    const std::string_view name = plan_[turn];
    const bool last = turn + 1 == plan_.size();
    const bool direct = name == "alart_curnier" || name == "ip";
    if (turn > 0) {
      x = monitor.best();
      monitor.CountFallback();
    }
    remark += (turn > 0 ? ", too slow, then " : " ") + std::string(name);
    const int patience = direct ? kDirectPatience : options_.patience;
    monitor.BeginStage(last ? 0 : patience, direct ? kDirectWindow : kWindow);
    try {
      Solver& solver = Get(name);
      solver.Prepare(*set_);
      solver.Run(x, monitor);
    } catch (const std::exception&) {
      if (last) throw;  // the driver reports it
    }
    if (last || !monitor.Resume()) break;
  }
  monitor.Stop(monitor.status(), Intern(remark));
}

}  // namespace nonsmooth
