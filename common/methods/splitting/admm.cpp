// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/splitting/admm.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;
constexpr double kLeastPenalty = 1e-8;
constexpr double kMostPenalty = 1e8;
constexpr double kRounding = 1e-20;  // of the free energy
constexpr double kRaise = 100;       // of a penalty that the factors are not exact enough for

}  // namespace

OptionFields AdmmSolver::Options() {
  return {
      {"penalty", "-", "first penalty, in units of the effective masses", &options_.penalty,
       kLeastPenalty, kMostPenalty},
      {"adaptive", "-", "balance the penalty, at a factorisation each time", &options_.adaptive},
      {"relaxation", "-", "over-relaxation factor", &options_.relaxation, 0, 2, true},
      {"memory", "iterates", "of Anderson's mixing; 0: none", &options_.memory, 0, 32},
  };
}

OptionFields AdmmSolver::Tuning() {
  return {
      {"first_balance", "iterations", "before the penalty is balanced", &tuning_.first_balance, 1,
       1e6},
      {"interval_growth", "-", "of the time between balances", &tuning_.interval_growth, 1, 100},
      {"least_change", "-", "of the penalty that is worth a factorisation", &tuning_.least_change,
       1, 1e6},
  };
}

void AdmmSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  for (std::vector<double>* v : {&w_, &true_w_, &y_, &last_y_, &z_, &image_})
    v->resize(set.weights().size());
  image_.assign(image_.size(), 1.0);
  system_.Prepare(set.problem(), image_.data());
  blocks_.assign(system_.block_values(), 0.0);
  anderson_.Prepare(set.weights(), options_.memory);
  rho_ = options_.penalty;
  least_rho_ = kLeastPenalty;
}

bool AdmmSolver::FactoriseWithPenalty() {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int size = groups[g].size;
    for (int i = 0; i < size; ++i) {
      // Rows that nothing moves have no weight; any will do.
      const double weight = set_->weights()[groups[g].first_row + i];
      blocks_[system_.block_start(g) + i * (size + 1)] = rho_ * (weight > 0 ? weight : 1.0);
    }
  }
  if (!system_.Factorise(blocks_.data(), true)) return false;
  return !system_.symmetric() || system_.definite();
}

bool AdmmSolver::Factorise(Monitor& monitor) {
  for (;;) {
    if (!factorisation_.Begin(system_.work(), monitor)) return false;
    const bool done = FactoriseWithPenalty();
    factorisation_.End(monitor);
    if (done) break;
    // A indefinite by rounding, or imported so: a larger ρ makes up for it.
    monitor.CountFallback();
    rho_ *= 10;
    if (rho_ > kMostPenalty) {
      monitor.Stop(Status::kNumericalFailure, "A plus penalty cannot be factorised");
      return false;
    }
  }
  anderson_.Restart();
  return true;
}

bool AdmmSolver::Step(std::vector<double>& x, Monitor& monitor) {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  const std::vector<double>& a = set_->weights();
  const std::vector<double>& b = set_->problem().dynamics().bias();
  double dual[kMostGroupRows];
  y_ = z_;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return false;
    const int first = groups[g].first_row;
    const int size = groups[g].size;
    double* y = y_.data() + first;
    set_->Project(g, y);
    for (int i = 0; i < size; ++i) dual[i] = rho_ * a[first + i] * (y[i] - z_[first + i]);
    const double normal = dual[0];
    set_->AddShift(g, dual);
    const double shift = dual[0] - normal;
    for (int i = 0; i < size; ++i) {
      const int row = first + i;
      if (a[row] > 0) {
        w_[row] = rho_ * a[row] * (2 * y[i] - z_[row]) - (i == 0 ? shift : 0.0);
        x[row] = w_[row] - b[row];
      } else {
        w_[row] = b[row];
        x[row] = rho_ * y[i];
      }
    }
  }
  system_.Solve(x.data(), x.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    w_[i] -= rho_ * a[i] * x[i];
    image_[i] = z_[i] + options_.relaxation * (x[i] - y_[i]);
  }
  return true;
}

/// False where x is off from what the linear system asks for by more than what is to be reached.
bool AdmmSolver::FactorsSuffice(const std::vector<double>& x, double tolerance) {
  const std::vector<double>& a = set_->weights();
  set_->problem().dynamics().ConstraintVelocity(x.data(), true_w_.data(), workspace_);
  double off = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (a[i] > 0) off += 0.5 * (w_[i] - true_w_[i]) * (w_[i] - true_w_[i]) / a[i];
  }
  return off <= tolerance;  // false for a NaN
}

void AdmmSolver::Balance(const std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = set_->weights();
  double primal = 0;
  double dual = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    primal += a[i] * (x[i] - y_[i]) * (x[i] - y_[i]);
    dual += a[i] * (y_[i] - last_y_[i]) * (y_[i] - last_y_[i]);
  }
  // Both are roots of joules: nothing is to be normalised.
  const double ratio = std::sqrt(std::sqrt(primal / dual) / rho_);
  if (!std::isfinite(ratio)) return;
  const double rho = std::clamp(rho_ * ratio, least_rho_, kMostPenalty);
  if (rho < tuning_.least_change * rho_ && rho_ < tuning_.least_change * rho) return;
  ChangePenalty(rho, monitor);
}

void AdmmSolver::ChangePenalty(double rho, Monitor& monitor) {
  // The multiplier ρ D u stays what it is.
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = y_[i] + (z_[i] - y_[i]) * rho_ / rho;
  rho_ = rho;
  Factorise(monitor);
}

void AdmmSolver::Run(std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = set_->weights();
  const std::vector<RowGroup>& groups = set_->problem().groups();
  set_->problem().dynamics().ConstraintVelocity(x.data(), w_.data(), workspace_);
  if (!monitor.Continue(x.data(), w_.data())) return;
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    set_->AddShift(g, w_.data() + groups[g].first_row);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    z_[i] = a[i] > 0 ? x[i] - w_[i] / (rho_ * a[i]) : x[i];
  }
  if (!Factorise(monitor)) return;
  next_balance_ = interval_ = tuning_.first_balance;
  balancing_ = false;
  for (int iteration = 0;; ++iteration) {
    const bool done = Step(x, monitor);
    // With the w that A x + b is, not the one that the factors imply: on joints that contradict
    // each other those are worth nothing where the penalty has become small.
    if (!monitor.Continue(x.data())) return;
    if (!done) continue;
    if (iteration % tuning_.first_balance == 0 && rho_ < 1 &&
        !FactorsSuffice(x, std::max(monitor.tolerance(), kRounding * monitor.free_energy()))) {
      least_rho_ = std::min(1.0, kRaise * rho_);
      monitor.CountFallback();
      z_ = image_;
      ChangePenalty(least_rho_, monitor);
      if (monitor.status() != Status::kNotRun) return;
      balancing_ = false;
      continue;
    }
    if (balancing_) {
      balancing_ = false;
      interval_ = static_cast<int>(interval_ * tuning_.interval_growth);
      next_balance_ = iteration + interval_;
      const double before = rho_;
      Balance(x, monitor);
      if (monitor.status() != Status::kNotRun) return;
      if (rho_ != before) continue;
    }
    if (options_.adaptive && iteration >= next_balance_) {
      balancing_ = true;
      last_y_ = y_;
      z_ = image_;
      continue;
    }
    anderson_.Mix(image_, z_);
  }
}

}  // namespace nonsmooth
