// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/semismooth_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr double kSufficient = 1e-3;  // relative fall of the merit for a full step
constexpr int kHalvings = 10;
constexpr double kLeastRiseTo = 1e-6;
constexpr double kLeastRho = 1e-10;  // keeps the factorisation of a rank-deficient A finite
constexpr double kLargestRho = 1e3;  // steps are no better than those of Gauss–Seidel there
constexpr double kSteps[] = {1, 10, 1000, 100};  // κ, in the order in which they are tried
constexpr int kPhases = 4;
constexpr int kIdlePhases = 3 * kPhases;  // then nothing helps

}  // namespace

void SemismoothNewton::AddFields(NewtonOptions& options, OptionFields& fields) {
  fields.push_back({"sweeps", "-", "Gauss-Seidel sweeps before the first Newton step",
                    &options.sweeps, 0, 10000});
  fields.push_back({"proximal", "-",
                    "regularise by a proximal term; without, a rank-deficient A is singular",
                    &options.proximal});
  fields.push_back({"proximal_start", "-",
                    "first proximal term as a multiple of diag(A); it falls with every full step",
                    &options.proximal_start, 0, 1e3, true});
  fields.push_back(
      {"line_search", "-", "shorten steps that do not lower the merit", &options.line_search});
  fields.push_back({"memory", "iterations",
                    "the merit must fall below the largest of so many before it; 1 creeps where "
                    "contacts change between sticking and sliding",
                    &options.memory, 1, 1000});
}

OptionFields SemismoothNewton::Tuning() {
  return {
      {"rho_fall", "-", "What ρ is multiplied with after a full step", &tuning_.rho_fall, 0, 1},
      {"rho_rise", "-", "And after a refused one", &tuning_.rho_rise, 1, 1000000.0},
      {"short_step", "-", "Steps below are half-way to being refused", &tuning_.short_step, 0, 1},
      {"fallback_sweeps", "sweeps", "From the best iterate, the first time that no κ helps",
       &tuning_.fallback_sweeps, 0, 10000},
      {"more_fallback_sweeps", "sweeps",
       "The same later: out of a local minimum the error rises first",
       &tuning_.more_fallback_sweeps, 0, 10000},
      {"phase_length", "iterations", "In which a κ has to lower the merit", &tuning_.phase_length,
       1, 10000},
      {"phase_fall", "-", "To this share, or the next κ is tried", &tuning_.phase_fall, 0, 1},
  };
}

void SemismoothNewton::Prepare(const FeasibleSet& set, NewtonMapKind kind) {
  set_ = &set;
  map_.Prepare(set, kind);
  system_.Prepare(set.problem(), map_);
  gauss_seidel_ = MakeGaussSeidel(set.problem(), std::move(gauss_seidel_));
  gauss_seidel_->Prepare(set);
  for (std::vector<double>* v :
       {&x_, &w_, &dx_, &dw_, &trial_, &w_trial_, &best_, &rows_, &w_rows_}) {
    v->resize(map_.rows());
  }
}

double SemismoothNewton::Merit(const std::vector<double>& x, const std::vector<double>& w,
                               double kappa) const {
  double sum = 0;
  for (int g = 0; g < map_.groups(); ++g) {
    sum += map_.Merit(g, x.data() + map_.first_row(g), w.data() + map_.first_row(g), kappa);
  }
  return sum;
}

bool SemismoothNewton::Report(Monitor& monitor) {
  double energy = 0;
  if (monitor.MeasureDue()) {
    for (int i = 0; i < map_.rows(); ++i) {
      rows_[i] = x_[i] * map_.scale()[i];
      w_rows_[i] = w_[i] / map_.scale()[i];
    }
    energy = MeasureEnergy(*set_, monitor.free_energy(), rows_.data(), w_rows_.data()).sum;
  }
  return monitor.Continue(energy,
                          [&](double* best) { std::copy(rows_.begin(), rows_.end(), best); });
}

void SemismoothNewton::Accept() {
  const double merit = Merit(x_, w_, kappa_);
  recent_[recent_next_] = merit;
  recent_next_ = (recent_next_ + 1) % static_cast<int>(recent_.size());
  const double comparable = kappa_ == 1 ? merit : Merit(x_, w_, 1);
  if (!(comparable < best_merit_)) return;
  best_merit_ = comparable;
  std::copy(x_.begin(), x_.end(), best_.begin());
}

