// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/recording/step_completion.h"

#include <algorithm>
#include <cmath>

#include "common/problem/two_body_dynamics.h"

namespace nonsmooth {
namespace {

/// The inverse of a symmetric 3×3 matrix, row-major; zero where there is none.
std::array<double, 9> InverseOf(const std::array<double, 9>& m) {
  const std::array<double, 9> adjugate{
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
  const double determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6];
  std::array<double, 9> inverse{};
  if (!(determinant > 0)) return inverse;
  for (int k = 0; k < 9; ++k) inverse[k] = adjugate[k] / determinant;
  return inverse;
}

BodyState StateOf(const Body& body, const BodyPose& pose) {
  BodyState state;
  state.id = pose.id;
  // Axes along which a body cannot move have no inverse mass.
  const double inverse = *std::max_element(body.inverse_mass.begin(), body.inverse_mass.end());
  state.mass = inverse > 0 ? 1 / inverse : 0;
  state.inertia = InverseOf(body.inverse_inertia);
  state.position = pose.position;
  state.quaternion = pose.quaternion;
  return state;
}

/// The unit vector along which a row pushes body b; a has the opposite.
void DirectionOf(const TwoBodyRow& row, double* direction) {
  const bool has_b = row.body_b >= 0;
  const double* linear = row.jacobian.data() + (has_b ? 6 : 0);
  const double length =
      std::sqrt(linear[0] * linear[0] + linear[1] * linear[1] + linear[2] * linear[2]);
  const double factor = length > 0 ? (has_b ? 1 : -1) / length : 0;
  for (int k = 0; k < 3; ++k) direction[k] = factor * linear[k];
}

ContactGeometry GeometryOf(const TwoBodyRow* rows, int tangents, const ContactPlace& place) {
  ContactGeometry contact;
  contact.pair = {rows[0].body_a, rows[0].body_b};
  contact.point = place.point;
  DirectionOf(rows[0], contact.normal.data());
  for (int t = 0; t < tangents; ++t) DirectionOf(rows[1 + t], contact.tangents.data() + 3 * t);
  contact.gap = place.gap;
  contact.restitution = place.restitution;
  contact.cohesion = place.cohesion;
  return contact;
}

}  // namespace

void CompleteStep(RecordedStep& step) {
  if (step.poses.empty() && step.places.empty()) return;
  const auto& dynamics = static_cast<const TwoBodyDynamics&>(step.problem.dynamics());
  for (std::size_t i = 0; i < step.poses.size(); ++i) {
    step.bodies.push_back(StateOf(dynamics.bodies()[i], step.poses[i]));
  }
  if (step.places.empty()) return;
  std::size_t next = 0;
  for (const RowGroup& group : step.problem.groups()) {
    if (group.kind != GroupKind::kContact) continue;
    step.contacts.push_back(
        GeometryOf(&dynamics.body_rows()[group.first_row], group.tangents, step.places[next++]));
  }
}

}  // namespace nonsmooth
