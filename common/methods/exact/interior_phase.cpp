// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/interior_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/methods/exact/resolvent_kernel.h"

namespace nonsmooth {
namespace {

constexpr double kShortStep = 0.5;  // after one, much is centred
constexpr double kCentringAfterShort = 0.5;
constexpr double kLeastFraction = 0.95;  // of the way to the boundary
// Gondzio's correctors: how much longer a step is aimed at, what the products may be in units of
// the target, what is long enough, how many times longer makes one worthwhile.
constexpr double kReach = 0.3;
constexpr double kLeastProduct = 0.1;
constexpr double kMostProduct = 10;
constexpr double kLongEnough = 0.9;
constexpr double kWorthwhile = 1.05;
constexpr double kNoStep = 1e-3;
constexpr int kMostShortSteps = 3;
// Iterations in which the error has to be halved where there are no cones: one step does it all.
constexpr int kPatienceWithoutCones = 1;
constexpr double kHalved = 0.5;

}  // namespace

InteriorStep InteriorPhase::Step::arrays() {
  return {dx.data(), dw.data(), dz.data(), dz_0.data(), target.data(), target_0.data()};
}

void InteriorPhase::Prepare(const UnitLayout& layout) {
  layout_ = &layout;
  for (AlignedVector* v : {&x_, &w_, &z_, &residual_, &gradient_, &scaling_, &right_, &best_}) {
    v->assign(layout.size(), 0.0);
  }
  for (AlignedVector* v : {&z_0_, &eta_, &scaling_0_}) v->assign(layout.parts(), 1.0);
  for (AlignedVector* v : {&inverse_, &matrix_}) v->assign(layout.matrix_size(), 0.0);
  for (Step& step : steps_) {
    for (AlignedVector* v : {&step.dx, &step.dw, &step.dz, &step.target}) {
      v->assign(layout.size(), 0.0);
    }
    for (AlignedVector* v : {&step.dz_0, &step.target_0}) v->assign(layout.parts(), 0.0);
  }
  point_.bias = layout.bias().data();
  point_.compliance = layout.compliance().data();
  point_.coefficient = layout.coefficient().data();
  point_.lower = layout.lower().data();
  point_.upper = layout.upper().data();
  point_.shift = layout.shift().data();
  point_.proximal = options.proximal;
  point_.shift_share = options.shift_share;
  point_.x = x_.data();
  point_.w = w_.data();
  point_.z = z_.data();
  point_.z_0 = z_0_.data();
  point_.residual = residual_.data();
  point_.gradient = gradient_.data();
  point_.eta = eta_.data();
  point_.point_0 = scaling_0_.data();
  point_.point = scaling_.data();
  point_.inverse = inverse_.data();
  point_.matrix = matrix_.data();
  point_.right = right_.data();
}

void InteriorPhase::Start(double tau) {
  for (const UnitFamily& family : layout_->families()) StartInterior(family, point_, tau);
  last_length_ = 1;
}

InteriorSums InteriorPhase::Residual() {
  InteriorSums sums;
  for (const UnitFamily& family : layout_->families()) InteriorResidual(family, point_, &sums);
  return sums;
}

double InteriorPhase::Energy() const {
  double sum = 0;
  for (const UnitFamily& family : layout_->families()) {
    sum += UnitEnergy(family, *layout_, x_.data(), w_.data());
  }
  return sum;
}

void InteriorPhase::SolveFor(UnitSystem& system, Step* step) {
  system.Solve(right_.data(), step->dx.data(), step->dw.data());
  InteriorSums sums;
  for (const UnitFamily& family : layout_->families()) {
    FinishStep(family, point_, step->arrays(), &sums);
  }
  step->length = sums.length;
  step->linear = sums.linear;
  step->square = sums.square;
}

/// One step; its length, 0 if the matrix is singular.
double InteriorPhase::Advance(UnitSystem& system, double relative_error) {
  const std::vector<UnitFamily>& families = layout_->families();
  const double gap = Residual().gap;
  for (const UnitFamily& family : families) InteriorScale(family, point_);
  if (!system.Factorise(matrix_.data(), layout_->shifted() == 0)) return 0;
  Step* step = &steps_[0];
  Step* other = &steps_[1];
  for (const UnitFamily& family : families) PredictorTarget(family, point_, other->arrays());
  SolveFor(system, other);
  std::swap(step, other);
  if (layout_->cones() > 0) {
    const double affine = std::min(1.0, step->length);
    const double after = gap + affine * (step->linear + affine * step->square);
    const double ratio = gap > 0 ? std::clamp(after / gap, 0.0, 1.0) : 0.0;
    double centring = ratio * ratio * ratio;
    if (last_length_ < kShortStep) centring = std::max(centring, kCentringAfterShort);
    const double target = centring * gap / layout_->cones();
    for (const UnitFamily& family : families) {
      CorrectorTarget(family, point_, step->arrays(), target, other->arrays());
    }
    SolveFor(system, other);
    std::swap(step, other);
    for (int k = 0; k < options.correctors && step->length < kLongEnough; ++k) {
      const double trial = std::min(1.0, step->length + kReach);
      for (const UnitFamily& family : families) {
        CentralityTarget(family, point_, step->arrays(), trial, kLeastProduct * target,
                         kMostProduct * target, other->arrays());
      }
      SolveFor(system, other);
      if (!(other->length >= kWorthwhile * step->length)) break;
      std::swap(step, other);
    }
  }
  const double fraction = std::max(kLeastFraction, 1 - relative_error);
  const double length = std::min(1.0, std::min(fraction, 1 - 1e-6) * step->length);
  if (!(length > 0)) return 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] += length * step->dx[i];
    w_[i] += length * step->dw[i];
    z_[i] += length * step->dz[i];
  }
  for (std::size_t i = 0; i < z_0_.size(); ++i) z_0_[i] += length * step->dz_0[i];
  last_length_ = length;
  return length;
}

