// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/bb.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

// A step of 1 suits a row that stands alone; eigenvalues of D⁻¹A reach from the smallest that
// matters to the number of rows on one body.
constexpr double kShortestStep = 1e-8;
constexpr double kLongestStep = 1e8;

/// w is carried along the path; rounding is swept out this often, at two per cent of the cost.
constexpr int kStepsBetweenProducts = 50;

}  // namespace

OptionFields BbSolver::Options() {
  return {
      {"memory", "steps", "the objective may not exceed its largest of so many last values",
       &options_.memory, 1, kMostMemory},
      {"sufficient_decrease", "-", "fraction of the promised decrease that a step must gain",
       &options_.sufficient_decrease, 0, 0.5, true},
      {"alternate", "-", "long and short Barzilai-Borwein steps in turn", &options_.alternate},
      {"renewal_fraction", "-",
       "the law is frozen anew at this fraction of the true energy error; unused for ccp and box",
       &options_.renewal_fraction, 1e-6, 1},
  };
}

void BbSolver::Prepare(const FeasibleSet& set) {
  problem_.Prepare(set);
  dynamics_ = &set.problem().dynamics();
  for (std::vector<double>* v : {&w_, &d_, &ad_}) v->resize(set.weights().size());
}

void BbSolver::ForgetPath() {
  steps_ = 0;
  path_.fill(0);
}

bool BbSolver::MakeFeasible(std::vector<double>& x, Monitor& monitor) {
  if (!problem_.ProjectedStep(x.data(), w_.data(), 0.0, monitor, d_.data())) return false;
  if (d_ == x) return true;
  x.swap(d_);
  dynamics_->ConstraintVelocity(x.data(), w_.data(), workspace_);
  return true;
}

bool BbSolver::Step(std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = problem_.weights();
  const int n = problem_.rows();
  if (!problem_.ProjectedStep(x.data(), w_.data(), step_, monitor, d_.data())) return false;
  for (int i = 0; i < n; ++i) d_[i] -= x[i];
  dynamics_->Multiply(d_.data(), ad_.data(), workspace_);
  const double slope = problem_.Slope(w_.data(), d_.data());
  double curvature = 0;  // dᵀA d
  double length = 0;     // ‖d‖²
  double response = 0;   // ‖A d‖² in the dual norm
  for (int i = 0; i < n; ++i) {
    if (a[i] == 0) continue;
    curvature += d_[i] * ad_[i];
    length += a[i] * d_[i] * d_[i];
    response += ad_[i] * ad_[i] / a[i];
  }

  // f(x + λ d) − f(x) = λ slope + ½ λ² curvature must not exceed the largest of the last M values
  // by more than γ λ slope (Birgin et al., Eq. 5).
  const int memory = std::min(options_.memory, steps_ + 1);
  const double ceiling = *std::max_element(path_.begin(), path_.begin() + memory);
  const double gamma = options_.sufficient_decrease;
  double lambda = 1;
  if (slope + 0.5 * curvature > ceiling + gamma * slope && curvature > 0) {
    lambda = std::clamp(-slope / curvature, 0.0, 1.0);
  }
  const double change = lambda * slope + 0.5 * lambda * lambda * curvature;
  ++steps_;
  for (int i = options_.memory - 1; i > 0; --i) path_[i] = path_[i - 1] - change;
  path_[0] = 0;

  for (int i = 0; i < n; ++i) x[i] += lambda * d_[i];
  if (steps_ % kStepsBetweenProducts == 0) {
    dynamics_->ConstraintVelocity(x.data(), w_.data(), workspace_);
  } else {
    for (int i = 0; i < n; ++i) w_[i] += lambda * ad_[i];
  }

  const bool short_step = options_.alternate && steps_ % 2 == 0;
  const double step = short_step ? curvature / response : length / curvature;
  step_ = curvature > 0 && step > 0 ? std::clamp(step, kShortestStep, kLongestStep) : kLongestStep;
  return true;
}

void BbSolver::Run(std::vector<double>& x, Monitor& monitor) {
  dynamics_->ConstraintVelocity(x.data(), w_.data(), workspace_);
  problem_.Renew(x.data(), w_.data());
  step_ = 1;
  ForgetPath();
  while (problem_.Continue(x.data(), w_.data(), options_.renewal_fraction, monitor)) {
    if (monitor.iterations() == 0 || problem_.renewed()) {
      ForgetPath();
      if (!MakeFeasible(x, monitor)) continue;
    }
    if (!Step(x, monitor)) continue;  // the deadline passed; the monitor ends the loop
  }
}

}  // namespace nonsmooth
