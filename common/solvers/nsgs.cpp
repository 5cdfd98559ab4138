// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/nsgs.h"

#include <algorithm>
#include <limits>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 64;

/// w is carried from change to change; rounding is swept out this often.
constexpr int kSweepsBetweenProducts = 50;

}  // namespace

OptionFields NsgsSolver::Options() {
  return {
      {"relaxation", "-", "factor on the change of a contact; 1 is Gauss-Seidel",
       &options_.relaxation, 0, 2, true},
      {"symmetric", "-", "alternate forward and backward sweeps", &options_.symmetric},
      {"accelerate", "-", "conjugate extrapolation between sweeps", &options_.accelerate},
  };
}

void NsgsSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  groups_.Prepare(set);
  packed_ = dynamic_cast<const TwoBodyDynamics*>(&set.problem().dynamics()) != nullptr;
  if (packed_) {
    bodies_.Prepare(set.problem());
  } else {
    matrix_.Prepare(set.problem());
  }
}

template <class Response>
void NsgsSolver::Sweep(Response& response, bool backwards, std::vector<double>& x,
                       Monitor& monitor) {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  const int count = static_cast<int>(groups.size());
  double change[kMostGroupRows];
  for (int k = 0; k < count; ++k) {
    if (k % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return;
    const int g = backwards ? count - 1 - k : k;
    double* own = x.data() + groups[g].first_row;
    if (!groups_.Solve(g, response.Velocity(g, x.data()), own, change)) continue;
    if (options_.relaxation != 1) {
      for (int i = 0; i < groups[g].size; ++i) {
        const double full = change[i];
        change[i] *= options_.relaxation;
        own[i] += change[i] - full;
      }
    }
    response.Add(g, change);
  }
}

template <class Response>
void NsgsSolver::Iterate(Response& response, std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = set_->weights();
  const std::size_t n = x.size();
  response.Load(x.data());
  bool backwards = false;
  if (!options_.accelerate) {
    for (int sweep = 1;; ++sweep) {
      const double* w = monitor.MeasureDue() ? response.All(x.data()) : nullptr;
      if (!monitor.Continue(x.data(), w)) return;
      Sweep(response, backwards, x, monitor);
      if (options_.symmetric) backwards = !backwards;
      if (sweep % kSweepsBetweenProducts == 0) response.Load(x.data());
    }
  }
  before_.resize(n);
  direction_.assign(n, 0.0);
  double last_norm = 0;  // of the step before; 0: no direction to go on along
  double last_energy = std::numeric_limits<double>::infinity();
  for (int sweep = 0;; ++sweep) {
    const double energy =
        MeasureEnergy(*set_, monitor.free_energy(), x.data(), response.All(x.data())).sum;
    const auto store = [&](double* best) { std::copy(x.begin(), x.end(), best); };
    if (!monitor.Continue(energy, store)) return;
    if (sweep > 0) {
      double norm = 0;
      for (std::size_t i = 0; i < n; ++i) {
        norm += a[i] * (x[i] - before_[i]) * (x[i] - before_[i]);
      }
      double beta = last_norm > 0 ? norm / last_norm : 0;
      if (beta > 1 || energy > last_energy) beta = 0;
      last_energy = energy;
      for (std::size_t i = 0; i < n; ++i) {
        const double step = x[i] - before_[i];
        x[i] += beta * direction_[i];
        direction_[i] = beta * direction_[i] + step;
      }
      last_norm = norm;
      if (beta > 0) response.Load(x.data());
    }
    std::copy(x.begin(), x.end(), before_.begin());
    Sweep(response, backwards, x, monitor);
    if (options_.symmetric) backwards = !backwards;
  }
}

void NsgsSolver::Run(std::vector<double>& x, Monitor& monitor) {
  if (packed_) {
    Iterate(bodies_, x, monitor);
  } else {
    Iterate(matrix_, x, monitor);
  }
}

}  // namespace nonsmooth
