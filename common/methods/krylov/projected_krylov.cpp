// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/projected_krylov.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr double kLeastStep = 1e-3;  // of the gradient, in units of 1/a
constexpr double kMostStep = 1e3;
constexpr double kArmijo = 1e-4;
constexpr int kHalvings = 8;
constexpr double kRounding = 1e-13;   // of x, relative
constexpr double kBreakdown = 1e-14;  // of a Lanczos vector, relative to the first

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Up to rounding, in the metric of the weights: points on a cone's boundary move by that when they
/// are projected.
bool SamePoint(const std::vector<double>& a, const std::vector<double>& b,
               const std::vector<double>& weights) {
  double distance = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    distance += weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
    size += weights[i] * b[i] * b[i];
  }
  return distance <= kRounding * kRounding * size;
}

}  // namespace

void ProjectedKrylov::Prepare(const FeasibleSet& set) {
  set_ = &set;
  dynamics_ = &set.problem().dynamics();
  stage_.Prepare(set);
  ForgetTurns();
  const std::size_t n = set.weights().size();
  for (std::vector<double>* v : {&x_, &w_, &start_, &w_start_, &trial_, &w_trial_, &p_, &ap_}) {
    v->resize(n);
  }
  for (int k = 0; k < 3; ++k) {
    d_[k].resize(n);
    ad_[k].resize(n);
    lanczos_[k].reserve(n);
  }
  for (std::vector<double>& z : z_) z.reserve(n);
  face_.Reserve(stage_.rows());
  last_face_.Reserve(stage_.rows());
}

OptionFields ProjectedKrylov::Tuning() {
  return {
      {"gain", "-", "Of the error from turn to turn, without which turns get shorter",
       &tuning_.gain, 0, 1},
      {"shrink", "-", "What a turn is then shortened by", &tuning_.shrink, 0, 1},
      {"grow", "-", "What it is lengthened by otherwise", &tuning_.grow, 1, 10},
      {"least_relaxation", "-", "The shortest turn", &tuning_.least_relaxation, 0, 1},
  };
}

void ProjectedKrylov::Multiply(const double* x, double* y) {
  dynamics_->Multiply(x, y, workspace_);
}

void ProjectedKrylov::Load(const double* x) {
  std::copy(x, x + x_.size(), x_.begin());
  dynamics_->ConstraintVelocity(x_.data(), w_.data(), workspace_);
}

void ProjectedKrylov::Freeze(StageKind kind) {
  if (kind != StageKind::kNormal) {
    // The turns themselves are a fixed-point iteration: it overshoots where its error rises.
    const double energy = Energy();
    relaxation_ = energy > tuning_.gain * frozen_energy_
                      ? std::max(tuning_.least_relaxation, tuning_.shrink * relaxation_)
                      : std::min(1.0, tuning_.grow * relaxation_);
    frozen_energy_ = energy;
  }
  stage_.Freeze(kind, x_.data(), w_.data(), relaxation_);
  std::copy(x_.begin(), x_.end(), trial_.begin());
  stage_.Project(trial_.data());
  if (trial_ != x_) Load(trial_.data());
  step_ = 1;
  last_face_.Reserve(stage_.rows());
}

void ProjectedKrylov::ForgetTurns() {
  relaxation_ = 1;
  frozen_energy_ = std::numeric_limits<double>::infinity();
}

double ProjectedKrylov::Energy() const { return MeasureEnergy(*set_, 0, x_.data(), w_.data()).sum; }

bool ProjectedKrylov::Report(Monitor& monitor) { return monitor.Continue(x_.data(), w_.data()); }

double ProjectedKrylov::StageEnergy() {
  const std::vector<double>& a = stage_.weights();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    trial_[i] = a[i] > 0 ? x_[i] - (w_[i] + stage_.shift()[i]) / a[i] : x_[i];
  }
  stage_.Project(trial_.data());
  double sum = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    sum += 0.5 * a[i] * (x_[i] - trial_[i]) * (x_[i] - trial_[i]);
  }
  return sum;
}

void ProjectedKrylov::GradientStep() {
  const std::vector<double>& a = stage_.weights();
  const std::vector<double>& s = stage_.shift();
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i < n; ++i) {
    p_[i] = a[i] > 0 ? x_[i] - step_ * (w_[i] + s[i]) / a[i] : x_[i];
  }
  stage_.Project(p_.data());
  double slope = 0;
  for (std::size_t i = 0; i < n; ++i) {
    p_[i] -= x_[i];
    slope += (w_[i] + s[i]) * p_[i];
  }
  Multiply(p_.data(), ap_.data());
  const double curvature = Dot(p_, ap_);
  double response = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] > 0) response += ap_[i] * ap_[i] / a[i];
  }
  // The direction is feasible up to length 1; along it the objective is a parabola.
  // Where rounding makes it rise, x is where it should be and only has to be kept in K.
  const double alpha = curvature > 0 && slope < 0 ? std::min(1.0, -slope / curvature) : 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    x_[i] += alpha * p_[i];
    w_[i] += alpha * ap_[i];
  }
  // The shorter of the two Barzilai-Borwein lengths.
  if (curvature > 0 && response > 0) {
    step_ = std::clamp(curvature / response, kLeastStep, kMostStep);
  } else {
    step_ = 1;
  }
}

bool ProjectedKrylov::SameFace() {
  face_.Find(stage_, x_.data());
  return face_ == last_face_;
}

