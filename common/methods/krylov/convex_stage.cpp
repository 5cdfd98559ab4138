// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/convex_stage.h"

#include <algorithm>
#include <cmath>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

/// Inside of a bound by this share of it: projections put x onto bounds up to rounding.
constexpr double kInside = 1 - 1e-12;

double Towards(double value, double from, double share) {
  return share == 1 ? value : from + share * (value - from);
}

bool Contact(const RowGroup& group) { return group.kind == GroupKind::kContact; }

}  // namespace

void ConvexStage::Prepare(const FeasibleSet& set) {
  set_ = &set;
  frozen_ = set;
  shift_.assign(set.weights().size(), 0.0);
  anchor_.resize(set.weights().size());
  bounds_.assign(set.weights().size(), 0.0);
}

void ConvexStage::Freeze(StageKind kind, const double* x, const double* w, double relaxation) {
  kind_ = kind;
  std::copy(x, x + rows(), anchor_.begin());
  for (int i = 0; kind != StageKind::kNormal && i < rows(); ++i) {
    bounds_[i] = Towards(x[i], bounds_[i], relaxation);
  }
  frozen_.Freeze(*set_, bounds_.data());
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    if (!set_->group(g).shifted) continue;
    double& shift = shift_[groups[g].first_row];
    if (kind != StageKind::kWhole) {
      shift = 0;
      continue;
    }
    double shifted[kMostGroupRows];
    const double* w_g = w + groups[g].first_row;
    std::copy(w_g, w_g + groups[g].size, shifted);
    set_->AddShift(g, shifted);
    shift = Towards(shifted[0] - w_g[0], shift, relaxation);
  }
}

void ConvexStage::ProjectContact(int g, double* y) const {
  const RowGroup& group = set_->problem().groups()[g];
  const double* anchor = anchor_.data() + group.first_row;
  if (kind_ == StageKind::kNormal) {
    if (!(y[0] >= 0)) y[0] = std::isnan(y[0]) ? y[0] : 0.0;
    std::copy(anchor + 1, anchor + group.size, y + 1);
    return;
  }
  y[0] = anchor[0];
  const double* bounds = bounds_.data() + group.first_row;
  const GroupSet& shape = frozen_.group(g);
  if (shape.shape == GroupSet::Shape::kRows) {
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    frozen_.RowBounds(g, bounds, lower, upper);
    for (int i = 1; i < group.size; ++i) y[i] = std::clamp(y[i], lower[i], upper[i]);
    return;
  }
  for (int k = 0; k < shape.parts; ++k) {
    const FrictionPart& part = shape.part[k];
    ProjectOntoScaledSet(part, part.coefficient * std::max(0.0, bounds[0]), y + part.offset);
  }
}

void ConvexStage::Project(int g, double* y) const {
  if (kind_ == StageKind::kWhole || !Contact(set_->problem().groups()[g])) {
    frozen_.Project(g, y);
  } else {
    ProjectContact(g, y);
  }
}

void ConvexStage::Project(double* y) const {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) Project(g, y + groups[g].first_row);
}

double ConvexStage::Energy(const double* x, const double* w) const {
  const std::vector<RowGroup>& groups = set_->problem().groups();
  double sum = 0;
  double shifted[kMostGroupRows];
  double energy[kMostGroupRows];
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const int first = groups[g].first_row;
    const int size = groups[g].size;
    for (int i = 0; i < size; ++i) shifted[i] = w[first + i] + shift_[first + i];
    GroupEnergy(frozen_, g, x + first, shifted, energy);
    for (int i = 0; i < size; ++i) sum += energy[i];
  }
  return sum;
}

void ConvexFace::Reserve(int rows) {
  start_.reserve(rows + 1);
  row_.reserve(rows);  // a row belongs to one column
  value_.reserve(rows);
  diagonal_.reserve(rows);
  start_.assign(1, 0);
  row_.clear();
  value_.clear();
  diagonal_.clear();
}

