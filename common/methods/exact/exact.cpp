// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/exact.h"

#include "common/methods/exact/row_system.h"
#include "common/methods/exact/velocity_system.h"
#include "common/methods/interior/ip.h"

namespace nonsmooth {
namespace {

constexpr double kRounding = 1e-20;  // of the free energy

}  // namespace

ExactSolver::ExactSolver() = default;
ExactSolver::~ExactSolver() = default;

OptionFields ExactSolver::Options() {
  InteriorOptions& interior = interior_.options;
  ProximalOptions& newton = newton_.options;
  return {
      {"interior_until", "-", "error of the interior point method at which Newton's takes over",
       &interior.until, 0, 1},
      {"interior_iterations", "iterations", "of the interior point method at the most",
       &interior.iterations, 0, 1e6},
      {"proximal", "-", "proximal term of the interior point method, in units of A's diagonal",
       &interior.proximal, 1e-14, 1},
      {"shift_share", "-", "share of De Saxce's term in the interior point matrix",
       &interior.shift_share, 0, 1},
      {"start_gap", "-", "gap at the start in units of the free energy per contact",
       &interior.start_gap, 1e-6, 1e9},
      {"correctors", "-", "Gondzio's correctors at the most in an iteration", &interior.correctors,
       0, 10},
      {"stiffness", "-", "first stiffness of Newton's proximal term", &newton.stiffness, 1e-3, 1e7},
      {"most_stiffness", "-", "largest stiffness of Newton's proximal term", &newton.most_stiffness,
       1e-3, 1e12},
      {"of_equalities", "-", "stiffness of equality rows, as a multiple", &newton.of_equalities, 1,
       1e8},
      {"of_bounds", "-", "stiffness of bounded rows, as a multiple", &newton.of_bounds, 1, 1e8},
  };
}

void ExactSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const bool rows = RowSystem::Applies(set.problem().dynamics());
  std::unique_ptr<UnitSystem>& system = rows ? rows_ : velocities_;
  if (system == nullptr && rows) system = std::make_unique<RowSystem>();
  if (system == nullptr) system = std::make_unique<VelocitySystem>();
  system_ = system.get();
  layout_.Build(set, system_->Keys(set));
  system_->Prepare(layout_);
  interior_.Prepare(layout_);
  newton_.Prepare(layout_);
}

void ExactSolver::HandOn(std::vector<double>& x, Monitor& monitor) {
  if (monitor.best_energy() <= kRounding * monitor.free_energy()) {
    monitor.Stop(Status::kStalled, "as exact as the arithmetic is");
    return;
  }
  monitor.CountFallback("ip");
  if (ip_ == nullptr) ip_ = std::make_unique<IpSolver>();
  ip_->Prepare(*set_);
  x = monitor.best();
  ip_->Run(x, monitor);
  // What stood in has broken down: the best iterate of before is none the worse for it.
  if (monitor.status() == Status::kNumericalFailure) {
    monitor.Stop(Status::kStalled, "neither it nor ip gets on");
  }
}

void ExactSolver::Run(std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  if (!monitor.Continue(x.data())) return;
  if (!interior_.Run(layout_, *system_, monitor)) return;
  if (!newton_.Run(layout_, *system_, interior_.best(), monitor)) return;
  HandOn(x, monitor);
}

}  // namespace nonsmooth
