// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "common/methods/interior/cone_newton.h"

namespace nonsmooth {
namespace {

constexpr double kHeld = 1e15;  // D of a row that is held; Â's diagonal is 1

}  // namespace

/// D = P Gᵀ(W⁻² + δ)G of one group.
void ConeNewton::FillBlock(int g) {
  const ConeProgram::Group& group = program_->groups()[g];
  const int m = group.size;
  double* block = &blocks_[system_.block_start(g)];
  std::fill(block, block + m * m, 0.0);
  double square[kMostConeSize * kMostConeSize];
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const ConeProgram::Cone& cone = program_->cones()[c];
    const double* matrix = program_->matrix(cone);
    scalings_[c].InverseSquare(square);
    for (int k = 0; k < cone.size; ++k) square[k * cone.size + k] += proximal_;
    for (int k = 0; k < cone.size; ++k) {
      for (int l = 0; l < cone.size; ++l) {
        const double weight = square[k * cone.size + l];
        for (int i = 0; i < m; ++i) {
          const double left = weight * matrix[k * m + i];
          if (left == 0) continue;
          for (int j = 0; j < m; ++j) block[i * m + j] += left * matrix[l * m + j];
        }
      }
    }
  }
  if (gradient_ != nullptr && group.parts > 0) {
    const double* gradient = &(*gradient_)[group.first_row];
    for (int j = 0; j < m; ++j) {
      for (int i = 1; i < m; ++i) block[j] -= gradient[i] * block[i * m + j];
    }
  }
  for (int i = 0; i < m; ++i) {
    if (program_->held(group.first_row + i)) {
      block[i * m + i] = kHeld;
    } else if (free_[group.first_row + i] != 0) {
      block[i * m + i] = proximal_;
    }
  }
}

/// D⁻¹ of one group as T · TᵀP⁻¹, T Tᵀ = (Gᵀ(W⁻² + δ)G)⁻¹.
void ConeNewton::FillRoot(int g) {
  const ConeProgram::Group& group = program_->groups()[g];
  const int m = group.size;
  double* root = &blocks_[system_.block_start(g)];
  std::fill(root, root + m * m, 0.0);
  if (group.diagonal) {
    double sum[kMostGroupRows] = {};
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const double* matrix = program_->matrix(program_->cones()[c]);
      double square;
      scalings_[c].InverseSquare(&square);
      for (int i = 0; i < m; ++i) sum[i] += square * matrix[i] * matrix[i];
    }
    for (int i = 0; i < m; ++i) {
      if (!program_->held(group.first_row + i)) {
        root[i * m + i] = 1 / std::sqrt(sum[i] + proximal_);
      }
    }
  } else if (group.one_cone) {
    const double* matrix = program_->matrix(program_->cones()[group.first_cone]);
    scalings_[group.first_cone].SoftRoot(proximal_, root);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) root[i * m + j] /= matrix[i * m + i];
    }
  } else {
    FillRootByQr(g, root);
  }
  if (gradient_ == nullptr) return;
  double* right = &right_blocks_[system_.block_start(g)];
  const double* gradient = &(*gradient_)[group.first_row];
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      right[i * m + j] = root[j * m + i] + (group.parts > 0 ? root[i] * gradient[j] : 0.0);
    }
  }
}

/// By QR of [W⁻¹G; √δ G], whose condition number is the root of D's.
void ConeNewton::FillRootByQr(int g, double* root) const {
  const ConeProgram::Group& group = program_->groups()[g];
  const int m = group.size;
  int live[kMostGroupRows];
  int columns = 0;
  for (int i = 0; i < m; ++i) {
    if (!program_->held(group.first_row + i)) live[columns++] = i;
  }
  int rows = 0;
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    rows += 2 * program_->cones()[c].size;
  }
  Eigen::MatrixXd stack(rows, columns);
  const double soft = std::sqrt(proximal_);
  int row = 0;
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const ConeProgram::Cone& cone = program_->cones()[c];
    const double* matrix = program_->matrix(cone);
    for (int j = 0; j < columns; ++j) {
      double column[kMostConeSize];
      for (int k = 0; k < cone.size; ++k) {
        column[k] = matrix[k * m + live[j]];
        stack(row + cone.size + k, j) = soft * column[k];
      }
      scalings_[c].ApplyInverse(column, column);
      for (int k = 0; k < cone.size; ++k) stack(row + k, j) = column[k];
    }
    row += 2 * cone.size;
  }
  // D = Π RᵀR Πᵀ, so that T = Π R⁻¹.
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(stack);
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(columns, columns);
  qr.matrixR().topRows(columns).triangularView<Eigen::Upper>().solveInPlace(inverse);
  inverse = qr.colsPermutation() * inverse;
  for (int i = 0; i < columns; ++i) {
    for (int j = 0; j < columns; ++j) root[live[i] * m + live[j]] = inverse(i, j);
  }
}

}  // namespace nonsmooth
