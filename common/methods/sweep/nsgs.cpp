// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/nsgs.h"

#include <algorithm>

#include "common/error/energy_error.h"
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
      {"memory", "iterates", "of Anderson's mixing between sweeps; 0: none", &options_.memory, 0,
       32},
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
  response.Load(x.data());
  anderson_.Prepare(set_->weights(), options_.memory);
  before_ = x;
  bool backwards = false;
  for (int sweep = 0;; ++sweep) {
    const bool trial = monitor.OnProbation(sweep);
    const double* w = trial || monitor.MeasureDue() ? response.All(x.data()) : nullptr;
    const double energy = trial ? MeasureEnergy(*set_, 0, x.data(), w).sum : 0.0;
    if (!monitor.Continue(x.data(), w)) return;
    if (monitor.StartFails(sweep, energy)) {
      std::fill(x.begin(), x.end(), 0.0);
      response.Load(x.data());
      anderson_.Restart();
      before_ = x;
    } else if (sweep > 0) {
      anderson_.Mix(x, before_);
      const bool moved = x != before_;
      x = before_;
      if (moved || sweep % kSweepsBetweenProducts == 0) response.Load(x.data());
    }
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
