// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/matrix_sweep.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kGroupsBetweenClockChecks = 256;  // some ten microseconds

}  // namespace

double GroupScale(const FeasibleSet& set, int g) {
  const RowGroup& group = set.problem().groups()[g];
  if (set.group(g).shape == GroupSet::Shape::kRows) return 1;
  double block[kMostGroupRows * kMostGroupRows];
  set.problem().dynamics().DiagonalBlock(group.first_row, group.size, block);
  const double* a = set.weights().data() + group.first_row;
  double scale = 1;
  for (int i = 0; i < group.size; ++i) {
    if (a[i] == 0) continue;
    double sum = 0;
    for (int j = 0; j < group.size; ++j) {
      if (a[j] > 0) sum += std::abs(block[i * group.size + j]) / std::sqrt(a[i] * a[j]);
    }
    scale = std::max(scale, sum);
  }
  return scale;
}

void MatrixSweep::Prepare(const FeasibleSet& set) {
  set_ = &set;
  a_ = &set.problem().dynamics().Assembled();
  scale_.resize(set.problem().groups().size());
  for (int g = 0; g < static_cast<int>(scale_.size()); ++g) scale_[g] = GroupScale(set, g);
  w_.resize(set.weights().size());
}

void MatrixSweep::Load(const double* x) { x_.assign(x, x + set_->weights().size()); }

void MatrixSweep::Store(double* x) const { std::copy(x_.begin(), x_.end(), x); }

GaussSeidel::State MatrixSweep::state() {
  return {x_.data(), set_->weights().data(), x_.size(), nullptr, 0};
}

double MatrixSweep::Energy() {
  for (int i = 0; i < a_->rows; ++i) w_[i] = RowVelocity(i);
  return MeasureEnergy(*set_, 0, x_.data(), w_.data()).sum;
}

double MatrixSweep::RowVelocity(int row) const {
  double w = set_->problem().dynamics().bias()[row];
  for (int k = a_->row_start[row]; k < a_->row_start[row + 1]; ++k) {
    w += a_->value[k] * x_[a_->column[k]];
  }
  return w;
}

void MatrixSweep::Relax(int g, double relaxation) {
  const RowGroup& group = set_->problem().groups()[g];
  const double* a = set_->weights().data() + group.first_row;
  double* x = x_.data() + group.first_row;
  if (set_->group(g).shape == GroupSet::Shape::kRows) {
    // Row by row: each row sees what the rows before it have just become. Projecting the whole
    // group is idempotent on the others.
    for (int i = 0; i < group.size; ++i) {
      if (a[i] == 0) continue;
      x[i] -= relaxation * RowVelocity(group.first_row + i) / a[i];
      set_->Project(g, x);
    }
    return;
  }
  double w[kMostGroupRows];
  for (int i = 0; i < group.size; ++i) w[i] = RowVelocity(group.first_row + i);
  set_->AddShift(g, w);
  for (int i = 0; i < group.size; ++i) {
    if (a[i] > 0) x[i] -= relaxation * w[i] / (scale_[g] * a[i]);
  }
  set_->Project(g, x);
}

void MatrixSweep::Sweep(double relaxation, bool backwards, Monitor& monitor) {
  const int count = static_cast<int>(scale_.size());
  for (int k = 0; k < count; ++k) {
    if (k % kGroupsBetweenClockChecks == 0 && monitor.OutOfTime()) return;
    Relax(backwards ? count - 1 - k : k, relaxation);
  }
}

}  // namespace nonsmooth
