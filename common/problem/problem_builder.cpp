// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/problem_builder.h"

#include <cmath>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Relative velocity of b against a at the contact point along `direction`.
TwoBodyRow PointRow(const ContactPoint& point, const Vector3& direction) {
  TwoBodyRow row;
  row.body_a = point.body_a;
  row.body_b = point.body_b;
  const Vector3 arm_a = Cross(point.lever_a, direction);
  const Vector3 arm_b = Cross(point.lever_b, direction);
  for (int k = 0; k < 3; ++k) {
    row.jacobian[k] = -direction[k];
    row.jacobian[3 + k] = -arm_a[k];
    row.jacobian[6 + k] = direction[k];
    row.jacobian[9 + k] = arm_b[k];
  }
  return row;
}

/// Relative angular velocity of b against a about `axis`.
TwoBodyRow AngularRow(const ContactPoint& point, const Vector3& axis) {
  TwoBodyRow row;
  row.body_a = point.body_a;
  row.body_b = point.body_b;
  for (int k = 0; k < 3; ++k) {
    row.jacobian[3 + k] = -axis[k];
    row.jacobian[9 + k] = axis[k];
  }
  return row;
}

Body MakeBody(double mass, const Vector3& inertia, const Vector3& gravity_times_step) {
  Body body;
  if (mass == 0) return body;
  for (int k = 0; k < 3; ++k) {
    body.inverse_mass[k] = 1 / mass;
    body.inverse_inertia[4 * k] = 1 / inertia[k];
    body.applied_impulse[k] = mass * gravity_times_step[k];
  }
  return body;
}

}  // namespace

void TangentBasis(const Vector3& normal, Vector3* first, Vector3* second) {
  // Duff et al., "Building an orthonormal basis, revisited", JCGT 2017: no branch on the direction,
  // no cancellation anywhere on the sphere.
  const double sign = std::copysign(1.0, normal[2]);
  const double a = -1.0 / (sign + normal[2]);
  const double b = normal[0] * normal[1] * a;
  *first = {1.0 + sign * normal[0] * normal[0] * a, sign * b, -sign * normal[0]};
  *second = {b, sign + normal[1] * normal[1] * a, -normal[1]};
}

int ProblemBuilder::AddBody(const Body& body) {
  bodies_.push_back(body);
  return bodies() - 1;
}

int ProblemBuilder::AddSphere(double mass, double radius, const Vector3& gravity_times_step) {
  const double inertia = 0.4 * mass * radius * radius;
  return AddBody(MakeBody(mass, {inertia, inertia, inertia}, gravity_times_step));
}

int ProblemBuilder::AddBox(double mass, const Vector3& edges, const Vector3& gravity_times_step) {
  const double xx = edges[0] * edges[0], yy = edges[1] * edges[1], zz = edges[2] * edges[2];
  const double k = mass / 12;
  return AddBody(MakeBody(mass, {k * (yy + zz), k * (xx + zz), k * (xx + yy)}, gravity_times_step));
}

void ProblemBuilder::AddGroup(RowGroup group, const std::vector<TwoBodyRow>& rows, double lower,
                              double upper) {
  group.first_row = static_cast<int>(rows_.size());
  group.size = static_cast<int>(rows.size());
  groups_.push_back(group);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  lower_.resize(rows_.size(), lower);
  upper_.resize(rows_.size(), upper);
}

void ProblemBuilder::AddEquality(const TwoBodyRow& row) {
  RowGroup group;
  group.kind = GroupKind::kEquality;
  AddGroup(group, {row}, -kInfinity, kInfinity);
}

void ProblemBuilder::AddBounded(const TwoBodyRow& row, double lower, double upper) {
  RowGroup group;
  group.kind = GroupKind::kBox;
  AddGroup(group, {row}, lower, upper);
}

void ProblemBuilder::AddContactRows(const std::vector<TwoBodyRow>& rows, int tangents, int spinning,
                                    int rolling, const ContactMaterial& material) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.tangents = tangents;
  group.spinning = spinning;
  group.rolling = rolling;
  group.friction = material.friction;
  group.spinning_friction = material.spinning_friction;
  group.rolling_friction = material.rolling_friction;
  group.law = material.law;
  group.normal_estimate = material.normal_estimate;
  group.key = material.key;
  AddGroup(group, rows, 0.0, kInfinity);
}

void ProblemBuilder::AddContact(const ContactPoint& point, const ContactMaterial& material) {
  const double length = std::hypot(point.normal[0], point.normal[1], point.normal[2]);
  Require(std::abs(length - 1) < 1e-6, "contact ", groups_.size(), ": normal has length ", length,
          ", expected 1");
  Vector3 first;
  Vector3 second;
  TangentBasis(point.normal, &first, &second);
  std::vector<TwoBodyRow> rows{PointRow(point, point.normal), PointRow(point, first),
                               PointRow(point, second)};
  rows[0].bias = point.bias;
  rows[0].compliance = point.compliance;
  const int spinning = material.spinning_friction > 0 ? 1 : 0;
  const int rolling = material.rolling_friction > 0 ? 2 : 0;
  if (spinning > 0) rows.push_back(AngularRow(point, point.normal));
  if (rolling > 0) {
    rows.push_back(AngularRow(point, first));
    rows.push_back(AngularRow(point, second));
  }
  AddContactRows(rows, 2, spinning, rolling, material);
}

Problem ProblemBuilder::Build() {
  auto dynamics = std::make_shared<TwoBodyDynamics>(std::move(bodies_), std::move(rows_));
  Problem problem(std::move(dynamics), std::move(groups_), std::move(lower_), std::move(upper_));
  *this = ProblemBuilder();
  return problem;
}

}  // namespace nonsmooth
