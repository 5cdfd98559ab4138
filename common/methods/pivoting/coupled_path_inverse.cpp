// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// K⁻¹ of coupled_path.h: made anew, and with one row of K replaced.
#include "common/methods/pivoting/coupled_path_inverse-inl.h"

#include <Eigen/LU>
#include <cmath>
#include <memory>

namespace nonsmooth {
namespace {

/// Share of det K that a pivot may leave.
constexpr double kSingular = 1e-11;

}  // namespace

CoupledPath::CoupledPath() : inverse_(std::make_unique<Inverse>()) {}
CoupledPath::~CoupledPath() = default;

bool CoupledPath::Invert() {
  // With z the free impulses and y the right side of the other rows x = E z + G y, and the free
  // rows say S z = right side − H y with S = A_F E, H = A_F G. Hence K⁻¹ = E S⁻¹ in the columns of
  // free rows and G − E S⁻¹ H in the others.
  Inverse& inverse = *inverse_;
  inverse.free.clear();
  inverse.place.assign(n_, -1);
  for (int i = 0; i < n_; ++i) {
    if (state_[i] != RowState::kFree) continue;
    inverse.place[i] = static_cast<int>(inverse.free.size());
    inverse.free.push_back(i);
  }
  const int f = static_cast<int>(inverse.free.size());
  inverse.own.setZero(f, f);
  inverse.entries.clear();
  const auto add = [&](int row, int column, double value) {
    if (inverse.place[column] >= 0) {
      inverse.own(row, inverse.place[column]) += value;
    } else {
      inverse.entries.push_back({row, column, value});
    }
  };
  for (int r = 0; r < f; ++r) {
    const int i = inverse.free[r];
    add(r, i, added_[i]);
    for (int e = a_->row_start[i]; e < a_->row_start[i + 1]; ++e) {
      const int j = a_->column[e];
      add(r, j, a_->value[e]);
      if (Slides(j)) add(r, parent_[j], Slope(j) * a_->value[e]);
    }
  }
  if (f > 0) inverse.own = inverse.own.partialPivLu().inverse().eval();
  if (!inverse.own.allFinite()) return false;
  inverse.wide.setZero(f, n_);  // S⁻¹ (E'ᵀ − H): rows z of K⁻¹
  for (int r = 0; r < f; ++r) inverse.wide.col(inverse.free[r]) = inverse.own.col(r);
  for (const Triplet& entry : inverse.entries) {
    inverse.wide.col(entry.column) -= entry.value * inverse.own.col(entry.row);
  }
  Eigen::MatrixXd& matrix = inverse.matrix;
  matrix.setZero(n_, n_);
  for (int j = 0; j < n_; ++j) {
    for (int r = 0; r < f; ++r) matrix(inverse.free[r], j) = inverse.wide(r, j);
    if (state_[j] != RowState::kFree) matrix(j, j) = 1;
    for (int i = j + 1; i < n_ && parent_[i] == j; ++i) {
      if (Slides(i) && state_[j] != RowState::kFree) matrix(i, j) = Slope(i);
    }
    for (int i = 0; i < n_; ++i) {
      if (Slides(i) && inverse.place[parent_[i]] >= 0) {
        matrix(i, j) += Slope(i) * inverse.wide(inverse.place[parent_[i]], j);
      }
    }
  }
  return true;
}

bool CoupledPath::Replace(int row, RowState to) {
  // δᵀ K⁻¹ with δ the new row less the old one.
  Inverse& inverse = *inverse_;
  inverse.entries.clear();
  const auto add = [&](RowState state, double factor) {
    if (state == RowState::kFree) {
      for (int e = a_->row_start[row]; e < a_->row_start[row + 1]; ++e) {
        inverse.entries.push_back({row, a_->column[e], factor * a_->value[e]});
      }
      inverse.entries.push_back({row, row, factor * added_[row]});
      return;
    }
    inverse.entries.push_back({row, row, factor});
    if (parent_[row] < 0) return;
    const double slope = state == RowState::kUpper ? slope_[row] : -slope_[row];
    inverse.entries.push_back({row, parent_[row], -factor * slope});
  };
  add(to, 1);
  add(state_[row], -1);
  Eigen::VectorXd& image = inverse.image;
  image.resize(n_);
  for (int j = 0; j < n_; ++j) {
    const double* column = inverse.matrix.col(j).data();
    double sum = 0;
    for (const Triplet& entry : inverse.entries) sum += entry.value * column[entry.column];
    image(j) = sum;
  }
  const double factor = 1 + image(row);
  if (!(std::abs(factor) > kSingular)) return false;
  if (factor < 0) sign_ = -sign_;
  inverse.column = inverse.matrix.col(row) / factor;
  for (int j = 0; j < n_; ++j) {
    if (image(j) != 0) inverse.matrix.col(j) -= image(j) * inverse.column;
  }
  state_[row] = to;
  return true;
}

}  // namespace nonsmooth
