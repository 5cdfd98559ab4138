// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/cone_program.h"

#include <algorithm>
#include <cmath>

#include "common/error/energy_error.h"

namespace nonsmooth {
namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

void ConeProgram::Hold(int row, double value) {
  held_[row] = 1;
  held_value_[row] = value;
}

ConeProgram::Cone& ConeProgram::NewCone(int size, int group_rows) {
  Cone cone;
  cone.size = size;
  cone.first = components_;
  cone.matrix = static_cast<int>(matrix_.size());
  components_ += size;
  matrix_.resize(matrix_.size() + static_cast<std::size_t>(size) * group_rows, 0.0);
  cones_.push_back(cone);
  return cones_.back();
}

void ConeProgram::AddLine(int group_rows, int row, double coefficient, double offset) {
  Cone& cone = NewCone(1, group_rows);
  matrix_[cone.matrix + row] = coefficient;
  cone.offset = offset;
}

void ConeProgram::AddBounds(int g, int row, double lower, double upper) {
  const RowGroup& group = set_->problem().groups()[g];
  const int i = group.first_row + row;
  if (set_->weights()[i] == 0) return Hold(i, std::clamp(0.0, lower, upper));
  if (lower == upper) return Hold(i, lower);
  const double units = 1 / (scale_[i] * unit_);
  if (std::isfinite(lower)) AddLine(group.size, row, 1, lower * units);
  if (std::isfinite(upper)) AddLine(group.size, row, -1, -upper * units);
}

void ConeProgram::AddPart(int g, const FrictionPart& part) {
  const RowGroup& group = set_->problem().groups()[g];
  const int size = group.size;
  FrictionPart scaled = part;
  scaled.coefficient *= scale_[group.first_row] / scale_[group.first_row + part.offset];
  if (set_->group(g).shifted || set_->group(g).shape == GroupSet::Shape::kRows) {
    parts_.push_back(scaled);
  }
  if (part.size == 2 && part.facets > 0) {
    const double apothem = std::cos(kPi / part.facets) * scaled.coefficient;
    for (int j = 0; j < part.facets; ++j) {
      const double angle = (2 * j + 1) * kPi / part.facets;
      double* row = matrix_.data() + NewCone(1, size).matrix;
      row = matrix_.data() + cones_.back().matrix;
      row[0] = apothem;
      row[part.offset] = -std::cos(angle);
      row[part.offset + 1] = -std::sin(angle);
    }
    return;
  }
  const Cone& cone = NewCone(1 + part.size, size);
  double* row = matrix_.data() + cone.matrix;
  row[0] = scaled.coefficient;
  for (int k = 0; k < part.size; ++k) row[(1 + k) * size + part.offset + k] = 1;
}

void ConeProgram::AddGroup(int g) {
  const Problem& problem = set_->problem();
  const RowGroup& rows = problem.groups()[g];
  const GroupSet& law = set_->group(g);
  Group group;
  group.first_row = rows.first_row;
  group.size = rows.size;
  group.first_cone = static_cast<int>(cones_.size());
  group.first_part = static_cast<int>(parts_.size());
  const double* weight = set_->weights().data() + rows.first_row;
  if (rows.kind != GroupKind::kContact || law.frozen) {
    double lower[kMostGroupRows], upper[kMostGroupRows], zero[kMostGroupRows] = {};
    set_->RowBounds(g, zero, lower, upper);
    for (int i = 0; i < rows.size; ++i) AddBounds(g, i, lower[i], upper[i]);
  } else if (weight[0] == 0) {
    // Without a normal that does anything there is nothing to bound the others by.
    for (int i = 0; i < rows.size; ++i) Hold(rows.first_row + i, 0);
  } else {
    for (int k = 0; k < law.parts; ++k) {
      const FrictionPart& part = law.part[k];
      const bool by_rows = law.shape == GroupSet::Shape::kRows;
      for (int i = 0; i < (by_rows ? part.size : 1); ++i) {
        FrictionPart piece = part;
        if (by_rows) {
          piece.offset += i;
          piece.size = 1;
          piece.facets = 0;
        }
        if (part.coefficient > 0 && weight[piece.offset] > 0) {
          AddPart(g, piece);
        } else {
          for (int j = 0; j < piece.size; ++j) Hold(rows.first_row + piece.offset + j, 0);
        }
      }
    }
    if (static_cast<int>(cones_.size()) == group.first_cone) {
      AddLine(rows.size, 0, 1, 0);
    } else {
      group.diagonal = false;
    }
  }
  group.cones = static_cast<int>(cones_.size()) - group.first_cone;
  group.parts = static_cast<int>(parts_.size()) - group.first_part;
  group.one_cone = group.cones == 1 && cones_.back().size == group.size;
  groups_.push_back(group);
}

void ConeProgram::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const int n = static_cast<int>(set.weights().size());
  const double free_energy = FreeEnergy(set);
  unit_ = free_energy > 0 ? std::sqrt(2 * free_energy / n) : 1.0;
  scale_.resize(n);
  for (int i = 0; i < n; ++i) {
    scale_[i] = set.weights()[i] > 0 ? 1 / std::sqrt(set.weights()[i]) : 1.0;
  }
  held_.assign(n, 0);
  held_value_.assign(n, 0.0);
  components_ = 0;
  cones_.clear();
  groups_.clear();
  matrix_.clear();
  parts_.clear();
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) AddGroup(g);
}