bool ProjectedKrylov::Krylov(int most, double reduction, Monitor& monitor) {
  face_.Find(stage_, x_.data());
  last_face_ = face_;
  if (face_.size() == 0) return true;
  start_ = x_;
  w_start_ = w_;
  if (!Minres(most, reduction, monitor)) return false;
  // w was carried along: what rounding has left in it goes.
  dynamics_->ConstraintVelocity(x_.data(), w_.data(), workspace_);
  std::copy(x_.begin(), x_.end(), trial_.begin());
  stage_.Project(trial_.data());
  if (SamePoint(trial_, x_, stage_.weights())) return true;
  if (!SearchProjectedPath()) {
    x_.swap(start_);
    w_.swap(w_start_);
    monitor.CountFallback();
  }
  return Report(monitor);
}

/// Preconditioned MINRES for PᵀA P z = −Pᵀ(w + s) from z = 0, in the notation of H. Elman, D.
/// Silvester, A. Wathen, "Finite elements and fast iterative solvers", Algorithm 6.1. w is carried
/// along, so that every iterate can be judged.
bool ProjectedKrylov::Minres(int most, double reduction, Monitor& monitor) {
  const int m = face_.size();
  const std::size_t n = x_.size();
  for (std::vector<double>& v : lanczos_) v.assign(m, 0.0);
  for (std::vector<double>& z : z_) z.assign(m, 0.0);
  for (int k = 0; k < 3; ++k) {
    std::fill(d_[k].begin(), d_[k].end(), 0.0);
    std::fill(ad_[k].begin(), ad_[k].end(), 0.0);
  }
  const std::vector<double>& s = stage_.shift();
  const std::vector<double>& diagonal = face_.diagonal();
  for (std::size_t i = 0; i < n; ++i) p_[i] = -(w_[i] + s[i]);
  // Indices turn round: 0 is the vector before, 1 the present, 2 the next.
  face_.Restrict(p_.data(), lanczos_[1].data());
  const auto precondition = [&](const std::vector<double>& v, std::vector<double>& z) {
    double sum = 0;
    for (int j = 0; j < m; ++j) {
      z[j] = v[j] / diagonal[j];
      sum += z[j] * v[j];
    }
    return std::sqrt(sum);
  };
  double gamma = precondition(lanczos_[1], z_[0]);
  const double first = gamma;
  if (!(first > 0)) return true;
  double gamma_before = 1;
  double eta = gamma;
  double cos_before = 1, cos_now = 1, sin_before = 0, sin_now = 0;
  for (int k = 0; k < most; ++k) {
    for (int j = 0; j < m; ++j) z_[0][j] /= gamma;
    face_.Expand(z_[0].data(), p_.data());
    Multiply(p_.data(), ap_.data());
    face_.Restrict(ap_.data(), z_[1].data());
    double delta = 0;
    for (int j = 0; j < m; ++j) delta += z_[1][j] * z_[0][j];
    for (int j = 0; j < m; ++j) {
      lanczos_[2][j] = z_[1][j] - delta / gamma * lanczos_[1][j] -
                       (k > 0 ? gamma / gamma_before * lanczos_[0][j] : 0.0);
    }
    const double gamma_next = precondition(lanczos_[2], z_[1]);
    const double a0 = cos_now * delta - cos_before * sin_now * gamma;
    const double a1 = std::hypot(a0, gamma_next);
    const double a2 = sin_now * delta + cos_before * cos_now * gamma;
    const double a3 = sin_before * gamma;
    if (!(a1 > kBreakdown * (std::abs(delta) + gamma)))
      return true;  // A is singular on what is left
    cos_before = std::exchange(cos_now, a0 / a1);
    sin_before = std::exchange(sin_now, gamma_next / a1);
    for (std::size_t i = 0; i < n; ++i) {
      d_[2][i] = (p_[i] - a3 * d_[0][i] - a2 * d_[1][i]) / a1;
      ad_[2][i] = (ap_[i] - a3 * ad_[0][i] - a2 * ad_[1][i]) / a1;
      x_[i] += cos_now * eta * d_[2][i];
      w_[i] += cos_now * eta * ad_[2][i];
    }
    eta *= -sin_now;
    std::swap(d_[0], d_[1]);
    std::swap(d_[1], d_[2]);
    std::swap(ad_[0], ad_[1]);
    std::swap(ad_[1], ad_[2]);
    std::swap(lanczos_[0], lanczos_[1]);
    std::swap(lanczos_[1], lanczos_[2]);
    std::swap(z_[0], z_[1]);
    gamma_before = std::exchange(gamma, gamma_next);
    if (!Report(monitor)) return false;
    if (monitor.OutOfTime()) return true;
    if (!(std::abs(eta) > reduction * first) || !(gamma > kBreakdown * first)) return true;
  }
  return true;
}

bool ProjectedKrylov::SearchProjectedPath() {
  const std::vector<double>& s = stage_.shift();
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i < n; ++i) p_[i] = x_[i] - start_[i];
  for (int k = 0; k < kHalvings; ++k) {
    const double alpha = std::ldexp(1.0, -k);
    for (std::size_t i = 0; i < n; ++i) trial_[i] = start_[i] + alpha * p_[i];
    stage_.Project(trial_.data());
    dynamics_->ConstraintVelocity(trial_.data(), w_trial_.data(), workspace_);
    // Differences of the objective itself would drown in rounding.
    double slope = 0;
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = trial_[i] - start_[i];
      slope += step * (w_start_[i] + s[i]);
      change += 0.5 * step * (w_start_[i] + w_trial_[i] + 2 * s[i]);
    }
    if (change <= kArmijo * std::min(slope, 0.0)) {
      x_.swap(trial_);
      w_.swap(w_trial_);
      return true;
    }
  }
  return false;
}

}  // namespace nonsmooth
