// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/group_place.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d PositionOf(const CapturedStep& step, int body) {
  const auto index = static_cast<std::size_t>(body);
  if (body < 0 || index >= step.bodies.size()) return Vector3d::Constant(kUnknown);
  return Vector3d(step.bodies[index].position.data());
}

/// Lever arm about the centre of body `side` (0: a, 1: b), from rows that have a linear part there.
/// Σ (|d|² I − d dᵀ) r = Σ d × angular.
Vector3d LeverArm(const TwoBodyDynamics& dynamics, const RowGroup& group, int side, bool* found) {
  Matrix3d normal = Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  for (int i = 0; i < group.size; ++i) {
    const double* j = dynamics.body_rows()[group.first_row + i].jacobian.data() + 6 * side;
    const Vector3d d(j[0], j[1], j[2]);
    normal += d.squaredNorm() * Matrix3d::Identity() - d * d.transpose();
    right += d.cross(Vector3d(j[3], j[4], j[5]));
  }
  *found = normal.squaredNorm() > 0;
  return normal.completeOrthogonalDecomposition().solve(right);
}

GroupPlace PlaceOfJoint(const CapturedStep& step, const TwoBodyDynamics& dynamics,
                        const RowGroup& group) {
  GroupPlace place;
  const TwoBodyRow& row = dynamics.body_rows()[group.first_row];
  place.bodies = {row.body_a, row.body_b};
  // The movable body's arm is the better known one; the other's may be a whole world away.
  Vector3d point = Vector3d::Constant(kUnknown);
  for (int side : {1, 0}) {
    const int body = place.bodies[side];
    if (body < 0) continue;
    bool found = false;
    const Vector3d arm = LeverArm(dynamics, group, side, &found);
    const Vector3d position = PositionOf(step, body);
    point = found ? Vector3d(position + arm) : position;
    if (found && dynamics.bodies()[body].movable()) break;
  }
  std::copy_n(point.data(), 3, place.point.begin());
  return place;
}

}  // namespace

GroupPlace PlaceOf(const CapturedStep& step, int g, int contact) {
  const RowGroup& group = step.problem.groups()[g];
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(&step.problem.dynamics());
  if (group.kind == GroupKind::kContact && !step.contacts.empty()) {
    const ContactGeometry& geometry = step.contacts[contact];
    return {{geometry.pair[0], geometry.pair[1]}, geometry.point};
  }
  if (dynamics != nullptr && group.size > 0) return PlaceOfJoint(step, *dynamics, group);
  GroupPlace nowhere;
  nowhere.point.fill(kUnknown);
  return nowhere;
}

}  // namespace nonsmooth
