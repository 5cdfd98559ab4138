// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/nncg.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace nonsmooth {
namespace {

/// [doubles] That a thread takes at a time.
constexpr std::size_t kStretch = 16384;

double SquaredDistance(const GaussSeidel::State& state, const double* before, std::size_t first,
                       std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double step = state.x[i] - before[i];
    sum += (state.weight != nullptr ? state.weight[i] : 1.0) * step * step;
  }
  return sum;
}

/// x ← x + β p and p ← β p + Δ, where Δ = x − before; x and p and, behind them, their images.
/// In the paper's words −∇f = Δ, the direction is p' = βp − ∇f and the sweep has gone the way of
/// −∇f already.
void Extrapolate(double beta, const double* before, double* x, double* p, std::size_t first,
                 std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
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

OptionFields NncgSolver::Tuning() {
  return {
      {"fast", "-", "A plain sweep that leaves less than this of the error needs no help",
       &tuning_.fast, 0, 1},
  };
}

void NncgSolver::Prepare(const FeasibleSet& set) {
  sweep_ = MakeGaussSeidel(set.problem(), std::move(sweep_));
  sweep_->UseThreads(threads_);
  sweep_->Prepare(set);
}

template <class Job>
void NncgSolver::ForStretches(std::size_t size, const Job& job) {
  nonsmooth::ForStretches(team_, threads_, size, kStretch, job);
}

double NncgSolver::SquaredStep(const GaussSeidel::State& state) {
  sums_.assign(state.size / kStretch + 1, 0.0);
  ForStretches(state.size, [&](std::size_t first, std::size_t last) {
    sums_[first / kStretch] = SquaredDistance(state, before_.data(), first, last);
  });
  return std::accumulate(sums_.begin(), sums_.end(), 0.0);  // always in the same order
}

void NncgSolver::Save(const GaussSeidel::State& state) {
  const auto copy = [this](const double* from, std::size_t size, double* to) {
    ForStretches(size, [=](std::size_t first, std::size_t last) {
      std::copy(from + first, from + last, to + first);
    });
  };
  copy(state.x, state.size, before_.data());
  copy(state.image, state.image_size, before_.data() + state.size);
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
    const bool measure = judge || monitor.OnProbation(sweeps) || monitor.MeasureDue();
    const double energy = measure ? sweep_->Energy() : 0.0;
    if (!monitor.Continue(energy, store)) return;
    if (monitor.StartFails(sweeps, energy)) {
      std::fill(x.begin(), x.end(), 0.0);
      sweep_->Load(x.data());
      std::fill(direction_.begin(), direction_.end(), 0.0);
      Save(state);  // no step, no direction
      last_norm = 0;
    }
    plain = plain && (sweeps < options_.plain_sweeps || energy < tuning_.fast * last_energy);
    if (plain) {
      if (judge) {
        Save(state);
        last_energy = energy;
      }
      sweep_->Sweep(1.0, false, monitor);
      continue;
    }
    if (sweeps > 0) {
      const double norm = SquaredStep(state);
      double beta = last_norm > 0 ? norm / last_norm : 0;
      if (beta > 1 || energy > last_energy) beta = 0;
      last_energy = energy;
      const std::size_t size = state.size;
      ForStretches(size, [&](std::size_t first, std::size_t last) {
        Extrapolate(beta, before_.data(), state.x, direction_.data(), first, last);
      });
      ForStretches(state.image_size, [&](std::size_t first, std::size_t last) {
        Extrapolate(beta, before_.data() + size, state.image, direction_.data() + size, first,
                    last);
      });
      last_norm = norm;
    }
    Save(state);
    sweep_->Sweep(1.0, false, monitor);
    if (options_.symmetric) sweep_->Sweep(1.0, true, monitor);
  }
}

}  // namespace nonsmooth
