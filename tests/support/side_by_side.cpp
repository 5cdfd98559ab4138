// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/side_by_side.h"

#include <memory>
#include <utility>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {

Problem SideBySide(const std::vector<Problem>& problems) {
  std::vector<Body> bodies;
  std::vector<TwoBodyRow> rows;
  std::vector<RowGroup> groups;
  std::vector<double> lower;
  std::vector<double> upper;
  for (const Problem& problem : problems) {
    if (problem.rows() == 0) continue;
    const auto& dynamics = dynamic_cast<const TwoBodyDynamics&>(problem.dynamics());
    const int first_body = static_cast<int>(bodies.size());
    for (RowGroup group : problem.groups()) {
      group.first_row += static_cast<int>(rows.size());
      groups.push_back(group);
    }
    for (TwoBodyRow row : dynamics.body_rows()) {
      if (row.body_a >= 0) row.body_a += first_body;
      if (row.body_b >= 0) row.body_b += first_body;
      rows.push_back(row);
    }
    bodies.insert(bodies.end(), dynamics.bodies().begin(), dynamics.bodies().end());
    lower.insert(lower.end(), problem.lower().begin(), problem.lower().end());
    upper.insert(upper.end(), problem.upper().begin(), problem.upper().end());
  }
  auto dynamics = std::make_shared<TwoBodyDynamics>(std::move(bodies), std::move(rows));
  return {std::move(dynamics), std::move(groups), std::move(lower), std::move(upper)};
}

}  // namespace nonsmooth
