// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/tree_sweep.h"

#include <algorithm>
#include <cmath>

#include "common/methods/sweep/matrix_sweep.h"

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;  // some ten microseconds

int RoundedUp(int count) { return (count + kTreeBlock - 1) / kTreeBlock * kTreeBlock; }

}  // namespace

void TreeSweep::Prepare(const FeasibleSet& set) {
  set_ = &set;
  const Dynamics& dynamics = set.problem().dynamics();
  const CsrMatrix& scaled = *dynamics.ScaledJacobian();
  groups_.clear();
  rows_.clear();
  block_.clear();
  value_.clear();
  for (int g = 0; g < static_cast<int>(set.problem().groups().size()); ++g) AddGroup(g, scaled);
  z_.resize(RoundedUp(scaled.columns));
  w_.resize(rows_.size());
}

void TreeSweep::AddGroup(int g, const CsrMatrix& scaled) {
  const RowGroup& posed = set_->problem().groups()[g];
  TreeGroup group{};
  group.first_row = posed.first_row;
  group.rows = posed.size;
  group.first_block = static_cast<int>(block_.size());
  group.first_value = static_cast<int>(value_.size());
  SetUp(g, group);
  const int begin = scaled.row_start[posed.first_row];
  const int end = scaled.row_start[posed.first_row + posed.size];
  for (int k = begin; k < end; ++k) {
    const int block = scaled.column[k] / kTreeBlock * kTreeBlock;
    if (block_.size() == static_cast<std::size_t>(group.first_block) || block_.back() != block) {
      block_.push_back(block);
    }
  }
  const auto first = block_.begin() + group.first_block;
  std::sort(first, block_.end());
  block_.erase(std::unique(first, block_.end()), block_.end());
  group.blocks = static_cast<int>(block_.size()) - group.first_block;
  const std::size_t row_values = static_cast<std::size_t>(kTreeBlock) * group.blocks;
  value_.resize(value_.size() + row_values * posed.size, 0.0);
  for (int i = 0; i < posed.size; ++i) {
    const int row = posed.first_row + i;
    double* to = value_.data() + group.first_value + i * row_values;
    const int* at = block_.data() + group.first_block;
    for (int k = scaled.row_start[row]; k < scaled.row_start[row + 1]; ++k) {
      for (; *at + kTreeBlock <= scaled.column[k]; ++at) to += kTreeBlock;
      to[scaled.column[k] - *at] = scaled.value[k];
    }
    AddRow(g, i);
  }
  groups_.push_back(group);
}

void TreeSweep::SetUp(int g, TreeGroup& group) const {
  const GroupSet& law = set_->group(g);
  const RowGroup& posed = set_->problem().groups()[g];
  const double* a = set_->weights().data() + posed.first_row;
  group.friction = posed.friction;
  if (law.shape == GroupSet::Shape::kRows) {
    group.set = TreeSet::kRows;
    group.step = 1;
  } else if (law.shape == GroupSet::Shape::kCone && law.shifted && posed.tangents == 2 &&
             a[0] > 0 && a[1] > 0) {
    group.set = TreeSet::kCoulomb;
    double block[4];
    set_->problem().dynamics().DiagonalBlock(posed.first_row + 1, 2, block);
    group.step = a[1] / (std::max(block[0], block[3]) + std::abs(block[1]));
  } else {
    group.set = TreeSet::kOther;
    group.step = 1 / GroupScale(*set_, g);
  }
}

void TreeSweep::AddRow(int g, int i) {
  const Problem& problem = set_->problem();
  const RowGroup& group = problem.groups()[g];
  const int index = group.first_row + i;
  const double a = set_->weights()[index];
  TreeRow row{};
  row.bias = problem.dynamics().bias()[index];
  row.compliance = problem.dynamics().Compliance(index);
  row.inverse_weight = a > 0 ? 1 / a : 0;
  row.normal = -1;
  if (set_->group(g).shape == GroupSet::Shape::kRows) {
    // At a normal impulse of 1: what is bounded by it is bounded by this share of it.
    const double normal[kMostGroupRows] = {1};
    double lower[kMostGroupRows];
    double upper[kMostGroupRows];
    set_->RowBounds(g, normal, lower, upper);
    row.lower = lower[i];
    row.upper = upper[i];
    const bool contact = group.kind == GroupKind::kContact;
    if (contact && i > 0 && !set_->group(g).frozen) row.normal = group.first_row;
  }
  rows_.push_back(row);
}

TreeView TreeSweep::view() {
  return {set_, groups_.data(), rows_.data(), block_.data(), value_.data(), x_.data(), z_.data()};
}

void TreeSweep::Load(const double* x) {
  x_.assign(x, x + rows_.size());
  std::fill(z_.begin(), z_.end(), 0.0);
  AddTreeImpulses(view(), static_cast<int>(groups_.size()));
}

void TreeSweep::Store(double* x) const { std::copy(x_.begin(), x_.end(), x); }

GaussSeidel::State TreeSweep::state() {
  return {x_.data(), set_->weights().data(), x_.size(), z_.data(), z_.size()};
}

double TreeSweep::Energy() {
  TreeVelocities(view(), static_cast<int>(groups_.size()), w_.data());
  return MeasureEnergy(*set_, 0, x_.data(), w_.data()).sum;
}

void TreeSweep::Sweep(double relaxation, bool backwards, Monitor& monitor) {
  const int count = static_cast<int>(groups_.size());
  for (int done = 0; done < count; done += kGroupsBetweenClockChecks) {
    if (monitor.OutOfTime()) return;
    const int now = std::min(kGroupsBetweenClockChecks, count - done);
    RelaxTrees(view(), backwards ? count - 1 - done : done, now, backwards ? -1 : 1, relaxation);
  }
}

}  // namespace nonsmooth
