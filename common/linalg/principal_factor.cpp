// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/principal_factor.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

/// A pivot below this share of its diagonal has no digits left.
constexpr double kLeastPivot = 1e-14;

}  // namespace

void PrincipalFactor::Reset(const CsrMatrix& matrix) {
  matrix_ = &matrix;
  stride_ = static_cast<std::size_t>(matrix.rows);
  lower_.resize(stride_ * stride_);
  work_.resize(stride_);
  rows_.clear();
  rows_.reserve(stride_);
  place_.assign(stride_, -1);
}

bool PrincipalFactor::Add(int row) {
  const int k = size();
  double* l = Row(k);
  std::fill(l, l + k, 0.0);
  double diagonal = 0;
  for (int e = matrix_->row_start[row]; e < matrix_->row_start[row + 1]; ++e) {
    const int column = matrix_->column[e];
    if (column == row) diagonal = matrix_->value[e];
    if (place_[column] >= 0) l[place_[column]] = matrix_->value[e];
  }
  for (int i = 0; i < k; ++i) {
    const double* li = Row(i);
    l[i] = (l[i] - ConstVector(li, i).dot(ConstVector(l, i))) / li[i];
  }
  const double pivot = diagonal - ConstVector(l, k).squaredNorm();
  if (!(pivot > kLeastPivot * diagonal)) return false;
  l[k] = std::sqrt(pivot);
  place_[row] = k;
  rows_.push_back(row);
  return true;
}

void PrincipalFactor::Remove(int row) {
  const int p = place_[row];
  const int k = size() - 1;
  // Without row p the rows below have one column too many; it goes back as a rank-one update.
  for (int i = p + 1; i <= k; ++i) {
    const double* from = Row(i);
    work_[i - 1] = from[p];
    double* to = Row(i - 1);
    std::copy(from, from + p, to);
    std::copy(from + p + 1, from + i + 1, to + p);
    rows_[i - 1] = rows_[i];
    place_[rows_[i]] = i - 1;
  }
  rows_.pop_back();
  place_[row] = -1;
  // Row by row: the rotations of the columns before are kept in the last, unused row as (c, s).
  double* cosine = Row(k);
  for (int i = p; i < k; ++i) {
    double* l = Row(i);
    double v = work_[i];
    for (int j = p; j < i; ++j) {
      const double c = cosine[j];
      const double s = work_[j];
      const double old = l[j];
      l[j] = c * old + s * v;
      v = c * v - s * old;
    }
    const double radius = std::sqrt(l[i] * l[i] + v * v);
    cosine[i] = l[i] / radius;
    work_[i] = v / radius;
    l[i] = radius;
  }
}

void PrincipalFactor::Solve(double* y) {
  const int k = size();
  double* z = work_.data();
  for (int i = 0; i < k; ++i) {
    const double* l = Row(i);
    z[i] = (y[rows_[i]] - ConstVector(l, i).dot(ConstVector(z, i))) / l[i];
  }
  for (int i = k - 1; i >= 0; --i) {
    const double* l = Row(i);
    z[i] /= l[i];
    Vector(z, i) -= z[i] * ConstVector(l, i);
  }
  for (int i = 0; i < k; ++i) y[rows_[i]] = z[i];
}

}  // namespace nonsmooth
