// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/psor.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/methods/sweep/batches/contact_kernel.h"

namespace nonsmooth {
namespace {

/// [doubles] That a thread takes at a time.
constexpr std::size_t kStretch = 16384;

}  // namespace

OptionFields PsorSolver::Options() {
  return {
      {"relaxation", "-", "over-relaxation factor; 1 is plain Gauss-Seidel", &options_.relaxation,
       0, 2, true},
      {"momentum", "-", "share of the last step that the next one starts ahead by",
       &options_.momentum, 0, 0.99},
      {"symmetric", "-", "alternate forward and backward sweeps", &options_.symmetric},
      {"in_order", "-", "relax contacts one by one in the problem's order; slower",
       &options_.in_order},
  };
}

OptionFields PsorSolver::Tuning() {
  return {
      {"judge_every", "sweeps", "how often momentum is judged", &tuning_.judge_every, 1, 1000},
      {"keep", "-", "of the momentum where the error has grown", &tuning_.keep, 0, 1},
      {"regain", "-", "of the missing momentum where the error has fallen", &tuning_.regain, 0, 1},
  };
}

void PsorSolver::Prepare(const FeasibleSet& set) {
  sweep_ = MakeGaussSeidel(set.problem(), std::move(sweep_), options_.in_order);
  sweep_->UseThreads(threads_);
  sweep_->Prepare(set);
}

void PsorSolver::Run(std::vector<double>& x, Monitor& monitor) {
  sweep_->Load(x.data());
  const GaussSeidel::State state = sweep_->state();
  double* image_before = nullptr;
  if (options_.momentum > 0) {
    before_.resize(state.size + state.image_size);
    image_before = before_.data() + state.size;
    std::copy_n(state.x, state.size, before_.data());
    std::copy_n(state.image, state.image_size, image_before);
  }
  const auto store = [&](double* best) {
    if (monitor.iterations() >= 0) sweep_->Store(best);  // the start is there already
  };
  bool backwards = false;
  double last_energy = std::numeric_limits<double>::infinity();
  double momentum = options_.momentum;
  for (int sweep = 0;; ++sweep) {
    const bool judge = options_.momentum > 0 && sweep > 0 && sweep % tuning_.judge_every == 0;
    const bool measure = judge || monitor.OnProbation(sweep) || monitor.MeasureDue();
    const double energy = measure ? sweep_->Energy() : 0.0;
    double beta = momentum;
    if (judge) {
      if (energy > last_energy) {
        beta = 0;
        momentum *= tuning_.keep;
      } else {
        momentum += tuning_.regain * (options_.momentum - momentum);
        beta = momentum;
      }
      last_energy = energy;
    }
    if (!monitor.Continue(energy, store)) return;
    if (monitor.StartFails(sweep, energy)) {
      std::fill(x.begin(), x.end(), 0.0);
      sweep_->Load(x.data());
      if (options_.momentum > 0) {
        std::copy_n(state.x, state.size, before_.data());
        std::copy_n(state.image, state.image_size, image_before);
      }
    }
    if (options_.momentum > 0 && sweep > 0) {
      const auto extrapolate = [&](std::size_t size, double* before, double* now) {
        ForStretches(team_, threads_, size, kStretch, [=](std::size_t first, std::size_t last) {
          Extrapolate(beta, last - first, before + first, now + first);
        });
      };
      extrapolate(state.size, before_.data(), state.x);
      extrapolate(state.image_size, image_before, state.image);
    }
    sweep_->Sweep(options_.relaxation, backwards, monitor);
    if (options_.symmetric) backwards = !backwards;
  }
}

}  // namespace nonsmooth
