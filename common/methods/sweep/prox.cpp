// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/prox.h"

#include <algorithm>
#include <cmath>

#include "common/error/energy_error.h"
#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 64;
constexpr int kSweepsBetweenProducts = 50;

/// Bound on the largest eigenvalue of the rows first … end−1 of a block, by Gershgorin's circles.
double LargestEigenvalue(const double* block, int size, int first, int end) {
  double largest = 0;
  for (int i = first; i < end; ++i) {
    double sum = 0;
    for (int j = first; j < end; ++j) sum += std::abs(block[i * size + j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

OptionFields ProxSolver::Options() {
  return {
      {"strategy", "-", "of the r-factors",
       MakeChoice(&options_.strategy, {"global", "local", "adaptive"})},
      {"normal_sweeps", "sweeps", "over the normals alone before a start from zero",
       &options_.normal_sweeps, 0, 1000},
  };
}

OptionFields ProxSolver::Tuning() {
  return {
      {"growth", "-", "What a contact's factor grows by while its steps shrink", &tuning_.growth, 1,
       10},
      {"cut", "-", "What it is multiplied with where they grow", &tuning_.cut, 0, 1},
      {"least_factor", "-", "Bounds of the factor", &tuning_.least_factor, 0, 10},
      {"most_factor", "-", "The upper one", &tuning_.most_factor, 0, 10},
  };
}

void ProxSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const Dynamics& dynamics = set.problem().dynamics();
  const std::vector<RowGroup>& posed = set.problem().groups();
  packed_ = dynamic_cast<const TwoBodyDynamics*>(&dynamics) != nullptr;
  if (packed_) {
    bodies_.Prepare(set.problem());
  } else {
    matrix_.Prepare(set.problem());
  }
  groups_.resize(posed.size());
  blocks_.clear();
  r_.assign(set.weights().size(), 0.0);
  double largest = 0;
  for (int g = 0; g < static_cast<int>(posed.size()); ++g) {
    const int size = posed[g].size;
    groups_[g] = {static_cast<int>(blocks_.size()), 1.0, 0.0};
    blocks_.resize(blocks_.size() + size * size);
    double* block = blocks_.data() + groups_[g].block;
    dynamics.DiagonalBlock(posed[g].first_row, size, block);
    largest = std::max(largest, LargestEigenvalue(block, size, 0, size));
    ChooseFactors(g);
  }
  if (options_.strategy == ProxStrategy::kGlobal && largest > 0) {
    for (double& r : r_) r = r > 0 ? 1 / largest : 0.0;
  }
}

void ProxSolver::ChooseFactors(int g) {
  const RowGroup& posed = set_->problem().groups()[g];
  const GroupSet& set = set_->group(g);
  const double* block = blocks_.data() + groups_[g].block;
  double* r = r_.data() + posed.first_row;
  for (int i = 0; i < posed.size; ++i) {
    const double a = block[i * posed.size + i];
    r[i] = a > 0 ? 1 / a : 0.0;
  }
  if (posed.kind != GroupKind::kContact || set.shape == GroupSet::Shape::kRows) return;
  for (int k = 0; k < set.parts; ++k) {
    const FrictionPart& part = set.part[k];
    const double a = LargestEigenvalue(block, posed.size, part.offset, part.offset + part.size);
    std::fill_n(r + part.offset, part.size, a > 0 ? 1 / a : 0.0);
  }
}

void ProxSolver::Relax(int g, const double* w, bool normals_only, double* x) {
  const RowGroup& posed = set_->problem().groups()[g];
  const GroupSet& set = set_->group(g);
  const double* block = blocks_.data() + groups_[g].block;
  const double* r = r_.data() + posed.first_row;
  const double factor = groups_[g].factor;
  double before[kMostGroupRows];
  std::copy(x, x + posed.size, before);
  const auto velocity = [&](int i) {  // with what the rows before have just become
    double now = w[i];
    for (int j = 0; j < posed.size; ++j) now += block[i * posed.size + j] * (x[j] - before[j]);
    return now;
  };
  const bool contact = posed.kind == GroupKind::kContact;
  if (!contact || set.shape == GroupSet::Shape::kRows) {
    for (int i = 0; i < (contact && normals_only ? 1 : posed.size); ++i) {
      x[i] -= factor * r[i] * velocity(i);
      set_->Project(g, x);
    }
    return;
  }
  x[0] -= factor * r[0] * velocity(0);
  if (x[0] < 0) x[0] = 0;  // a NaN stays one
  if (normals_only) return;
  for (int k = 0; k < set.parts; ++k) {
    const FrictionPart& part = set.part[k];
    double step[2];
    for (int i = 0; i < part.size; ++i) {
      step[i] = factor * r[part.offset + i] * velocity(part.offset + i);
    }
    double* y = x + part.offset;
    for (int i = 0; i < part.size; ++i) y[i] -= step[i];
    ProjectOntoScaledSet(part, part.coefficient * x[0], y);
  }
}

template <class Response>
void ProxSolver::Sweep(Response& response, bool normals_only, std::vector<double>& x,
                       Monitor& monitor) {
  const std::vector<RowGroup>& posed = set_->problem().groups();
  double change[kMostGroupRows];
  for (int g = 0; g < static_cast<int>(posed.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return;
    const int size = posed[g].size;
    double* own = x.data() + posed[g].first_row;
    std::copy(own, own + size, change);
    Relax(g, response.Velocity(g, x.data()), normals_only, own);
    const double* a = set_->weights().data() + posed[g].first_row;
    double length = 0;
    for (int i = 0; i < size; ++i) {
      change[i] = own[i] - change[i];
      length += a[i] * change[i] * change[i];
    }
    if (length > 0) response.Add(g, change);
    if (options_.strategy == ProxStrategy::kAdaptive && !normals_only) {
      Group& group = groups_[g];
      group.factor = length <= group.last
                         ? std::min(tuning_.growth * group.factor, tuning_.most_factor)
                         : std::max(tuning_.cut * group.factor, tuning_.least_factor);
      group.last = length;
    }
  }
}

template <class Response>
void ProxSolver::Iterate(Response& response, std::vector<double>& x, Monitor& monitor) {
  const bool cold = std::all_of(x.begin(), x.end(), [](double value) { return value == 0; });
  response.Load(x.data());
  for (int sweep = 0;; ++sweep) {
    const bool trial = monitor.OnProbation(sweep);
    const double* w = trial || monitor.MeasureDue() ? response.All(x.data()) : nullptr;
    const double energy = trial ? MeasureEnergy(*set_, 0, x.data(), w).sum : 0.0;
    if (!monitor.Continue(x.data(), w)) return;
    if (monitor.StartFails(sweep, energy)) {
      std::fill(x.begin(), x.end(), 0.0);
      response.Load(x.data());
    }
    for (int k = 0; sweep == 0 && cold && k < options_.normal_sweeps; ++k) {
      Sweep(response, true, x, monitor);
    }
    Sweep(response, false, x, monitor);
    if (sweep % kSweepsBetweenProducts == kSweepsBetweenProducts - 1) response.Load(x.data());
  }
}

void ProxSolver::Run(std::vector<double>& x, Monitor& monitor) {
  if (packed_) {
    Iterate(bodies_, x, monitor);
  } else {
    Iterate(matrix_, x, monitor);
  }
}

}  // namespace nonsmooth