void ConvexFace::AddRow(int row, double value) {
  row_.push_back(row);
  value_.push_back(value);
}

void ConvexFace::CloseColumn() {
  double sum = 0;
  for (std::size_t k = start_.back(); k < row_.size(); ++k) {
    sum += weights_[row_[k]] * value_[k] * value_[k];
  }
  if (sum > 0) {
    start_.push_back(static_cast<int>(row_.size()));
    diagonal_.push_back(sum);
  } else {  // nothing but inert rows
    row_.resize(start_.back());
    value_.resize(start_.back());
  }
}

void ConvexFace::AddContact(const ConvexStage& stage, int g, const double* x) {
  const RowGroup& group = stage.set_->problem().groups()[g];
  const GroupSet& shape = stage.frozen_.group(g);
  const int first = group.first_row;
  const bool normal_moves = stage.kind_ != StageKind::kTangential;
  const bool friction_moves = stage.kind_ != StageKind::kNormal;
  const double normal = x[first];
  if (shape.shape == GroupSet::Shape::kRows) {
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    stage.frozen_.RowBounds(g, stage.bounds_.data() + first, lower, upper);
    for (int i = 0; i < group.size; ++i) {
      const bool inside = x[first + i] > lower[i] && x[first + i] < upper[i];
      if (!inside || !(i == 0 ? normal_moves : friction_moves)) continue;
      AddRow(first + i, 1);
      CloseColumn();
    }
    return;
  }
  const double bound =
      stage.kind_ == StageKind::kTangential ? std::max(0.0, stage.bounds_[first]) : normal;
  if (!(bound > 0)) return;
  if (friction_moves) {
    for (int k = 0; k < shape.parts; ++k) {
      const FrictionPart& part = shape.part[k];
      if (Gauge(part, x + first + part.offset) >= kInside * part.coefficient * bound) continue;
      for (int i = 0; i < part.size; ++i) {
        AddRow(first + part.offset + i, 1);
        CloseColumn();
      }
    }
  }
  if (!normal_moves) return;
  AddRow(first, 1);
  for (int k = 0; friction_moves && k < shape.parts; ++k) {
    const FrictionPart& part = shape.part[k];
    if (Gauge(part, x + first + part.offset) < kInside * part.coefficient * bound) continue;
    for (int i = 0; i < part.size; ++i) {
      const int row = first + part.offset + i;
      if (x[row] != 0) AddRow(row, x[row] / normal);
    }
  }
  CloseColumn();
}

void ConvexFace::Find(const ConvexStage& stage, const double* x) {
  weights_ = stage.weights().data();
  rows_ = stage.rows();
  Reserve(rows_);
  const Problem& problem = stage.set_->problem();
  for (int g = 0; g < static_cast<int>(problem.groups().size()); ++g) {
    const RowGroup& group = problem.groups()[g];
    if (Contact(group)) {
      AddContact(stage, g, x);
      continue;
    }
    for (int i = group.first_row; i < group.first_row + group.size; ++i) {
      const bool bounded = group.kind == GroupKind::kBox;
      if (bounded && !(x[i] > problem.lower()[i] && x[i] < problem.upper()[i])) continue;
      AddRow(i, 1);
      CloseColumn();
    }
  }
}

void ConvexFace::Expand(const double* z, double* y) const {
  std::fill(y, y + rows_, 0.0);
  for (int j = 0; j < size(); ++j) {
    for (int k = start_[j]; k < start_[j + 1]; ++k) y[row_[k]] += value_[k] * z[j];
  }
}

void ConvexFace::Restrict(const double* y, double* z) const {
  for (int j = 0; j < size(); ++j) {
    double sum = 0;
    for (int k = start_[j]; k < start_[j + 1]; ++k) sum += value_[k] * y[row_[k]];
    z[j] = sum;
  }
}

}  // namespace nonsmooth
