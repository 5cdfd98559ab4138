// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/newton_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr int kMostHalvings = 8;
constexpr int kMostSlopes = 8;  // evaluations of φ' in a line search
constexpr double kFlat = 0.1;   // of φ'(0): flat enough
constexpr int kFewSteps = 4;    // of Newton about a centre: α may be doubled
constexpr int kManySteps = 6;   // it is halved
constexpr int kMostSteps = 8;   // given up
constexpr double kRetreat = 9;  // what α is divided by then
constexpr double kLeastStiffness = 1e-3;
constexpr int kPatience = 150;  // factorisations without progress
constexpr double kProgress = 0.9;

// Where rows contradict each other: how near the bound is near, how far above it a damped solution
// may be, and the stiffness it is tried with.
constexpr double kNear = 1.01;
constexpr double kDampedNear = 1.05;
constexpr double kLeastDamped = 10;
constexpr double kMostDamped = 1e9;
constexpr double kDampedStep = 10;
constexpr double kDampedExact = 1e-3;  // of ‖x‖²: what may be missing
constexpr double kStands = 0.98;       // of the error at the last centre

double Dot(const AlignedVector& a, const AlignedVector& b) {
  double sum[4] = {0, 0, 0, 0};  // which do not wait for each other; sizes are multiples of 8
  for (std::size_t i = 0; i < a.size(); i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void NewtonPhase::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  for (AlignedVector* v : {&factor_, &soft_, &centre_, &q_, &x_q_, &x_, &missing_, &missing_q_, &w_,
                           &delta_, &dq_, &old_q_, &old_x_q_, &displacement_}) {
    v->assign(layout.size(), 0.0);
  }
  matrix_.assign(layout.matrix_size(), 0.0);
  factor_.assign(layout.size(), 1.0);
  for (const UnitFamily& family : layout.families()) {
    if (family.kind != UnitKind::kLine) continue;
    for (int i = family.first; i < family.first + family.count; ++i) {
      const GroupKind kind = layout.set().problem().groups()[layout.group()[i]].kind;
      if (kind == GroupKind::kContact) continue;
      const bool free = std::isinf(layout.lower()[i]) && std::isinf(layout.upper()[i]);
      factor_[i] = free ? options.of_equalities : options.of_bounds;
    }
  }
  contradiction_.Prepare(layout);
  resolvent_.bias = layout.bias().data();
  resolvent_.compliance = layout.compliance().data();
  resolvent_.coefficient = layout.coefficient().data();
  resolvent_.lower = layout.lower().data();
  resolvent_.upper = layout.upper().data();
  resolvent_.shift = layout.shift().data();
  resolvent_.soft = soft_.data();
  resolvent_.centre = centre_.data();
  resolvent_.velocity = q_.data();
  resolvent_.x = x_.data();
  resolvent_.matrix = matrix_.data();
}

void NewtonPhase::SetStiffness(double stiffness) {
  for (std::size_t i = 0; i < soft_.size(); ++i) soft_[i] = 1 / (stiffness * factor_[i]);
}

/// x and D at q, what is missing, and ‖F‖².
double NewtonPhase::Evaluate(UnitSystem& system) {
  for (const UnitFamily& family : layout_->families()) Resolve(family, *layout_, resolvent_);
  for (std::size_t i = 0; i < x_.size(); ++i) missing_[i] = x_[i] - x_q_[i];
  system.Multiply(missing_.data(), missing_q_.data());
  return std::max(0.0, Dot(missing_, missing_q_));
}

double NewtonPhase::Energy() {
  for (std::size_t i = 0; i < w_.size(); ++i) {
    w_[i] = q_[i] + missing_q_[i] + resolvent_.compliance[i] * x_[i] + resolvent_.bias[i];
  }
  double sum = 0;
  for (const UnitFamily& family : layout_->families()) {
    sum += UnitEnergy(family, *layout_, x_.data(), w_.data());
  }
  return sum;
}

double NewtonPhase::DistanceToCentre() const {
  double sum = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double d = x_[i] - centre_[i];
    sum += (soft_[i] + resolvent_.compliance[i]) * d * d;
  }
  return sum;
}

void NewtonPhase::ReturnToCentre(UnitSystem& system) {
  x_q_ = centre_;
  system.Multiply(x_q_.data(), q_.data());
}

void NewtonPhase::MoveCentre(UnitSystem& system) {
  centre_ = x_;
  system.Multiply(x_q_.data(), q_.data());  // without the rounding of many steps
}

void NewtonPhase::MoveTo(double length) {
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] = old_q_[i] + length * dq_[i];
    x_q_[i] = old_x_q_[i] + length * delta_[i];
  }
}

/// φ' at this length of the step.
double NewtonPhase::Slope(double length) {
  MoveTo(length);
  for (const UnitFamily& family : layout_->families()) Resolve(family, *layout_, resolvent_);
  for (std::size_t i = 0; i < x_.size(); ++i) missing_[i] = x_q_[i] - x_[i];
  return Dot(dq_, missing_);
}

