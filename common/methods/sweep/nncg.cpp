// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/nncg.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace nonsmooth {
namespace {

/// Of the error before: a plain sweep that does better than this needs no help.
constexpr double kFast = 0.7;

double SquaredDistance(const GaussSeidel::State& state, const double* before) {
  double sum = 0;
  for (std::size_t i = 0; i < state.size; ++i) {
    const double step = state.x[i] - before[i];
    sum += (state.weight != nullptr ? state.weight[i] : 1.0) * step * step;
  }
  return sum;
}

void Save(const GaussSeidel::State& state, std::vector<double>& copy) {
  std::copy_n(state.x, state.size, copy.data());
  std::copy_n(state.image, state.image_size, copy.data() + state.size);
}

/// x ← x + β p and p ← β p + Δ, where Δ = x − before; x and p and, behind them, their images.
/// In the paper's words −∇f = Δ, the direction is p' = βp − ∇f and the sweep has gone the way of
/// −∇f already.
void Extrapolate(double beta, const double* before, double* x, double* p, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const double step = x[i] - before[i];
    x[i] += beta * p[i];
    p[i] = beta * p[i] + step;
  }
}

}  // namespace

OptionFields NncgSolver::Options() {
  return {
      {"symmetric", "-", "forward and backward sweep in one iteration", &options_.symmetric},
      {"plain_sweeps", "iterations", "sweeps before the first conjugate direction",
       &options_.plain_sweeps, 0, 1e9},
  };
}

void NncgSolver::Prepare(const FeasibleSet& set) {
  sweep_ = MakeGaussSeidel(set.problem(), std::move(sweep_));
  sweep_->Prepare(set);
}

void NncgSolver::Run(std::vector<double>& x, Monitor& monitor) {
  sweep_->Load(x.data());
  const GaussSeidel::State state = sweep_->state();
  before_.resize(state.size + state.image_size);
  direction_.assign(before_.size(), 0.0);
  const auto store = [this](double* best) { sweep_->Store(best); };
  double last_norm = 0;  // of the step before; 0: no direction to go on along
  double last_energy = std::numeric_limits<double>::infinity();
  bool plain = options_.plain_sweeps > 0;
  for (int sweeps = 0;; ++sweeps) {
    // Conjugate directions need the energy, half a sweep, whether the monitor wants it or not.
    const bool judge = sweeps + 1 >= options_.plain_sweeps;
    const double energy = judge || monitor.MeasureDue() ? sweep_->Energy() : 0.0;
    if (!monitor.Continue(energy, store)) return;
    plain = plain && (sweeps < options_.plain_sweeps || energy < kFast * last_energy);
    if (plain) {
      if (judge) {
        Save(state, before_);
        last_energy = energy;
      }
      sweep_->Sweep(1.0, false, monitor);
      continue;
    }
    if (sweeps > 0) {
      const double norm = SquaredDistance(state, before_.data());
      double beta = last_norm > 0 ? norm / last_norm : 0;
      if (beta > 1 || energy > last_energy) beta = 0;
      last_energy = energy;
      const std::size_t size = state.size;
      Extrapolate(beta, before_.data(), state.x, direction_.data(), size);
      Extrapolate(beta, before_.data() + size, state.image, direction_.data() + size,
                  state.image_size);
      last_norm = norm;
    }
    Save(state, before_);
    sweep_->Sweep(1.0, false, monitor);
    if (options_.symmetric) sweep_->Sweep(1.0, true, monitor);
  }
}

}  // namespace nonsmooth
