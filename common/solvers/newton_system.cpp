// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/newton_system.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace nonsmooth {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

struct NewtonSystem::Dense {
  Matrix a;
  Matrix reduced;
  Vector right;
  Vector c;
  Vector ac;
  Eigen::PartialPivLU<Matrix> lu;
};

NewtonSystem::NewtonSystem() = default;
NewtonSystem::~NewtonSystem() = default;

void NewtonSystem::Prepare(const Problem& problem, const NewtonMap& map) {
  const CsrMatrix& a = problem.dynamics().Assembled();
  const std::vector<double>& scale = map.scale();
  const int n = a.rows;
  bias_.resize(n);
  for (int i = 0; i < n; ++i) bias_[i] = problem.dynamics().bias()[i] * scale[i];
  blocks_.resize(map.groups());
  offset_.resize(map.groups() + 1);
  if (dense_ == nullptr) dense_ = std::make_unique<Dense>();
  dense_->a.setZero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      dense_->a(i, a.column[k]) = scale[i] * a.value[k] * scale[a.column[k]];
    }
  }
}

void NewtonSystem::Multiply(const double* x, double* y) const {
  const int n = static_cast<int>(bias_.size());
  Eigen::Map<Vector>(y, n).noalias() = dense_->a * Eigen::Map<const Vector>(x, n);
}

void NewtonSystem::Velocity(const double* x, double* w) const {
  Multiply(x, w);
  for (std::size_t i = 0; i < bias_.size(); ++i) w[i] += bias_[i];
}

bool NewtonSystem::Solve(const NewtonMap& map, const double* x, const double* w, double rho,
                         double* dx) {
  Dense& dense = *dense_;
  const int n = map.rows();
  unknowns_ = 0;
  dense.c.resize(n);
  for (int g = 0; g < map.groups(); ++g) {
    const int first = map.first_row(g);
    offset_[g] = unknowns_;
    map.Linearise(g, x + first, w + first, blocks_[g]);
    unknowns_ += blocks_[g].size;
    for (int i = 0; i < map.size(g); ++i) dense.c[first + i] = blocks_[g].c[i];
  }
  offset_[map.groups()] = unknowns_;
  dense.ac.noalias() = dense.a * dense.c;
  dense.ac += rho * dense.c;
  const int m = unknowns_;
  dense.reduced.resize(m, m);
  dense.right.resize(m);
  double half[kMostGroupRows][kMostGroupRows];
  for (int g = 0; g < map.groups(); ++g) {
    const NewtonBlock& row = blocks_[g];
    if (row.size == 0) continue;
    const int rows = map.size(g);
    const int first = map.first_row(g);
    for (int j = 0; j < row.size; ++j) {
      double sum = row.d[j];
      for (int i = 0; i < rows; ++i) sum -= row.r[j][i] * dense.ac[first + i];
      dense.right[offset_[g] + j] = sum;
    }
    for (int h = 0; h < map.groups(); ++h) {
      const NewtonBlock& column = blocks_[h];
      if (column.size == 0) continue;
      const int columns = map.size(h);
      const int start = map.first_row(h);
      if (row.identity && column.identity) {
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < columns; ++j) {
            dense.reduced(offset_[g] + i, offset_[h] + j) = dense.a(first + i, start + j);
          }
        }
        continue;
      }
      for (int i = 0; i < rows; ++i) {
        const double* a = &dense.a(first + i, start);
        for (int j = 0; j < column.size; ++j) {
          double sum = 0;
          for (int k = 0; k < columns; ++k) sum += a[k] * column.t[k][j];
          half[i][j] = sum;
        }
      }
      for (int i = 0; i < row.size; ++i) {
        for (int j = 0; j < column.size; ++j) {
          double sum = 0;
          for (int k = 0; k < rows; ++k) sum += row.r[i][k] * half[k][j];
          dense.reduced(offset_[g] + i, offset_[h] + j) = sum;
        }
      }
    }
    for (int i = 0; i < row.size; ++i) {
      for (int j = 0; j < row.size; ++j) {
        double sum = row.s[i][j];
        for (int k = 0; k < rows; ++k) sum += rho * row.r[i][k] * row.t[k][j];
        dense.reduced(offset_[g] + i, offset_[g] + j) += sum;
      }
    }
  }
  if (m > 0) {
    dense.lu.compute(dense.reduced);
    dense.right = dense.lu.solve(dense.right).eval();
  }
  bool finite = true;
  for (int g = 0; g < map.groups(); ++g) {
    const NewtonBlock& block = blocks_[g];
    for (int i = 0; i < map.size(g); ++i) {
      double sum = block.c[i];
      for (int j = 0; j < block.size; ++j) sum += block.t[i][j] * dense.right[offset_[g] + j];
      dx[map.first_row(g) + i] = sum;
      finite = finite && std::isfinite(sum);
    }
  }
  return finite;
}

}  // namespace nonsmooth
