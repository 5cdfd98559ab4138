// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/pivoting/lemke_basis.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

/// Entries of a column below this share of its largest do not block.
constexpr double kLeastPivot = 1e-10;

/// Ratios that differ by less, relative to the scale of q, are equal.
constexpr double kTie = 1e-12;

/// Entries of the inverse that are taken to be equal.
constexpr double kLexicographicTie = 1e-11;

}  // namespace

void LemkeBasis::Start(int size, const double* matrix, const double* vector) {
  size_ = size;
  const auto n = static_cast<std::size_t>(size);
  columns_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) columns_[j * n + i] = matrix[i * n + j];
  }
  vector_.assign(vector, vector + size);
  value_ = vector_;
  inverse_.assign(n * n, 0.0);
  basic_.resize(n);
  for (int i = 0; i < size; ++i) {
    inverse_[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(i)] = 1;
    basic_[i] = i;
  }
  direction_.resize(n);
  row_.resize(n);
  ties_.reserve(n);
  entering_ = artificial();
  pivots_ = 0;
}

void LemkeBasis::FormColumn(int variable) {
  // I y − M z − 1 z₀ = q.
  Vector direction(direction_.data(), size_);
  if (variable < size_) {
    direction = ConstVector(InverseColumn(variable), size_);
    return;
  }
  direction.setZero();
  for (int k = 0; k < size_; ++k) {
    const double entry = variable == artificial()
                             ? 1.0
                             : columns_[static_cast<std::size_t>(variable - size_) *
                                            static_cast<std::size_t>(size_) +
                                        static_cast<std::size_t>(k)];
    if (entry != 0) direction -= entry * ConstVector(InverseColumn(k), size_);
  }
}

void LemkeBasis::LeastLexicographic() {
  for (int column = 0; column < size_ && ties_.size() > 1; ++column) {
    const double* inverse = InverseColumn(column);
    double least = std::numeric_limits<double>::infinity();
    for (int i : ties_) least = std::min(least, inverse[i] / direction_[i]);
    const double limit = least + kLexicographicTie * (1 + std::abs(least));
    ties_.erase(std::remove_if(ties_.begin(), ties_.end(),
                               [&](int i) { return inverse[i] / direction_[i] > limit; }),
                ties_.end());
  }
}

int LemkeBasis::LeavingRow() {
  const double largest = ConstVector(direction_.data(), size_).cwiseAbs().maxCoeff();
  const double floor = kLeastPivot * largest;
  double least = std::numeric_limits<double>::infinity();
  double scale = 0;
  for (int i = 0; i < size_; ++i) {
    scale = std::max(scale, std::abs(value_[i]));
    if (direction_[i] > floor) least = std::min(least, std::max(0.0, value_[i]) / direction_[i]);
  }
  if (!(least < std::numeric_limits<double>::infinity())) return -1;
  ties_.clear();
  for (int i = 0; i < size_; ++i) {
    if (!(direction_[i] > floor)) continue;
    if (value_[i] - least * direction_[i] > kTie * scale) continue;
    // The artificial variable leaves as soon as it can.
    if (basic_[i] == artificial()) return i;
    ties_.push_back(i);
  }
  LeastLexicographic();
  return ties_.front();
}

void LemkeBasis::Exchange(int row) {
  const double pivot = direction_[row];
  const double step = value_[row] / pivot;
  Vector direction(direction_.data(), size_);
  Vector(value_.data(), size_) -= step * direction;
  value_[row] = step;
  direction(row) = pivot - 1;  // then B⁻¹ −= d · (row / pivot) also divides the row itself
  for (int j = 0; j < size_; ++j) {
    double* column = InverseColumn(j);
    const double factor = column[row] / pivot;
    if (factor != 0) Vector(column, size_) -= factor * direction;
  }
  const int leaving = basic_[row];
  basic_[row] = entering_;
  entering_ = leaving < size_ ? leaving + size_ : leaving - size_;
}

