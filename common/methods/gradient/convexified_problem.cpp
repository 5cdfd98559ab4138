// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/convexified_problem.h"

#include <algorithm>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;  // some ten microseconds

/// Of the iterate; costs a tenth of a product with A.
constexpr int kIterationsBetweenChecks = 1;

bool IsConvex(const FeasibleSet& set, int g) {
  const GroupSet& group = set.group(g);
  if (group.shifted) return false;
  return set.problem().groups()[g].kind != GroupKind::kContact ||
         group.shape != GroupSet::Shape::kRows || group.frozen;
}

}  // namespace

void ConvexifiedProblem::Prepare(const FeasibleSet& set) {
  set_ = &set;
  stage_.Prepare(set);
  convex_ = true;
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) {
    convex_ = convex_ && IsConvex(set, g);
  }
  since_check_ = kIterationsBetweenChecks;  // the start
}

void ConvexifiedProblem::Renew(const double* x, const double* w) {
  if (!convex_) stage_.Freeze(StageKind::kWhole, x, w, 1);
}

bool ConvexifiedProblem::Continue(const double* x, const double* w, double fraction,
                                  Monitor& monitor) {
  checked_ = ++since_check_ >= kIterationsBetweenChecks;
  if (checked_ || monitor.MeasureDue()) {
    energy_ = MeasureEnergy(*set_, monitor.free_energy(), x, w).sum;
  }
  renewed_ = false;
  const auto store = [&](double* best) { std::copy(x, x + rows(), best); };
  if (!monitor.Continue(energy_, store)) return false;
  if (checked_) {
    since_check_ = 0;
    if (!convex_ && stage_.Energy(x, w) <= fraction * energy_) {
      Renew(x, w);
      renewed_ = true;
    }
  }
  return true;
}

bool ConvexifiedProblem::ProjectedStep(const double* x, const double* w, double step,
                                       Monitor& monitor, double* to) const {
  const double* a = weights().data();
  const std::vector<double>& shift = stage_.shift();
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (g % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return false;
    const int first = groups[g].first_row;
    const int end = first + groups[g].size;
    for (int i = first; i < end; ++i) {
      to[i] = a[i] > 0 ? x[i] - step * (w[i] + shift[i]) / a[i] : x[i];
    }
    stage_.Project(g, to + first);
  }
  return true;
}

double ConvexifiedProblem::Slope(const double* w, const double* d) const {
  double sum = 0;
  for (int i = 0; i < rows(); ++i) sum += (w[i] + stage_.shift()[i]) * d[i];
  return sum;
}

}  // namespace nonsmooth
