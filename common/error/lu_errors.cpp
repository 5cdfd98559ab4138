// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/lu_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/error/complementarity_errors.h"

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Friction in one set of directions: a part, or one axis of it under a row-wise law.
struct Friction {
  FrictionPart part;
  double radius = 0;  ///< what the gauge of x may be
};

void AddFriction(const Friction& friction, const double* x, const double* w,
                 LuContactErrors* error) {
  const double gauge = Gauge(friction.part, x);
  const double speed = SlidingSpeed(friction.part, w);
  error->magnitude += std::abs(speed * (friction.radius - gauge));
  double power = gauge * speed;
  for (int i = 0; i < friction.part.size; ++i) power += x[i] * w[i];
  // Not below zero but for rounding.
  error->direction += power < 0 ? 0.0 : power;
}

/// True if x − w/a lies outside what friction allows.
bool Slides(const Friction& friction, double weight, const double* x, const double* w) {
  double y[2] = {0, 0};
  for (int i = 0; i < friction.part.size; ++i) y[i] = weight > 0 ? x[i] - w[i] / weight : x[i];
  return Gauge(friction.part, y) > friction.radius;
}

LuContactErrors MeasureContact(const FeasibleSet& set, int g, const double* x, const double* w) {
  const RowGroup& group = set.problem().groups()[g];
  const GroupSet& sets = set.group(g);
  const double* weight = set.weights().data() + group.first_row;
  const bool rows = sets.shape == GroupSet::Shape::kRows;
  LuContactErrors error;
  error.group = g;
  const double slack = NormalSlack(set, g, w);
  error.normal = BoundedFischerBurmeister(0, kInfinity, x[0], slack, 1);
  bool slides = group.tangents == 0;
  for (int k = 0; k < sets.parts; ++k) {
    const FrictionPart& part = sets.part[k];
    const double normal = sets.frozen ? sets.normal_estimate : rows ? std::max(0.0, x[0]) : x[0];
    Friction friction{part, part.coefficient * normal};
    if (rows) friction.part.size = 1;
    for (int i = 0; i < part.size; i += friction.part.size) {
      const int row = part.offset + i;
      AddFriction(friction, x + row, w + row, &error);
      if (row <= group.tangents) slides |= Slides(friction, weight[row], x + row, w + row);
    }
  }
  const double predicted = weight[0] > 0 ? x[0] - slack / weight[0] : x[0];
  error.state = predicted <= 0 ? ContactState::kDetached
                : slides       ? ContactState::kSliding
                               : ContactState::kSticking;
  return error;
}

}  // namespace

LuErrors MeasureLu(const FeasibleSet& set, const double* x, const double* w,
                   std::vector<LuContactErrors>* per_contact) {
  LuErrors error;
  if (per_contact != nullptr) per_contact->clear();
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    double phi[kMostGroupRows];
    GroupFischerBurmeister(set, g, x + first, w + first, 1, phi);
    double total = 0;
    for (int i = 0; i < groups[g].size; ++i) total += 0.5 * phi[i] * phi[i];
    error.total += total;
    if (groups[g].kind != GroupKind::kContact) continue;

    LuContactErrors contact = MeasureContact(set, g, x + first, w + first);
    contact.total = total;
    error.normal += contact.normal;
    error.magnitude += contact.magnitude;
    error.direction += contact.direction;
    error.detached += contact.state == ContactState::kDetached ? 1 : 0;
    error.sticking += contact.state == ContactState::kSticking ? 1 : 0;
    error.sliding += contact.state == ContactState::kSliding ? 1 : 0;
    if (per_contact != nullptr) per_contact->push_back(contact);
  }
  return error;
}

}  // namespace nonsmooth
