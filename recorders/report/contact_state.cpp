// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/contact_state.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

/// Of an impulse: projections of points inside move them by rounding only.
constexpr double kRounding = 1e-9;

GroupState StateOf(const FeasibleSet& set, int g, const double* x, const double* w) {
  const RowGroup& group = set.problem().groups()[g];
  double shifted[kMostGroupRows];
  double y[kMostGroupRows];
  double projected[kMostGroupRows];
  std::copy_n(w + group.first_row, group.size, shifted);
  set.AddShift(g, shifted);
  for (int i = 0; i < group.size; ++i) {
    const double a = set.weights()[group.first_row + i];
    y[i] = x[group.first_row + i] - (a > 0 ? shifted[i] / a : 0);
    if (!std::isfinite(y[i])) return GroupState::kNotFinite;
    projected[i] = y[i];
  }
  set.Project(g, projected);
  const bool contact = group.kind == GroupKind::kContact;
  if (contact && !(projected[0] > 0)) return GroupState::kOpen;
  for (int i = contact ? 1 : 0; i < group.size; ++i) {
    const double scale = std::abs(y[i]) + std::abs(projected[0]);
    if (std::abs(projected[i] - y[i]) > kRounding * scale) {
      return contact ? GroupState::kSliding : GroupState::kAtBound;
    }
  }
  return contact ? GroupState::kSticking : GroupState::kJoint;
}

}  // namespace

std::vector<GroupState> StatesOf(const FeasibleSet& set, const double* x, const double* w) {
  std::vector<GroupState> states;
  const auto groups = static_cast<int>(set.problem().groups().size());
  for (int g = 0; g < groups; ++g) states.push_back(StateOf(set, g, x, w));
  return states;
}

}  // namespace nonsmooth
