// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/pgs_sm.h"

#include <algorithm>
#include <utility>

namespace nonsmooth {
namespace {

constexpr int kMostSweeps = 1000;  // between two minimisations

}  // namespace

OptionFields PgsSmSolver::Options() {
  return {
      {"sweeps", "iterations", "Gauss-Seidel sweeps between two minimisations", &options_.sweeps, 1,
       1e6},
      {"subspace_iterations", "iterations", "most steps of a minimisation",
       &options_.subspace_iterations, 1, 1e6},
      {"subspace_reduction", "-",
       "a minimisation ends where its residual has fallen to this fraction",
       &options_.subspace_reduction, 1e-12, 1},
  };
}

void PgsSmSolver::Prepare(const FeasibleSet& set) {
  sweep_ = MakeGaussSeidel(set.problem(), std::move(sweep_));
  sweep_->Prepare(set);
  krylov_.Prepare(set);
}

void PgsSmSolver::Run(std::vector<double>& x, Monitor& monitor) {
  sweep_->Load(x.data());
  const auto store = [this](double* best) { sweep_->Store(best); };
  double energy = sweep_->Energy();
  if (!monitor.Continue(energy, store)) return;
  int sweeps = options_.sweeps;
  for (;;) {
    for (int k = 0; k < sweeps; ++k) {
      sweep_->Sweep(1.0, false, monitor);
      energy = sweep_->Energy();
      if (!monitor.Continue(energy, store)) return;
      if (monitor.StartFails(monitor.iterations(), energy)) {
        std::fill(x.begin(), x.end(), 0.0);
        sweep_->Load(x.data());
      }
    }
    sweep_->Store(x.data());
    krylov_.Load(x.data());
    krylov_.ForgetTurns();  // sweeps are no turns of a fixed-point iteration
    krylov_.Freeze(StageKind::kWhole);
    if (!krylov_.Krylov(options_.subspace_iterations, options_.subspace_reduction, monitor)) return;
    if (krylov_.Energy() < energy) {
      sweep_->Load(krylov_.x().data());
      sweeps = options_.sweeps;
    } else {
      monitor.CountFallback();
      sweeps = std::min(2 * sweeps, std::max(kMostSweeps, options_.sweeps));
    }
  }
}

}  // namespace nonsmooth