void ConeProgram::Unscale(const double* scaled, double* x) const {
  for (int i = 0; i < rows(); ++i) {
    x[i] = held(i) ? held_value_[i] : unit_ * scale_[i] * scaled[i];
  }
}

void ConeProgram::Scale(const double* x, double* scaled) const {
  for (int i = 0; i < rows(); ++i) scaled[i] = held(i) ? 0.0 : x[i] / (unit_ * scale_[i]);
}

void ConeProgram::ScaleVelocity(const double* w, double* scaled) const {
  for (int i = 0; i < rows(); ++i) scaled[i] = w[i] * scale_[i] / unit_;
}

void ConeProgram::Slack(const double* x, bool homogeneous, double* s) const {
  for (const Group& group : groups_) {
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const Cone& cone = cones_[c];
      const double* row = matrix(cone);
      for (int i = 0; i < cone.size; ++i, row += group.size) {
        double sum = 0;
        for (int j = 0; j < group.size; ++j) sum += row[j] * x[group.first_row + j];
        s[cone.first + i] = sum;
      }
      if (!homogeneous) s[cone.first] -= cone.offset;
    }
  }
}

void ConeProgram::Transpose(const double* z, double* w) const {
  for (const Group& group : groups_) {
    double* to = w + group.first_row;
    std::fill(to, to + group.size, 0.0);
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const Cone& cone = cones_[c];
      const double* row = matrix(cone);
      for (int i = 0; i < cone.size; ++i, row += group.size) {
        for (int j = 0; j < group.size; ++j) to[j] += row[j] * z[cone.first + i];
      }
    }
  }
}

double ConeProgram::Shift(int g, const double* w, double* gradient) const {
  const Group& group = groups_[g];
  if (gradient != nullptr) std::fill(gradient, gradient + group.size, 0.0);
  double sum = 0;
  for (int k = group.first_part; k < group.first_part + group.parts; ++k) {
    const FrictionPart& part = parts_[k];
    const double* at = w + part.offset;
    const double speed = SlidingSpeed(part, at);
    sum += part.coefficient * speed;
    if (gradient == nullptr || speed <= 0) continue;
    double* to = gradient + part.offset;
    if (part.size == 2 && part.facets > 0) {
      const double width = 2 * kPi / part.facets;
      const double angle = std::round(std::atan2(-at[1], -at[0]) / width) * width;
      to[0] = -part.coefficient * std::cos(angle);
      to[1] = -part.coefficient * std::sin(angle);
    } else {
      for (int i = 0; i < part.size; ++i) to[i] = part.coefficient * at[i] / speed;
    }
  }
  return sum;
}

void ConeProgram::Multipliers(int g, const double* w, double* z) const {
  const Group& group = groups_[g];
  const double normal = group.cones > 0 ? w[0] + Shift(g, w, nullptr) : 0.0;
  double excess = normal;  // of the normal over what the parts take
  double weight = 0;       // that it is shared out by
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const Cone& cone = cones_[c];
    const double* row = matrix(cone);
    for (int i = 0; i < cone.size; ++i) {
      // Rows of G are along axes but for k-gons, whose edges' normals have Σ e eᵀ = k/2.
      double sum = 0;
      for (int j = 0; j < group.size; ++j) {
        if (!group.diagonal && j == 0) continue;
        sum += row[i * group.size + j] * w[j];
      }
      z[cone.first + i] = sum;
    }
    if (group.diagonal) continue;
    const bool facet = cone.size == 1;
    if (facet) {
      z[cone.first] *= 2.0 / group.cones;
    } else {
      z[cone.first] = -LeastEigenvalue(cone.size, z + cone.first);  // ‖z̄‖: z₀ is 0 so far
    }
    excess -= row[0] * z[cone.first];
    weight += row[0];
  }
  if (group.diagonal || weight == 0) return;
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    z[cones_[c].first] += excess / weight;
  }
}

}  // namespace nonsmooth