bool InteriorPhase::Run(const UnitLayout& layout, UnitSystem& system, Monitor& monitor) {
  layout_ = &layout;
  int units = 0;
  for (const UnitFamily& family : layout.families()) units += family.count;
  const double free_energy = monitor.free_energy();
  Start(options.start_gap * free_energy / std::max(1, units));
  const auto evaluate = [&] {
    system.Multiply(x_.data(), w_.data());
    for (std::size_t i = 0; i < w_.size(); ++i) {
      w_[i] += point_.compliance[i] * x_[i] + point_.bias[i];
    }
  };
  evaluate();
  double best = std::numeric_limits<double>::infinity();
  double relative = 1;
  int short_steps = 0;
  double mark = std::numeric_limits<double>::infinity();
  int mark_iteration = 0;
  const int patience = layout.cones() > 0 ? options.iterations : kPatienceWithoutCones;
  std::fill(best_.begin(), best_.end(), 0.0);
  for (int k = 0; k < options.iterations; ++k) {
    const double length = Advance(system, relative);
    if (monitor.OutOfTime()) return false;
    short_steps = length > kNoStep ? 0 : short_steps + 1;
    if (length == 0 || short_steps == kMostShortSteps) return true;
    const double energy = Energy();
    if (!std::isfinite(energy)) return true;
    relative = energy / free_energy;
    if (energy < best) {
      best = energy;
      best_ = x_;
    }
    const bool go_on = monitor.Continue(energy, [&](double* x) { layout.ToProblem(x_.data(), x); });
    if (!go_on) return false;
    if (relative <= options.until) return true;
    if (energy <= kHalved * mark) {
      mark = energy;
      mark_iteration = k;
    }
    if (k - mark_iteration >= patience) return true;
  }
  return true;
}

}  // namespace nonsmooth
