// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/apgd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kRounding = 1e-14;   // of w = A x + b, relative to ‖A‖ ‖x‖
constexpr double kLeastGrowth = 1.1;  // of L after a rejected step

// Work between looks at the clock, in products with A.
constexpr double kBeforeFirstStep = 3;  // freezing the law, measuring the start
constexpr double kAfterProjection = 3;  // the product, sums, measuring what comes out

}  // namespace

OptionFields ApgdSolver::Options() {
  return {
      {"lipschitz_decay", "-", "factor on the Lipschitz estimate after every step",
       &options_.lipschitz_decay, 0.01, 1},
      {"restart", "-", "drop the momentum when it points uphill", &options_.restart},
      {"renewal_fraction", "-",
       "the law is frozen anew at this fraction of the true energy error; unused for ccp and box",
       &options_.renewal_fraction, 1e-6, 1},
  };
}

OptionFields ApgdSolver::Tuning() {
  return {
      {"tolerable_rise", "-",
       "Rise of the energy error over its least at which the method goes back",
       &tuning_.tolerable_rise, 1, 1000000000000.0},
  };
}

void ApgdSolver::Prepare(const FeasibleSet& set) {
  problem_.Prepare(set);
  dynamics_ = &set.problem().dynamics();
  for (std::vector<double>* v : {&w_, &y_, &w_y_, &trial_, &w_trial_, &safe_, &w_safe_}) {
    v->resize(set.weights().size());
  }
}

void ApgdSolver::DropMomentum(const std::vector<double>& x) {
  theta_ = 1;
  std::copy(x.begin(), x.end(), y_.begin());
  std::copy(w_.begin(), w_.end(), w_y_.begin());
}

bool ApgdSolver::Step(std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = problem_.weights();
  const int n = problem_.rows();
  for (;;) {
    if (!problem_.ProjectedStep(y_.data(), w_y_.data(), 1 / lipschitz_, monitor, trial_.data())) {
      return false;
    }
    if (monitor.OutOfTime(kAfterProjection * product_seconds_)) return false;
    dynamics_->ConstraintVelocity(trial_.data(), w_trial_.data(), workspace_);
    double step = 0;      // ‖d‖²
    double response = 0;  // ‖A d‖² in the dual norm
    double size = 0;      // ‖y‖²
    for (int i = 0; i < n; ++i) {
      if (a[i] == 0) continue;
      const double d = trial_[i] - y_[i];
      const double ad = w_trial_[i] - w_y_[i];
      step += a[i] * d * d;
      response += ad * ad / a[i];
      size += a[i] * y_[i] * y_[i];
    }
    const double allowed = lipschitz_ * (std::sqrt(step) + kRounding * std::sqrt(size));
    if (!(std::sqrt(response) > allowed)) break;  // also where it is NaN: the monitor will tell
    lipschitz_ = std::max(std::sqrt(response / step), kLeastGrowth * lipschitz_);
    if (monitor.OutOfTime()) return false;
  }

  double uphill = 0;
  for (int i = 0; i < n; ++i) uphill += a[i] * (y_[i] - trial_[i]) * (trial_[i] - x[i]);
  const double theta = 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4) - theta_);
  const bool restart = options_.restart && uphill > 0;
  const double beta = restart ? 0.0 : theta_ * (1 - theta_) / (theta_ * theta_ + theta);
  theta_ = restart ? 1.0 : theta;
  for (int i = 0; i < n; ++i) {
    y_[i] = trial_[i] + beta * (trial_[i] - x[i]);
    w_y_[i] = w_trial_[i] + beta * (w_trial_[i] - w_[i]);
  }
  x.swap(trial_);
  w_.swap(w_trial_);
  lipschitz_ = std::max(options_.lipschitz_decay * lipschitz_, lipschitz_floor_);
  return true;
}

void ApgdSolver::Run(std::vector<double>& x, Monitor& monitor) {
  const double begin = monitor.Seconds();
  dynamics_->ConstraintVelocity(x.data(), w_.data(), workspace_);
  product_seconds_ = monitor.Seconds() - begin;
  if (monitor.OutOfTime(kBeforeFirstStep * product_seconds_)) return;
  problem_.Renew(x.data(), w_.data());
  lipschitz_ = 1;
  lipschitz_floor_ = 0;
  DropMomentum(x);
  double least = std::numeric_limits<double>::infinity();
  while (problem_.Continue(x.data(), w_.data(), options_.renewal_fraction, monitor)) {
    if (problem_.checked()) {
      if (problem_.energy() < least) {
        least = problem_.energy();
        std::copy(x.begin(), x.end(), safe_.begin());
        std::copy(w_.begin(), w_.end(), w_safe_.begin());
      } else if (problem_.energy() > tuning_.tolerable_rise * least) {
        std::copy(safe_.begin(), safe_.end(), x.begin());
        std::copy(w_safe_.begin(), w_safe_.end(), w_.begin());
        problem_.Renew(x.data(), w_.data());
        lipschitz_floor_ = 2 * std::max(lipschitz_, lipschitz_floor_);
        lipschitz_ = lipschitz_floor_;
        DropMomentum(x);
        monitor.CountFallback();
      }
    }
    if (problem_.renewed()) DropMomentum(x);
    if (!Step(x, monitor)) {
      // The deadline passed inside the step; the monitor knows and ends the loop.
      continue;
    }
  }
}

}  // namespace nonsmooth