LemkeBasis::Step LemkeBasis::Pivot() {
  if (entering_ == artificial()) {
    // The first pivot: the most negative q leaves, ties by the order of rows (B⁻¹ = I: of tied
    // rows −e_i / 1 is lexicographically least for the last).
    int row = 0;
    for (int i = 1; i < size_; ++i) {
      if (vector_[i] <= vector_[row]) row = i;
    }
    if (size_ == 0 || vector_[row] >= 0) return Step::kSolved;
    FormColumn(entering_);
    Exchange(row);
    return Step::kPivoted;
  }
  if (++pivots_ >= kReinversion) {
    Reinvert();
    pivots_ = 0;
  }
  FormColumn(entering_);
  const int row = LeavingRow();
  if (row < 0) return Step::kRay;
  const bool solved = basic_[row] == artificial();
  Exchange(row);
  return solved ? Step::kSolved : Step::kPivoted;
}

bool LemkeBasis::Reinvert() {
  // Rows whose y is not basic, α, determine the basic z: z = X q_α with X = (−M_αz)⁻¹. The basic y
  // follow: y_β = q_β + M_βz z.
  std::vector<char> basic_y(static_cast<std::size_t>(size_), 0);
  std::vector<int> z_row;  // positions in the basis
  for (int i = 0; i < size_; ++i) {
    if (basic_[i] < size_) {
      basic_y[basic_[i]] = 1;
    } else {
      z_row.push_back(i);
    }
  }
  std::vector<int> alpha;
  for (int j = 0; j < size_; ++j) {
    if (basic_y[j] == 0) alpha.push_back(j);
  }
  const int k = static_cast<int>(z_row.size());
  if (k == 0) return true;
  const auto n = static_cast<std::size_t>(size_);
  Eigen::MatrixXd all(size_, k);  // −(column of M) of the basic z
  for (int c = 0; c < k; ++c) {
    const int variable = basic_[z_row[c]];
    if (variable == artificial()) {
      all.col(c).setConstant(-1);
    } else {
      all.col(c) =
          -ConstVector(columns_.data() + static_cast<std::size_t>(variable - size_) * n, size_);
    }
  }
  Eigen::MatrixXd own(k, k);
  for (int r = 0; r < k; ++r) own.row(r) = all.row(alpha[r]);
  const Eigen::MatrixXd x = own.partialPivLu().inverse();
  if (!x.allFinite()) return false;
  const Eigen::MatrixXd others = -(all * x);
  std::fill(inverse_.begin(), inverse_.end(), 0.0);
  for (int c = 0; c < k; ++c) {
    double* column = InverseColumn(alpha[c]);
    for (int i = 0; i < size_; ++i) {
      if (basic_[i] < size_) column[i] = others(basic_[i], c);
    }
    for (int r = 0; r < k; ++r) column[z_row[r]] = x(r, c);
  }
  for (int i = 0; i < size_; ++i) {
    if (basic_[i] < size_) InverseColumn(basic_[i])[i] = 1;
  }
  Vector(value_.data(), size_) = Eigen::Map<const Eigen::MatrixXd>(inverse_.data(), size_, size_) *
                                 ConstVector(vector_.data(), size_);
  return true;
}

void LemkeBasis::Values(double* z) const {
  std::fill(z, z + size_, 0.0);
  for (int i = 0; i < size_; ++i) {
    const int variable = basic_[i];
    if (variable >= size_ && variable < artificial()) z[variable - size_] = value_[i];
  }
}

bool LemkeBasis::Polish(double* z, double regularisation, const double* vector) const {
  std::vector<int> basis;
  for (int variable : basic_) {
    if (variable >= size_ && variable < artificial()) basis.push_back(variable - size_);
  }
  std::sort(basis.begin(), basis.end());
  const int k = static_cast<int>(basis.size());
  Eigen::MatrixXd m(k, k);
  Eigen::VectorXd q(k);
  for (int j = 0; j < k; ++j) {
    const double* column =
        columns_.data() + static_cast<std::size_t>(basis[j]) * static_cast<std::size_t>(size_);
    for (int i = 0; i < k; ++i) m(i, j) = column[basis[i]];
    m(j, j) -= regularisation;
    q(j) = -(vector != nullptr ? vector[basis[j]] : vector_[basis[j]]);
  }
  if (k == 0) return false;
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(m);
  Eigen::VectorXd solution = lu.solve(q);
  solution += lu.solve(q - m * solution);
  if (!solution.allFinite()) return false;
  std::fill(z, z + size_, 0.0);
  for (int i = 0; i < k; ++i) z[basis[i]] = solution(i);
  return true;
}

}  // namespace nonsmooth
