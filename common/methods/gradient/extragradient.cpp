// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/extragradient.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;
constexpr double kShortestStep = 1e-12;

}  // namespace

OptionFields ExtragradientSolver::Options() {
  return {
      {"accept", "-", "largest change of the force by a step, relative to its length",
       &options_.accept, 0, 1, true},
      {"lengthen", "-", "below this change the next step is longer", &options_.lengthen, 0, 1},
      {"factor", "-", "what a step is multiplied or divided with", &options_.factor, 0, 1, true},
  };
}

void ExtragradientSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  for (std::vector<double>* v : {&w_, &force_, &trial_, &trial_force_}) {
    v->resize(set.weights().size());
  }
}

void ExtragradientSolver::Force(const std::vector<double>& x, std::vector<double>& w,
                                std::vector<double>& force) {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  set_->problem().dynamics().ConstraintVelocity(x.data(), w.data(), workspace_);
  if (&force != &w) std::copy(w.begin(), w.end(), force.begin());
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    set_->AddShift(g, force.data() + groups[g].first_row);
  }
}

bool ExtragradientSolver::Project(const std::vector<double>& from, const std::vector<double>& force,
                                  Monitor& monitor, std::vector<double>& to) const {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  const std::vector<double>& a = set_->weights();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return false;
    const int first = groups[g].first_row;
    for (int i = first; i < first + groups[g].size; ++i) {
      to[i] = a[i] > 0 ? from[i] - step_ * force[i] / a[i] : from[i];
    }
    set_->Project(g, to.data() + first);
  }
  return true;
}

void ExtragradientSolver::Run(std::vector<double>& x, Monitor& monitor) {
  const std::vector<double>& a = set_->weights();
  step_ = 1;
  for (;;) {
    Force(x, w_, force_);
    if (!monitor.Continue(x.data(), w_.data())) return;
    double ratio = 0;
    for (;;) {
      if (!Project(x, force_, monitor, trial_)) break;
      Force(trial_, trial_force_, trial_force_);
      double length = 0;
      double change = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (a[i] == 0) continue;
        const double d = x[i] - trial_[i];
        const double f = force_[i] - trial_force_[i];
        length += a[i] * d * d;
        change += f * f / a[i];
      }
      ratio = length > 0 ? step_ * std::sqrt(change / length) : 0;
      // A NaN is let through: the monitor will tell.
      if (!(ratio > options_.accept) || step_ < kShortestStep || monitor.OutOfTime()) break;
      step_ *= options_.factor * std::min(1.0, 1 / ratio);
    }
    if (monitor.status() != Status::kNotRun) continue;  // out of time: the monitor ends the loop
    if (!Project(x, trial_force_, monitor, trial_)) continue;
    x.swap(trial_);
    if (ratio < options_.lengthen) step_ /= options_.factor;
  }
}

}  // namespace nonsmooth
