// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/psor.h"

#include <utility>

namespace nonsmooth {

OptionFields PsorSolver::Options() {
  return {
      {"relaxation", "-", "over-relaxation factor; 1 is plain Gauss-Seidel", &options_.relaxation,
       0, 2, true},
      {"symmetric", "-", "alternate forward and backward sweeps", &options_.symmetric},
      {"in_order", "-", "relax contacts one by one in the problem's order; slower",
       &options_.in_order},
  };
}

void PsorSolver::Prepare(const FeasibleSet& set) {
  sweep_ = MakeGaussSeidel(set.problem(), std::move(sweep_), options_.in_order);
  sweep_->Prepare(set);
}

void PsorSolver::Run(std::vector<double>& x, Monitor& monitor) {
  sweep_->Load(x.data());
  const auto store = [this](double* best) { sweep_->Store(best); };
  bool backwards = false;
  while (monitor.Continue(monitor.MeasureDue() ? sweep_->Energy() : 0.0, store)) {
    sweep_->Sweep(options_.relaxation, backwards, monitor);
    if (options_.symmetric) backwards = !backwards;
  }
}

}  // namespace nonsmooth
