// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/newton/newton_map.h"

#include <algorithm>
#include <cmath>

#include "common/methods/newton/newton_map-inl.h"

namespace nonsmooth {

using newton_internal::EvaluateBounded;
using newton_internal::EvaluateFischer;
using newton_internal::Norm;

void NewtonMap::Prepare(const FeasibleSet& set, NewtonMapKind kind) {
  kind_ = kind;
  const Problem& problem = set.problem();
  const std::vector<double>& a = set.weights();
  scale_.resize(a.size());
  inert_.resize(a.size());
  lower_.resize(a.size());
  upper_.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    inert_[i] = a[i] > 0 ? 0 : 1;
    scale_[i] = a[i] > 0 ? 1 / std::sqrt(a[i]) : 1.0;
    lower_[i] = problem.lower()[i] / scale_[i];
    upper_[i] = problem.upper()[i] / scale_[i];
  }
  groups_.resize(problem.groups().size());
  for (int g = 0; g < groups(); ++g) {
    const RowGroup& posed = problem.groups()[g];
    Group& group = groups_[g];
    group.first = posed.first_row;
    group.size = posed.size;
    group.kind = posed.kind;
    group.joint_cone = false;
    group.parts = 0;
    if (posed.kind == GroupKind::kContact) AddContact(set, g, group);
  }
}

void NewtonMap::AddContact(const FeasibleSet& set, int g, Group& group) {
  const GroupSet& law = set.group(g);
  const double normal_scale = scale_[group.first];
  const bool row_wise = law.shape == GroupSet::Shape::kRows;
  group.joint_cone = !row_wise && !law.shifted && !inert(group.first);
  for (int k = 0; k < law.parts; ++k) {
    const FrictionPart& source = law.part[k];
    for (int i = 0; i < source.size; i += row_wise ? 1 : source.size) {
      const int row = group.first + source.offset + i;
      if (inert(row)) continue;
      Part& part = group.part[group.parts++];
      part.offset = source.offset + i;
      part.size = row_wise ? 1 : source.size;
      part.facets = part.size == 2 ? source.facets : 0;
      part.frozen = law.frozen;
      const double of_unscaled = source.coefficient / scale_[row];
      part.coefficient =
          law.frozen ? of_unscaled * law.normal_estimate : of_unscaled * normal_scale;
    }
  }
}

double NewtonMap::Radius(const Part& part, const double* x, const double* w) const {
  if (part.frozen) return part.coefficient;
  const double normal = kind_ == NewtonMapKind::kAlartCurnier ? x[0] - w[0] : x[0];
  return part.coefficient * std::max(0.0, normal);
}

double NewtonMap::JointNormal(const Group& group, const double* y, bool* sliding) const {
  // x_n is where  t − y_n = Σ c_k [‖y_k‖ − c_k t]₊: at most three parts, taken in one by one.
  double length[kMostGroupRows];
  for (int k = 0; k < group.parts; ++k) {
    length[k] = Norm(y + group.part[k].offset, group.part[k].size);
    sliding[k] = false;
  }
  double t = y[0];
  for (int pass = 0; pass <= group.parts; ++pass) {
    double top = y[0];
    double bottom = 1;
    bool changed = false;
    for (int k = 0; k < group.parts; ++k) {
      const double c = group.part[k].coefficient;
      const bool slides = length[k] > c * std::max(0.0, t);
      changed = changed || slides != sliding[k];
      sliding[k] = slides;
      if (!slides) continue;
      top += c * length[k];
      bottom += c * c;
    }
    if (!changed && pass > 0) break;
    t = top / bottom;
  }
  return t;
}

void NewtonMap::JointResidual(const Group& group, const double* x, const double* w,
                              double* f) const {
  double y[kMostGroupRows] = {};
  bool sliding[kMostGroupRows];
  for (int i = 0; i < group.size; ++i) y[i] = x[i] - w[i];
  const double normal = std::max(0.0, JointNormal(group, y, sliding));
  f[0] = x[0] - normal;
  for (int k = 0; k < group.parts; ++k) {
    const Part& part = group.part[k];
    const double length = Norm(y + part.offset, part.size);
    const double radius = part.coefficient * normal;
    const double factor = length > radius ? radius / length : 1.0;
    for (int i = part.offset; i < part.offset + part.size; ++i) f[i] = x[i] - factor * y[i];
  }
}

void NewtonMap::Residual(const Group& group, const double* x, const double* w, double* f) const {
  std::fill(f, f + group.size, 0.0);
  const bool fischer = kind_ == NewtonMapKind::kFischer;
  if (group.kind != GroupKind::kContact) {
    for (int i = 0; i < group.size; ++i) {
      const int row = group.first + i;
      if (inert(row)) continue;
      if (group.kind == GroupKind::kEquality) {
        f[i] = w[i];
      } else if (fischer) {
        f[i] = EvaluateBounded(x[i], w[i], lower_[row], upper_[row]).value;
      } else {
        f[i] = x[i] - std::clamp(x[i] - w[i], lower_[row], upper_[row]);
      }
    }
    return;
  }
  if (group.joint_cone) return JointResidual(group, x, w, f);
  if (!inert(group.first)) {
    f[0] = fischer ? EvaluateFischer(x[0], w[0]).value : std::min(x[0], w[0]);
  }
  for (int k = 0; k < group.parts; ++k) {
    const Part& part = group.part[k];
    const double radius = Radius(part, x, w);
    const int o = part.offset;
    if (fischer && part.size == 1) {
      f[o] = EvaluateBounded(x[o], w[o], -radius, radius).value;
      continue;
    }
    double p[2];
    for (int i = 0; i < part.size; ++i) p[i] = x[o + i] - w[o + i];
    FrictionPart shape;
    shape.size = part.size;
    shape.facets = part.facets;
    ProjectOntoScaledSet(shape, radius, p);
    for (int i = 0; i < part.size; ++i) f[o + i] = x[o + i] - p[i];
  }
}

double NewtonMap::Merit(int g, const double* x, const double* w, double step) const {
  double f[kMostGroupRows];
  double scaled[kMostGroupRows] = {};
  const Group& group = groups_[g];
  for (int i = 0; i < group.size; ++i) scaled[i] = step * w[i];
  Residual(group, x, scaled, f);
  double sum = 0;
  for (int i = 0; i < group.size; ++i) sum += f[i] * f[i];
  return 0.5 * sum;
}

}  // namespace nonsmooth
