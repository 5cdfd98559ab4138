// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/unit_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr int kWidest = 8;  // lanes of the widest vector register
constexpr double kInfinity = std::numeric_limits<double>::infinity();

int RoundedUp(int count) { return (count + kWidest - 1) / kWidest * kWidest; }

}  // namespace

int RowsOf(UnitKind kind) {
  constexpr int kRows[kUnitKinds] = {1, 3, 3, 6, 6, 3};
  return kRows[static_cast<int>(kind)];
}

int PartsOf(UnitKind kind) {
  constexpr int kParts[kUnitKinds] = {2, 1, 2, 3, 5, 1};
  return kParts[static_cast<int>(kind)];
}

void UnitLayout::Build(const FeasibleSet& set, const std::vector<std::uint64_t>& key) {
  set_ = &set;
  units_.clear();
  held_.assign(set.problem().rows(), 0.0);
  any_held_ = false;
  for (std::size_t g = 0; g < key.size(); ++g) AddGroup(static_cast<int>(g), key[g]);
  std::sort(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.key != b.key ? a.key < b.key : a.rows[0] < b.rows[0];
  });
  Place();
  FillBias();
}

void UnitLayout::AddGroup(int g, std::uint64_t key) {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& law = set_->group(g);
  const bool contact = group.kind == GroupKind::kContact;
  if (contact && !law.frozen) {
    AddContact(g, key);
    return;
  }
  double lower[kMostGroupRows], upper[kMostGroupRows];
  const double none[kMostGroupRows] = {};
  set_->RowBounds(g, none, lower, upper);
  for (int i = 0; i < group.size; ++i) AddLine(g, group.first_row + i, lower[i], upper[i], key);
}

void UnitLayout::AddLine(int g, int row, double lower, double upper, std::uint64_t key) {
  const double weight = set_->weights()[row];
  if (weight <= 0 || lower == upper) {
    held_[row] = std::clamp(0.0, lower, upper);
    any_held_ = any_held_ || held_[row] != 0;
    return;
  }
  const double root = std::sqrt(weight);
  Unit unit{UnitKind::kLine, g,  {row, -1, -1, -1, -1, -1}, {1, 1, 1, 1, 1}, root * lower,
            root * upper,    key};
  units_.push_back(unit);
}

void UnitLayout::AddContact(int g, std::uint64_t key) {
  const RowGroup& group = set_->problem().groups()[g];
  const GroupSet& law = set_->group(g);
  const double* weight = set_->weights().data() + group.first_row;
  const bool rows = law.shape == GroupSet::Shape::kRows;
  if (weight[0] <= 0) return;  // nothing to push with: held at zero
  Unit unit{UnitKind::kDisc, g,  {group.first_row, -1, -1, -1, -1, -1}, {1, 1, 1, 1, 1}, 0,
            kInfinity,       key};
  bool tangents = false, others = false;
  for (int k = 0; k < law.parts; ++k) {
    const FrictionPart& part = law.part[k];
    const bool first = k == 0 && group.tangents > 0;
    for (int i = 0; i < part.size; ++i) {
      const int row = part.offset + i;
      if (weight[row] <= 0 || part.coefficient <= 0) continue;
      const double coefficient = part.coefficient * std::sqrt(weight[row] / weight[0]);
      (first ? tangents : others) = true;
      // Tangents, spinning, rolling have fixed places where any of the last two are there.
      const bool spinning = group.spinning > 0 && row == 1 + group.tangents;
      const int place = first ? 1 + i : spinning ? 3 : 4 + i;
      unit.rows[place] = group.first_row + row;
      const int slot = rows ? place - 1 : place <= 2 ? 0 : place == 3 ? 1 : 2;
      unit.coefficient[slot] = coefficient;
      if (first && part.facets > 0) unit.kind = UnitKind::kPolygon;
    }
  }
  if (!tangents && !others) {
    AddLine(g, group.first_row, 0, kInfinity, key);
    return;
  }
  if (others) {
    unit.kind = rows ? UnitKind::kBox5 : UnitKind::kRolling;
  } else if (rows) {
    unit.kind = UnitKind::kBox2;
  }
  units_.push_back(unit);
}

