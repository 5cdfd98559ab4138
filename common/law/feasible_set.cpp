// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/law/feasible_set.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

/// Half-width of the interval of row `offset` of a contact under a row-wise law.
double HalfWidth(const GroupSet& set, int offset, double normal) {
  for (int k = 0; k < set.parts; ++k) {
    const FrictionPart& part = set.part[k];
    if (offset >= part.offset && offset < part.offset + part.size) return part.coefficient * normal;
  }
  return 0;
}

}  // namespace

void FeasibleSet::Reset(const Problem& problem, const Law& law, const double* warm_start) {
  problem_ = &problem;
  groups_.assign(problem.groups().size(), GroupSet());
  if (problem.rows() == 0) {
    weights_.clear();
    return;
  }
  weights_ = problem.dynamics().diagonal();
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    if (group.kind != GroupKind::kContact) continue;
    ResolveContact(g, law.kind == LawKind::kNative ? group.law : law, warm_start);
  }
}

void FeasibleSet::ResolveContact(int index, const Law& law, const double* warm_start) {
  const RowGroup& group = problem_->groups()[index];
  const int first = group.first_row;
  GroupSet& set = groups_[index];

  const auto add_part = [&](int size, double coefficient) {
    if (size == 0) return;
    FrictionPart& part = set.part[set.parts];
    part.offset =
        set.parts == 0 ? 1 : set.part[set.parts - 1].offset + set.part[set.parts - 1].size;
    part.size = size;
    part.coefficient = coefficient;
    ++set.parts;
  };
  add_part(group.tangents, group.friction);
  add_part(group.spinning, group.spinning_friction);
  add_part(group.rolling, group.rolling_friction);

  if (law.kind == LawKind::kBox || law.kind == LawKind::kCoupledBox) {
    set.shape = GroupSet::Shape::kRows;
    set.frozen = law.kind == LawKind::kBox;
    if (!set.frozen) return;
    const double a = weights_[first];
    const double alone = a > 0 ? std::max(0.0, -problem_->dynamics().bias()[first] / a) : 0.0;
    set.normal_estimate = !std::isnan(group.normal_estimate) ? group.normal_estimate
                          : warm_start != nullptr            ? std::max(0.0, warm_start[first])
                                                             : alone;
    return;
  }

  // No preferred axes: one weight per part.
  for (int k = 0; k < set.parts; ++k) {
    FrictionPart& part = set.part[k];
    double sum = 0;
    for (int i = 0; i < part.size; ++i) sum += weights_[first + part.offset + i];
    part.weight = sum / part.size;
    std::fill_n(weights_.begin() + first + part.offset, part.size, part.weight);
  }
  set.shifted = law.kind != LawKind::kCcp;
  const bool polygon = law.kind == LawKind::kPyramid && group.tangents == 2;
  if (polygon) set.part[0].facets = law.facets;
  const bool only_tangents = set.parts == 0 || (set.parts == 1 && group.tangents > 0);
  const bool inert_part = std::any_of(set.part, set.part + set.parts,
                                      [](const FrictionPart& part) { return part.weight == 0; });
  set.shape =
      only_tangents && !polygon && !inert_part ? GroupSet::Shape::kCone : GroupSet::Shape::kParts;
}

void FeasibleSet::RowBounds(int g, const double* x, double* lower, double* upper) const {
  const RowGroup& group = problem_->groups()[g];
  for (int i = 0; i < group.size; ++i) {
    lower[i] = problem_->lower()[group.first_row + i];
    upper[i] = problem_->upper()[group.first_row + i];
  }
  if (group.kind != GroupKind::kContact) return;
  const double normal = groups_[g].frozen ? groups_[g].normal_estimate : std::max(0.0, x[0]);
  for (int i = 1; i < group.size; ++i) {
    upper[i] = HalfWidth(groups_[g], i, normal);
    lower[i] = -upper[i];
  }
}

void FeasibleSet::ProjectRows(int g, double* y, double normal) const {
  const RowGroup& group = problem_->groups()[g];
  if (group.kind == GroupKind::kEquality) return;
  if (group.kind == GroupKind::kBox) {
    for (int i = 0; i < group.size; ++i) {
      y[i] = std::clamp(y[i], problem_->lower()[group.first_row + i],
                        problem_->upper()[group.first_row + i]);
    }
    return;
  }
  if (y[0] < 0) y[0] = 0;  // a NaN stays one
  for (int i = 1; i < group.size; ++i) {
    const double bound = HalfWidth(groups_[g], i, normal);
    y[i] = std::clamp(y[i], -bound, bound);
  }
}

