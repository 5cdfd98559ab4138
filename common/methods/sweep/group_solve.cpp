// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/group_solve.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>

#include "common/methods/sweep/matrix_sweep.h"

namespace nonsmooth {
namespace {

/// Least pivot, relative to the largest, of a block that is still solved as one.
constexpr double kLeastPivot = 1e-10;

}  // namespace

void GroupSolve::Prepare(const FeasibleSet& set) {
  set_ = &set;
  contacts_.clear();
  numbers_.clear();
  const std::vector<RowGroup>& posed = set.problem().groups();
  groups_.resize(posed.size());
  for (int g = 0; g < static_cast<int>(posed.size()); ++g) {
    const double* a = set.weights().data() + posed[g].first_row;
    Group& group = groups_[g];
    group = {Kind::kRows, posed[g].size, 0, 1.0};
    if (posed[g].kind != GroupKind::kContact || set.group(g).shape == GroupSet::Shape::kRows) {
      PrepareBlock(g, &group);
    } else if (set.group(g).shape != GroupSet::Shape::kCone || !(a[0] > 0)) {
      group.kind = Kind::kStep;
      group.scale = 1 / GroupScale(set, g);
    } else if (posed[g].tangents == 0) {
      group.kind = Kind::kNormal;
      group.scale = 1 / a[0];
    } else {
      const int size = posed[g].size;
      double block[9];
      set.problem().dynamics().DiagonalBlock(posed[g].first_row, size, block);
      if (size == 2) {  // the second tangent stands apart
        const double whole[9] = {block[0], block[1], 0, block[2], block[3], 0, 0, 0, block[3]};
        std::copy(whole, whole + 9, block);
      }
      group.kind = Kind::kCone;
      group.data = static_cast<int>(contacts_.size());
      contacts_.emplace_back();
      contacts_.back().Prepare(block, posed[g].friction, !set.group(g).shifted);
    }
  }
}

void GroupSolve::PrepareBlock(int g, Group* group) {
  const RowGroup& posed = set_->problem().groups()[g];
  const int size = posed.size;
  group->data = static_cast<int>(numbers_.size());
  numbers_.resize(numbers_.size() + size * size);
  double* block = numbers_.data() + group->data;
  set_->problem().dynamics().DiagonalBlock(posed.first_row, size, block);
  if (posed.kind != GroupKind::kEquality) return;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor,
                               kMostGroupRows, kMostGroupRows>;
  Eigen::Map<Matrix> a(block, size, size);
  const Matrix symmetric = 0.5 * (a + a.transpose());
  const Eigen::LDLT<Matrix> factor(symmetric);
  const auto pivots = factor.vectorD();
  if (pivots.minCoeff() > kLeastPivot * pivots.maxCoeff()) {  // false for NaN and for zero
    group->kind = Kind::kBlock;
    a = factor.solve(Matrix::Identity(size, size));
  }
}

bool GroupSolve::Solve(int g, const double* w, double* x, double* change) {
  const Group& group = groups_[g];
  const int size = group.size;
  double before[kMostGroupRows];
  std::copy(x, x + size, before);
  switch (group.kind) {
    case Kind::kNormal:
      x[0] = std::max(x[0] - w[0] * group.scale, 0.0);
      break;
    case Kind::kCone: {
      ContactBlock& block = contacts_[group.data];
      double all[3] = {x[0], x[1], size == 3 ? x[2] : 0.0};
      double q[3];
      block.Multiply(all, q);
      q[0] = w[0] - q[0];
      q[1] = w[1] - q[1];
      q[2] = size == 3 ? w[2] - q[2] : 0.0;
      block.Solve(q, all);
      std::copy(all, all + size, x);
      break;
    }
    case Kind::kBlock: {
      const double* inverse = numbers_.data() + group.data;
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) x[i] -= inverse[i * size + j] * w[j];
      }
      break;
    }
    case Kind::kRows: {
      const double* block = numbers_.data() + group.data;
      for (int i = 0; i < size; ++i) {
        if (block[i * size + i] == 0) continue;
        double now = w[i];
        for (int j = 0; j < size; ++j) now += block[i * size + j] * (x[j] - before[j]);
        x[i] -= now / block[i * size + i];
        set_->Project(g, x);
      }
      break;
    }
    case Kind::kStep: {
      const double* a = set_->weights().data() + set_->problem().groups()[g].first_row;
      double shifted[kMostGroupRows];
      std::copy(w, w + size, shifted);
      set_->AddShift(g, shifted);
      for (int i = 0; i < size; ++i) {
        if (a[i] > 0) x[i] -= group.scale * shifted[i] / a[i];
      }
      set_->Project(g, x);
      break;
    }
  }
  bool changed = false;
  for (int i = 0; i < size; ++i) {
    change[i] = x[i] - before[i];
    changed = changed || change[i] != 0;
  }
  return changed;
}

}  // namespace nonsmooth
