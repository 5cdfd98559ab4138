// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/error/complementarity_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;

void Add(double value, int row, ConstraintError* error) {
  error->sum += value;
  if (!(value <= error->max) && !std::isnan(error->max)) {
    error->max = value;
    error->max_row = row;
  }
}

/// ‖φ_λ‖ of a disc of radius c x_n against its sliding velocity.
double DiscFunction(const FrictionPart& part, double normal, const double* x, const double* w,
                    double lambda) {
  double impulse[3] = {part.coefficient * normal, 0, 0};
  double velocity[3] = {SlidingSpeed(part, w), 0, 0};
  for (int i = 0; i < part.size; ++i) {
    impulse[1 + i] = x[i];
    velocity[1 + i] = w[i];
  }
  return ConeFischerBurmeister(1 + part.size, impulse, velocity, lambda);
}

/// ‖φ_λ‖ of the rows α and s of Lu et al., Eq. 19.
double PolygonFunction(const FrictionPart& part, double normal, const double* x, const double* w,
                       double lambda) {
  const VertexPair pair = SplitOntoVertices(part.facets, x);
  const double s = SlidingSpeed(part, w);
  double norm = 0;
  for (int i = 0; i < part.facets; ++i) {
    double alpha = 0;
    if (i == pair.first) alpha = pair.alpha[0];
    if (i == (pair.first + 1) % part.facets) alpha = pair.alpha[1];
    const double angle = 2 * kPi * i / part.facets;
    const double speed = std::cos(angle) * w[0] + std::sin(angle) * w[1] + s;
    norm = std::hypot(norm, PenalisedFischerBurmeister(alpha, speed, lambda));
  }
  const double saturation = part.coefficient * normal - (pair.alpha[0] + pair.alpha[1]);
  return std::hypot(norm, PenalisedFischerBurmeister(s, saturation, lambda));
}

double ContactFunction(const FeasibleSet& set, int g, const double* x, const double* w,
                       double lambda) {
  const GroupSet& sets = set.group(g);
  const FrictionPart& first = sets.part[0];
  if (sets.parts == 1 && first.facets == 0 && first.coefficient > 0) {
    double normal = w[0];
    if (sets.shifted) normal += first.coefficient * SlidingSpeed(first, w + first.offset);
    double impulse[3] = {first.coefficient * x[0], 0, 0};
    double velocity[3] = {normal, 0, 0};
    for (int i = 1; i <= first.size; ++i) {
      impulse[i] = x[i];
      velocity[i] = first.coefficient * w[i];
    }
    return ConeFischerBurmeister(1 + first.size, impulse, velocity, lambda);
  }
  const double slack = NormalSlack(set, g, w);
  const bool polygon = sets.parts > 0 && first.facets > 0;
  double norm = polygon ? PenalisedFischerBurmeister(x[0], slack, lambda)
                        : BoundedFischerBurmeister(0, kInfinity, x[0], slack, lambda);
  for (int k = 0; k < sets.parts; ++k) {
    const FrictionPart& part = sets.part[k];
    const double* impulse = x + part.offset;
    const double* velocity = w + part.offset;
    norm = std::hypot(norm, part.facets > 0 ? PolygonFunction(part, x[0], impulse, velocity, lambda)
                                            : DiscFunction(part, x[0], impulse, velocity, lambda));
  }
  return std::abs(norm);
}

/// Runs `measure(g, x_g, w_g, value)` over all groups and adds the values up.
template <class Measure>
ConstraintError Sum(const FeasibleSet& set, const double* x, const double* w, double* per_row,
                    const Measure& measure) {
  ConstraintError error;
  double value[kMostGroupRows];
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    measure(g, x + first, w + first, value);
    for (int i = 0; i < groups[g].size; ++i) {
      if (per_row != nullptr) per_row[first + i] = value[i];
      Add(value[i], first + i, &error);
    }
  }
  return error;
}

}  // namespace

double NormalSlack(const FeasibleSet& set, int g, const double* w) {
  const GroupSet& sets = set.group(g);
  if (sets.shape == GroupSet::Shape::kRows || sets.shifted) return w[0];
  double slack = w[0];
  for (int k = 0; k < sets.parts; ++k) {
    slack -= sets.part[k].coefficient * SlidingSpeed(sets.part[k], w + sets.part[k].offset);
  }
  return slack;
}

void GroupFischerBurmeister(const FeasibleSet& set, int g, const double* x, const double* w,
                            double lambda, double* value) {
  const int size = set.problem().groups()[g].size;
  if (set.group(g).shape == GroupSet::Shape::kRows) {
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    set.RowBounds(g, x, lower, upper);
    for (int i = 0; i < size; ++i) {
      value[i] = BoundedFischerBurmeister(lower[i], upper[i], x[i], w[i], lambda);
    }
    return;
  }
  std::fill(value, value + size, 0.0);
  value[0] = ContactFunction(set, g, x, w, lambda);
}

ConstraintError MeasureFischerBurmeister(const FeasibleSet& set, const double* x, const double* w,
                                         double lambda, double* per_row) {
  return Sum(set, x, w, per_row, [&](int g, const double* xg, const double* wg, double* value) {
    GroupFischerBurmeister(set, g, xg, wg, lambda, value);
  });
}

ConstraintError MeasureNaturalResidual(const FeasibleSet& set, const double* x, const double* w,
                                       double* per_row) {
  return Sum(set, x, w, per_row, [&](int g, const double* xg, const double* wg, double* value) {
    set.UnscaledNaturalMap(g, xg, wg, value);
    const int size = set.problem().groups()[g].size;
    if (set.group(g).shape == GroupSet::Shape::kRows) {
      for (int i = 0; i < size; ++i) value[i] = std::abs(value[i]);
      return;
    }
    double norm = 0;
    for (int i = 0; i < size; ++i) norm = std::hypot(norm, value[i]);
    std::fill(value, value + size, 0.0);
    value[0] = norm;
  });
}

}  // namespace nonsmooth
