// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/linalg/anderson.h"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

constexpr int kMostMemory = 32;
constexpr double kTolerableRise = 2;

/// Added to the diagonal of the normal equations, relative to their trace: keeps nearly dependent
/// columns from blowing the mixture up.
constexpr double kRegularisation = 1e-10;

}  // namespace

void Anderson::Prepare(const std::vector<double>& weights, int memory) {
  weights_ = &weights;
  size_ = weights.size();
  memory_ = std::min(memory, kMostMemory);
  f_.resize(size_);
  g_.resize(size_);
  f_change_.resize(size_ * memory_);
  g_change_.resize(size_ * memory_);
  gram_.resize(memory_ * memory_);
  Restart();
}

void Anderson::Restart() {
  used_ = 0;
  newest_ = -1;
  has_last_ = false;
  mixed_ = false;
}

double Anderson::Dot(const double* a, const double* b) const {
  const double* weight = weights_->data();
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += weight[i] * a[i] * b[i];
  return sum;
}

bool Anderson::Mix(const std::vector<double>& g, std::vector<double>& z) {
  for (std::size_t i = 0; i < size_; ++i) z[i] = g[i] - z[i];  // f
  residual_ = std::sqrt(Dot(z.data(), z.data()));
  if (memory_ == 0) {
    std::copy(g.begin(), g.end(), z.begin());
    return false;
  }
  if (mixed_ && !(residual_ <= kTolerableRise * last_residual_)) {
    std::copy(g_.begin(), g_.end(), z.begin());
    Restart();
    return false;
  }
  last_residual_ = residual_;
  if (has_last_) {
    newest_ = (newest_ + 1) % memory_;
    used_ = std::min(used_ + 1, memory_);
    double* df = Column(f_change_, newest_);
    double* dg = Column(g_change_, newest_);
    for (std::size_t i = 0; i < size_; ++i) {
      df[i] = z[i] - f_[i];
      dg[i] = g[i] - g_[i];
    }
    for (int k = 0; k < used_; ++k) {
      const double product = Dot(df, Column(f_change_, k));
      gram_[newest_ * memory_ + k] = gram_[k * memory_ + newest_] = product;
    }
  }
  std::copy(z.begin(), z.end(), f_.begin());
  std::copy(g.begin(), g.end(), g_.begin());
  has_last_ = true;
  std::copy(g.begin(), g.end(), z.begin());
  mixed_ = false;
  if (used_ == 0) return false;

  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostMemory, kMostMemory>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostMemory, 1>;
  Matrix gram(used_, used_);
  Vector right(used_);
  for (int k = 0; k < used_; ++k) {
    for (int j = 0; j < used_; ++j) gram(k, j) = gram_[k * memory_ + j];
    right[k] = Dot(Column(f_change_, k), f_.data());
  }
  gram.diagonal().array() += kRegularisation * gram.trace() / used_;
  const Vector share = Eigen::LDLT<Matrix>(gram).solve(right);
  if (!share.allFinite()) {
    Restart();
    return false;
  }
  for (int k = 0; k < used_; ++k) {
    const double* dg = Column(g_change_, k);
    for (std::size_t i = 0; i < size_; ++i) z[i] -= share[k] * dg[i];
  }
  mixed_ = true;
  return true;
}

}  // namespace nonsmooth