void FeasibleSet::Project(int g, double* y) const {
  const GroupSet& set = groups_[g];
  const RowGroup& group = problem_->groups()[g];
  const double* a = weights_.data() + group.first_row;
  switch (set.shape) {
    case GroupSet::Shape::kRows:
      ProjectRows(g, y, set.frozen ? set.normal_estimate : std::max(0.0, y[0]));
      break;
    case GroupSet::Shape::kCone:
      if (a[0] > 0) {
        ProjectOntoCone(group.friction, a[0], set.parts > 0 ? a[1] : 0.0, group.tangents, y);
        break;
      }
      [[fallthrough]];  // an inert normal: the other parts are bounded by the impulse it has
    case GroupSet::Shape::kParts:
      if (a[0] > 0) {
        ProjectOntoParts(a[0], set.part, set.parts, y);
      } else {
        if (y[0] < 0) y[0] = 0;
        for (int k = 0; k < set.parts; ++k) {
          ProjectOntoScaledSet(set.part[k], set.part[k].coefficient * y[0], y + set.part[k].offset);
        }
      }
      break;
  }
}

void FeasibleSet::AddShift(int g, double* w) const {
  const GroupSet& set = groups_[g];
  if (!set.shifted) return;
  for (int k = 0; k < set.parts; ++k) {
    w[0] += set.part[k].coefficient * SlidingSpeed(set.part[k], w + set.part[k].offset);
  }
}

void FeasibleSet::UnscaledNaturalMap(int g, const double* x, const double* w, double* r) const {
  const RowGroup& group = problem_->groups()[g];
  const GroupSet& set = groups_[g];
  if (set.shape == GroupSet::Shape::kRows) {
    for (int i = 0; i < group.size; ++i) r[i] = x[i] - w[i];
    ProjectRows(g, r, set.frozen ? set.normal_estimate : std::max(0.0, x[0]));
  } else {
    std::copy(w, w + group.size, r);
    AddShift(g, r);
    for (int i = 0; i < group.size; ++i) r[i] = x[i] - r[i];
    FrictionPart part[3];
    for (int k = 0; k < set.parts; ++k) {
      part[k] = set.part[k];
      part[k].weight = 1;
    }
    ProjectOntoParts(1.0, part, set.parts, r);
  }
  for (int i = 0; i < group.size; ++i) r[i] = x[i] - r[i];
}

void FeasibleSet::NaturalMap(int g, const double* x, const double* w, double* r) const {
  const RowGroup& group = problem_->groups()[g];
  const double* weight = weights_.data() + group.first_row;
  const GroupSet& set = groups_[g];
  if (set.shape == GroupSet::Shape::kRows && group.kind == GroupKind::kContact &&
      group.size == 1 + group.tangents) {
    // The same in fewer steps for what most groups are.
    const double normal = set.frozen ? set.normal_estimate : std::max(0.0, x[0]);
    const double bound = group.friction * normal;
    for (int i = 0; i < group.size; ++i) {
      if (weight[i] > 0) {
        const double y = x[i] - w[i] / weight[i];
        r[i] = x[i] - (i == 0 ? (y < 0 ? 0 : y) : std::clamp(y, -bound, bound));
      } else {
        r[i] = 0;
      }
    }
    return;
  }
  if (group.kind != GroupKind::kContact) {
    // The same as below, x − clamp(x − w/a, l, u), without the digits of w that a huge x would
    // swallow: on joints that contradict each other x has no bound. A NaN in x stays one.
    for (int i = 0; i < group.size; ++i) {
      const double lower = problem_->lower()[group.first_row + i];
      const double upper = problem_->upper()[group.first_row + i];
      const double lacking = weight[i] > 0 ? w[i] / weight[i] : 0.0;
      r[i] = weight[i] > 0 ? std::clamp(lacking, x[i] - upper, x[i] - lower) + 0 * x[i] : 0.0;
    }
    return;
  }
  if (set.shape == GroupSet::Shape::kRows) {
    for (int i = 0; i < group.size; ++i) r[i] = weight[i] > 0 ? x[i] - w[i] / weight[i] : x[i];
    ProjectRows(g, r, set.frozen ? set.normal_estimate : std::max(0.0, x[0]));
  } else {
    std::copy(w, w + group.size, r);
    AddShift(g, r);
    for (int i = 0; i < group.size; ++i) r[i] = weight[i] > 0 ? x[i] - r[i] / weight[i] : x[i];
    Project(g, r);
  }
  for (int i = 0; i < group.size; ++i) r[i] = weight[i] > 0 ? x[i] - r[i] : 0.0;
}

void FeasibleSet::Freeze(const FeasibleSet& set, const double* x) {
  *this = set;
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    groups_[g].shifted = false;
    const RowGroup& group = problem_->groups()[g];
    if (group.kind == GroupKind::kContact && groups_[g].shape == GroupSet::Shape::kRows &&
        !groups_[g].frozen) {
      groups_[g].frozen = true;
      groups_[g].normal_estimate = std::max(0.0, x[group.first_row]);
    }
  }
}

}  // namespace nonsmooth
