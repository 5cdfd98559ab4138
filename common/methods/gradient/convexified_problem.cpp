// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/convexified_problem.h"

#include <algorithm>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;  // some ten microseconds

/// Renewal is considered this often even where the monitor measures more seldom.
constexpr int kIterationsBetweenChecks = 5;

bool IsConvex(const FeasibleSet& set, int g) {
  const GroupSet& group = set.group(g);
  if (group.shifted) return false;
  return set.problem().groups()[g].kind != GroupKind::kContact ||
         group.shape != GroupSet::Shape::kRows || group.frozen;
}

}  // namespace

void ConvexifiedProblem::Prepare(const FeasibleSet& set) {
  set_ = &set;
  frozen_ = set;
  shift_.assign(set.weights().size(), 0.0);
  convex_ = true;
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    convex_ = convex_ && IsConvex(set, g);
  }
  since_check_ = kIterationsBetweenChecks;  // the start
}

void ConvexifiedProblem::Renew(const double* x, const double* w) {
  if (convex_) return;
  frozen_.Freeze(*set_, x);
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (!set_->group(g).shifted) continue;
    double shifted[kMostGroupRows];
    const double* w_g = w + groups[g].first_row;
    std::copy(w_g, w_g + groups[g].size, shifted);
    set_->AddShift(g, shifted);
    shift_[groups[g].first_row] = shifted[0] - w_g[0];
  }
}

double ConvexifiedProblem::ConvexEnergy(const double* x, const double* w) {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  double sum = 0;
  double shifted[kMostGroupRows];
  double energy[kMostGroupRows];
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    const int size = groups[g].size;
    for (int i = 0; i < size; ++i) shifted[i] = w[first + i] + shift_[first + i];
    GroupEnergy(frozen_, g, x + first, shifted, energy);
    for (int i = 0; i < size; ++i) sum += energy[i];
  }
  return sum;
}

bool ConvexifiedProblem::Continue(const double* x, const double* w, double fraction,
                                  Monitor& monitor) {
  const bool check = !convex_ && ++since_check_ >= kIterationsBetweenChecks;
  measured_ = check || monitor.MeasureDue();
  if (measured_) energy_ = MeasureEnergy(*set_, monitor.free_energy(), x, w).sum;
  renewed_ = false;
  const auto store = [&](double* best) { std::copy(x, x + rows(), best); };
  if (!monitor.Continue(energy_, store)) return false;
  if (measured_ && !convex_) {
    since_check_ = 0;
    if (ConvexEnergy(x, w) <= fraction * energy_) {
      Renew(x, w);
      renewed_ = true;
    }
  }
  return true;
}

bool ConvexifiedProblem::ProjectedStep(const double* x, const double* w, double step,
                                       Monitor& monitor, double* to) const {
  const double* a = weights().data();
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return false;
    const int first = groups[g].first_row;
    const int end = first + groups[g].size;
    for (int i = first; i < end; ++i) {
      to[i] = a[i] > 0 ? x[i] - step * (w[i] + shift_[i]) / a[i] : x[i];
    }
    frozen_.Project(g, to + first);
  }
  return true;
}

double ConvexifiedProblem::Slope(const double* w, const double* d) const {
  double sum = 0;
  for (int i = 0; i < rows(); ++i) sum += (w[i] + shift_[i]) * d[i];
  return sum;
}

}  // namespace nonsmooth