/// Moves along the step; false if nothing is gained.
bool NewtonPhase::Search(UnitSystem& system, double before) {
  old_q_ = q_;
  old_x_q_ = x_q_;
  if (layout_->shifted() > 0) {
    double length = 1;
    for (int k = 0; k < kMostHalvings; ++k, length *= 0.5) {
      MoveTo(length);
      if (Evaluate(system) < before) return true;
    }
    return false;
  }
  double low = 0, high = 1;
  double slope_low = -Dot(dq_, missing_);
  const double flat = kFlat * std::abs(slope_low);
  if (!(slope_low < 0)) return false;
  double slope_high = Slope(1);
  double length = 1;
  for (int k = 0; k < kMostSlopes && slope_high > flat; ++k) {
    // Regula falsi with the Illinois rule: φ' rises and has kinks.
    length = low + (high - low) * slope_low / (slope_low - slope_high);
    const double slope = Slope(length);
    if (std::abs(slope) <= flat) break;
    if (slope > 0) {
      high = length;
      slope_high = slope;
      slope_low *= 0.5;
    } else {
      low = length;
      slope_low = slope;
      slope_high = std::max(0.5 * slope_high, 2 * flat);
    }
  }
  Evaluate(system);
  return true;
}

/// Factorises and moves; false if nothing is gained.
bool NewtonPhase::NewtonStep(UnitSystem& system, double* missing) {
  if (!system.Factorise(matrix_.data(), layout_->shifted() == 0)) return false;
  system.Solve(missing_.data(), delta_.data(), dq_.data());
  if (!Search(system, *missing)) return false;
  *missing = std::max(0.0, Dot(missing_, missing_q_));
  return true;
}

/// After the centre has moved by `displacement_` to x. Ends the solve if so.
bool NewtonPhase::IsContradicted(UnitSystem& system, Monitor& monitor) {
  const double bound = contradiction_.Bound(system, displacement_, x_);
  if (bound <= monitor.tolerance() || monitor.best_energy() > kNear * bound) return false;
  Damp(system, monitor, bound);
  return true;
}

void NewtonPhase::Damp(UnitSystem& system, Monitor& monitor, double bound) {
  std::fill(centre_.begin(), centre_.end(), 0.0);
  double stiffness = kLeastDamped;
  for (; stiffness <= kMostDamped && !monitor.OutOfTime(); stiffness *= kDampedStep) {
    std::fill(soft_.begin(), soft_.end(), 1 / stiffness);
    ReturnToCentre(system);
    double missing = Evaluate(system);
    for (int k = 0; k < kMostSteps && missing > kDampedExact * DistanceToCentre(); ++k) {
      if (!NewtonStep(system, &missing)) break;
    }
    contradiction_.Shorten(&x_);
    const double energy = Energy();
    if (energy > kDampedNear * bound) continue;
    monitor.StopAtBound(bound, energy, [&](double* x) { layout_->ToProblem(x_.data(), x); });
    return;
  }
  monitor.StopAtBound(bound, monitor.best_energy(), [](double*) {});
}

bool NewtonPhase::Run(const UnitLayout& layout, UnitSystem& system, const AlignedVector& start,
                      Monitor& monitor) {
  layout_ = &layout;
  double stiffness = options.stiffness;
  SetStiffness(stiffness);
  centre_ = start;
  ReturnToCentre(system);
  double missing = Evaluate(system);
  double best = monitor.best_energy();
  double energy = best, energy_at_centre = best;
  bool moved = false;
  int steps = 0;
  int idle = 0;
  for (;;) {
    if (missing <= DistanceToCentre()) {
      if (moved && energy > kStands * energy_at_centre) {
        for (std::size_t i = 0; i < x_.size(); ++i) displacement_[i] = x_[i] - centre_[i];
        if (IsContradicted(system, monitor)) return false;
      }
      moved = true;
      energy_at_centre = energy;
      MoveCentre(system);
      if (steps <= kFewSteps) stiffness *= 2;
      if (steps > kManySteps) stiffness *= 0.5;
      stiffness = std::min(stiffness, options.most_stiffness);
      SetStiffness(stiffness);
      steps = 0;
      missing = Evaluate(system);
    }
    bool failed = !std::isfinite(missing) || steps > kMostSteps;
    failed = failed || !NewtonStep(system, &missing);
    if (monitor.OutOfTime()) return false;
    ++steps;
    if (failed) {
      stiffness /= kRetreat;
      if (stiffness < kLeastStiffness) return true;
      SetStiffness(stiffness);
      ReturnToCentre(system);
      steps = 0;
      missing = Evaluate(system);
    }
    energy = Energy();
    if (!std::isfinite(energy)) return true;
    const bool go_on = monitor.Continue(energy, [&](double* x) { layout.ToProblem(x_.data(), x); });
    if (!go_on) return false;
    idle = energy <= kProgress * best ? 0 : idle + 1;
    best = std::min(best, energy);
    if (idle >= kPatience) return true;
  }
}

}  // namespace nonsmooth