void UnitLayout::Place() {
  int count[kUnitKinds] = {};
  for (const Unit& unit : units_) ++count[static_cast<int>(unit.kind)];
  families_.clear();
  int size = 0, parts = 0;
  matrix_size_ = 0;
  for (int k = 0; k < kUnitKinds; ++k) {
    if (count[k] == 0) continue;
    UnitFamily family;
    family.kind = static_cast<UnitKind>(k);
    family.rows = RowsOf(family.kind);
    family.parts = PartsOf(family.kind);
    family.count = count[k];
    family.stride = RoundedUp(count[k]);
    family.first = size;
    family.first_part = parts;
    family.first_matrix = matrix_size_;
    size += family.rows * family.stride;
    parts += family.parts * family.stride;
    matrix_size_ += family.rows * family.rows * family.stride;
    families_.push_back(family);
  }
  row_.assign(size, -1);
  group_.assign(size, -1);
  facets_.assign(size, 0);
  for (AlignedVector* v : {&scale_, &bias_, &compliance_, &shift_}) v->assign(size, 0.0);
  lower_.assign(size, -kInfinity);
  upper_.assign(size, kInfinity);
  coefficient_.assign(parts, 1.0);
  cones_ = 0;
  shifted_ = 0;
  std::size_t next = 0;
  for (const UnitFamily& family : families_) {
    for (int i = 0; i < family.count; ++i) Fill(family, i, units_[next++]);
  }
}

void UnitLayout::Fill(const UnitFamily& family, int i, const Unit& unit) {
  const Dynamics& dynamics = set_->problem().dynamics();
  for (int r = 0; r < family.rows; ++r) {
    const int at = family.first + r * family.stride + i;
    const int row = unit.rows[r];
    row_[at] = row;
    if (row < 0) continue;
    scale_[at] = 1 / std::sqrt(set_->weights()[row]);
    compliance_[at] = scale_[at] * scale_[at] * dynamics.Compliance(row);
  }
  const int at = family.first + i;
  group_[at] = unit.group;
  if (family.kind == UnitKind::kLine) {
    lower_[at] = unit.lower;
    upper_[at] = unit.upper;
    cones_ += (unit.lower > -kInfinity) + (unit.upper < kInfinity);
    return;
  }
  for (int k = 0; k < family.parts; ++k) {
    coefficient_[family.first_part + k * family.stride + i] = unit.coefficient[k];
  }
  cones_ += family.parts;
  // A row by row law is Coulomb's with a rectangle; only `ccp` goes without the term.
  const GroupSet& law = set_->group(unit.group);
  const bool shifted = law.shifted || law.shape == GroupSet::Shape::kRows;
  shift_[at] = shifted ? 1 : 0;
  shifted_ += shifted ? 1 : 0;
  facets_[at] = law.parts > 0 ? law.part[0].facets : 0;
}

void UnitLayout::FillBias() {
  const Dynamics& dynamics = set_->problem().dynamics();
  const double* b = dynamics.bias().data();
  if (any_held_) {
    held_velocity_.resize(held_.size());
    dynamics.ConstraintVelocity(held_.data(), held_velocity_.data(), workspace_);
    b = held_velocity_.data();
  }
  for (std::size_t i = 0; i < row_.size(); ++i) bias_[i] = row_[i] < 0 ? 0 : scale_[i] * b[row_[i]];
}

void UnitLayout::ToProblem(const double* scaled, double* x) const {
  std::copy(held_.begin(), held_.end(), x);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (row_[i] >= 0) x[row_[i]] = scale_[i] * scaled[i];
  }
}

}  // namespace nonsmooth
