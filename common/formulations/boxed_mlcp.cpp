// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/boxed_mlcp.h"

#include <algorithm>

#include "common/util/check.h"

namespace nonsmooth {

void BoxedMlcp::Freeze(const FeasibleSet& set, const double* x) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  lower.resize(set.weights().size());
  upper.resize(set.weights().size());
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    Require(set.group(g).shape == GroupSet::Shape::kRows, "boxed MLCP: group ", g,
            " is under a law with a cone; expected box or coupled_box");
    const int first = groups[g].first_row;
    set.RowBounds(g, x + first, &lower[first], &upper[first]);
    for (int i = first; i < first + groups[g].size; ++i) {
      if (!(set.weights()[i] > 0)) lower[i] = upper[i] = std::clamp(0.0, lower[i], upper[i]);
    }
  }
}

bool BoxedMlcp::Moves(const FeasibleSet& set) {
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const GroupSet& shape = set.group(g);
    if (groups[g].kind != GroupKind::kContact || shape.frozen) continue;
    for (int k = 0; k < shape.parts; ++k) {
      if (shape.part[k].coefficient > 0) return true;
    }
  }
  return false;
}

RowState BoxedMlcp::StateOf(int row, double x, double w, double a) const {
  const double y = a > 0 ? x - w / a : x;
  if (y <= lower[row]) return RowState::kLower;
  return y >= upper[row] ? RowState::kUpper : RowState::kFree;
}

}  // namespace nonsmooth