void SemismoothNewton::Sweep(int count, Monitor& monitor) {
  for (int i = 0; i < map_.rows(); ++i) rows_[i] = x_[i] * map_.scale()[i];
  gauss_seidel_->Load(rows_.data());
  for (int k = 0; k < count && !monitor.OutOfTime(); ++k) {
    gauss_seidel_->Sweep(1.0, k % 2 == 1, monitor);
  }
  gauss_seidel_->Store(rows_.data());
  for (int i = 0; i < map_.rows(); ++i) x_[i] = rows_[i] / map_.scale()[i];
}

bool SemismoothNewton::Step(const NewtonOptions& options, Monitor& monitor) {
  const int n = map_.rows();
  const double rho = options.proximal ? rho_ : 0.0;
  if (!factorisation_.Begin(system_.work(), monitor)) return true;
  const bool solved = system_.Solve(map_, x_.data(), w_.data(), kappa_, rho, dx_.data());
  factorisation_.End(monitor);
  if (!solved) return false;
  system_.Multiply(dx_.data(), dw_.data());
  const double reference = *std::max_element(recent_.begin(), recent_.end());
  double alpha = 1;
  for (int k = 0; k < (options.line_search ? kHalvings : 1); ++k) {
    for (int i = 0; i < n; ++i) {
      trial_[i] = x_[i] + alpha * dx_[i];
      w_trial_[i] = w_[i] + alpha * dw_[i];
    }
    const double merit = Merit(trial_, w_trial_, kappa_);
    const bool lower = merit <= reference * (1 - kSufficient * alpha);
    if (lower || (!options.line_search && std::isfinite(merit))) {
      x_.swap(trial_);
      w_.swap(w_trial_);
      Accept();
      if (alpha == 1) rho_ = std::max(kLeastRho, tuning_.rho_fall * rho_);
      if (alpha < tuning_.short_step) rho_ *= 0.5 * tuning_.rho_rise;
      return true;
    }
    alpha *= 0.5;
  }
  return false;
}

bool SemismoothNewton::FallBack(const NewtonOptions& options, Monitor& monitor) {
  idle_phases_ = best_merit_ < 0.5 * phase_merit_ ? 0 : idle_phases_ + 1;
  if (idle_phases_ >= kIdlePhases) {
    monitor.Stop(Status::kStalled, "neither Newton steps nor sweeps lower the error any further");
    return false;
  }
  monitor.CountFallback();
  phase_merit_ = best_merit_;
  phase_iterations_ = 0;
  phase_ = (phase_ + 1) % kPhases;
  kappa_ = kSteps[phase_];
  rho_ = options.proximal_start;
  if (idle_phases_ > 0 && idle_phases_ % kPhases == 0) {
    std::copy(best_.begin(), best_.end(), x_.begin());
    // More each time: out of a local minimum the error rises first.
    Sweep(idle_phases_ == kPhases ? tuning_.fallback_sweeps : tuning_.more_fallback_sweeps,
          monitor);
    system_.Velocity(x_.data(), w_.data());
  }
  std::fill(recent_.begin(), recent_.end(), 0.0);
  Accept();
  return true;
}

void SemismoothNewton::Run(const NewtonOptions& options, std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  for (int i = 0; i < map_.rows(); ++i) x_[i] = x[i] / map_.scale()[i];
  system_.Velocity(x_.data(), w_.data());
  recent_.assign(options.memory, 0.0);
  recent_next_ = 0;
  rho_ = options.proximal_start;
  kappa_ = kSteps[0];
  phase_ = phase_iterations_ = idle_phases_ = 0;
  best_merit_ = phase_merit_ = std::numeric_limits<double>::infinity();
  Accept();
  bool first = options.sweeps > 0;
  while (Report(monitor)) {
    if (first) {
      first = false;
      Sweep(options.sweeps, monitor);
      system_.Velocity(x_.data(), w_.data());
      std::fill(recent_.begin(), recent_.end(), 0.0);
      Accept();
      continue;
    }
    if (++phase_iterations_ > tuning_.phase_length) {
      if (best_merit_ > tuning_.phase_fall * phase_merit_ && !FallBack(options, monitor)) return;
      phase_iterations_ = 1;
      phase_merit_ = best_merit_;
    }
    bool accepted = Step(options, monitor);
    while (!accepted && options.proximal && rho_ < kLargestRho && !monitor.OutOfTime()) {
      rho_ = std::max(tuning_.rho_rise * rho_, kLeastRiseTo);
      accepted = Step(options, monitor);
    }
    if (!accepted && !monitor.OutOfTime() && !FallBack(options, monitor)) return;
  }
}

}  // namespace nonsmooth
