// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/matrix_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

/// block ← the size × size part of `matrix` that starts at (first, first).
void ExtractBlock(const CsrMatrix& matrix, int first, int size, double* block) {
  std::fill(block, block + size * size, 0.0);
  for (int i = 0; i < size; ++i) {
    for (int k = matrix.row_start[first + i]; k < matrix.row_start[first + i + 1]; ++k) {
      const int column = matrix.column[k] - first;
      if (column >= 0 && column < size) block[i * size + column] = matrix.value[k];
    }
  }
}

}  // namespace

MatrixDynamics::MatrixDynamics(CsrMatrix a, std::vector<double> b) : a_(std::move(a)) {
  Validate("matrix A", a_);
  Require(a_.rows == a_.columns, "matrix A: ", a_.rows, " x ", a_.columns, " is not square");
  RequireSize("problem", "b", b.size(), static_cast<std::size_t>(a_.rows));
  bias_ = std::move(b);
  diagonal_.resize(bias_.size());
  for (int i = 0; i < a_.rows; ++i) {
    Require(std::isfinite(bias_[i]), "b[", i, "] = ", bias_[i], " is not finite");
    ExtractBlock(a_, i, 1, &diagonal_[i]);
    Require(diagonal_[i] >= 0, "matrix A: diagonal entry ", i, " = ", diagonal_[i], " is negative");
  }
}

void MatrixDynamics::Multiply(const double* x, double* y, OperatorWorkspace& /*workspace*/) const {
  nonsmooth::Multiply(a_, x, y);
}

void MatrixDynamics::Evaluate(const double* x, double* w, double* /*v*/,
                              OperatorWorkspace& workspace) const {
  ConstraintVelocity(x, w, workspace);
}

void MatrixDynamics::DiagonalBlock(int first, int size, double* block) const {
  ExtractBlock(a_, first, size, block);
}

}  // namespace nonsmooth
