// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/sparse_dynamics.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <cmath>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

using SparseColumns = Eigen::SparseMatrix<double>;

Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> View(const CsrMatrix& matrix) {
  return {matrix.rows,          matrix.columns,     matrix.nonzeros(), matrix.row_start.data(),
          matrix.column.data(), matrix.value.data()};
}

void RequireFinite(const char* field, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Require(std::isfinite(values[i]), field, "[", i, "] = ", values[i], " is not finite");
  }
}

void ValidateSystem(const SparseSystem& system) {
  Validate("mass matrix", system.mass);
  Validate("jacobian", system.jacobian);
  Require(system.mass.rows == system.mass.columns, "mass matrix: ", system.mass.rows, " x ",
          system.mass.columns, " is not square");
  Require(system.jacobian.columns == system.mass.rows, "jacobian: ", system.jacobian.columns,
          " columns, but the mass matrix has ", system.mass.rows, " rows");
  const auto variables = static_cast<std::size_t>(system.mass.rows);
  const auto rows = static_cast<std::size_t>(system.jacobian.rows);
  RequireSize("sparse system", "velocity", system.velocity.size(), variables);
  RequireSize("sparse system", "applied_impulse", system.applied_impulse.size(), variables);
  RequireSize("sparse system", "bias", system.bias.size(), rows);
  RequireSize("sparse system", "compliance", system.compliance.size(), rows);
  RequireFinite("velocity", system.velocity);
  RequireFinite("applied_impulse", system.applied_impulse);
  RequireFinite("bias", system.bias);
  RequireFinite("compliance", system.compliance);
  for (std::size_t i = 0; i < rows; ++i) {
    Require(system.compliance[i] >= 0, "compliance[", i, "] = ", system.compliance[i],
            " is negative");
  }
}

/// Rounding in the engine's assembly is allowed for.
constexpr double kSymmetric = 1e-12;

}  // namespace

class SparseDynamics::Factorisation {
 public:
  explicit Factorisation(const CsrMatrix& mass) : symmetric_(Asymmetry(mass) <= kSymmetric) {
    const SparseColumns columns(View(mass));
    // A matrix that is positive definite without being symmetric is one whose symmetric part is.
    ldlt_.compute(symmetric_ ? columns : SparseColumns(0.5 * (columns + Transposed(columns))));
    Require(ldlt_.info() == Eigen::Success && (mass.rows == 0 || ldlt_.vectorD().minCoeff() > 0),
            "mass matrix: not positive definite");
    if (symmetric_) return;
    lu_.compute(columns);
    Require(lu_.info() == Eigen::Success, "mass matrix: cannot be factorised");
  }

  bool symmetric() const { return symmetric_; }

  /// v ← M⁻¹ v, step by step in the caller's scratch: Eigen's own solve() would allocate.
  void Solve(double* v, OperatorWorkspace& workspace) const {
    const Eigen::Index n = ldlt_.rows();
    workspace.impulse.resize(n);
    Eigen::Map<Eigen::VectorXd> map(v, n);
    Eigen::Map<Eigen::VectorXd> permuted(workspace.impulse.data(), n);
    if (!symmetric_) {
      permuted = map;
      map = lu_.solve(permuted);
      return;
    }
    permuted.noalias() = ldlt_.permutationP() * map;
    ldlt_.matrixL().solveInPlace(permuted);
    permuted.array() /= ldlt_.vectorD().array();
    ldlt_.matrixU().solveInPlace(permuted);
    map.noalias() = ldlt_.permutationPinv() * permuted;
  }

  SparseColumns Solve(const SparseColumns& right) const {
    if (symmetric_) return ldlt_.solve(right);
    return lu_.solve(right);
  }

 private:
  static SparseColumns Transposed(const SparseColumns& matrix) { return matrix.transpose(); }

  bool symmetric_;
  Eigen::SimplicialLDLT<SparseColumns> ldlt_;
  Eigen::SparseLU<SparseColumns> lu_;  ///< of a matrix that is not symmetric
};

SparseDynamics::SparseDynamics(SparseSystem system) : system_(std::move(system)) {
  ValidateSystem(system_);
  jacobian_transposed_ = Transpose(system_.jacobian);
  mass_ = std::make_unique<Factorisation>(system_.mass);

  OperatorWorkspace workspace;
  free_velocity_ = system_.applied_impulse;
  mass_->Solve(free_velocity_.data(), workspace);
  for (std::size_t i = 0; i < free_velocity_.size(); ++i) free_velocity_[i] += system_.velocity[i];
  bias_ = system_.bias;
  nonsmooth::Multiply(system_.jacobian, free_velocity_.data(), bias_.data(), /*add=*/true);
  diagonal_.resize(bias_.size());
  for (int i = 0; i < rows(); ++i) DiagonalBlock(i, 1, &diagonal_[i]);
}

SparseDynamics::~SparseDynamics() = default;

void SparseDynamics::FreeVelocity(double* v) const {
  std::copy(free_velocity_.begin(), free_velocity_.end(), v);
}

void SparseDynamics::Evaluate(const double* x, double* w, double* v,
                              OperatorWorkspace& workspace) const {
  Multiply(x, w, workspace);
  for (int i = 0; i < rows(); ++i) w[i] += bias_[i];
  std::copy(free_velocity_.begin(), free_velocity_.end(), v);
  for (std::size_t i = 0; i < free_velocity_.size(); ++i) v[i] += workspace.velocity[i];
}

void SparseDynamics::Multiply(const double* x, double* y, OperatorWorkspace& workspace) const {
  workspace.velocity.resize(system_.velocity.size());
  nonsmooth::Multiply(jacobian_transposed_, x, workspace.velocity.data());
  mass_->Solve(workspace.velocity.data(), workspace);
  for (int i = 0; i < rows(); ++i) y[i] = system_.compliance[i] * x[i];
  nonsmooth::Multiply(system_.jacobian, workspace.velocity.data(), y, /*add=*/true);
}

void SparseDynamics::DiagonalBlock(int first, int size, double* block) const {
  if (velocity_size() == 0) {  // Eigen's products of empty matrices read through null
    for (int k = 0; k < size * size; ++k) block[k] = 0;
    for (int i = 0; i < size; ++i) block[i * size + i] = system_.compliance[first + i];
    return;
  }
  const auto rows_of_block = View(system_.jacobian).middleRows(first, size);
  const SparseColumns right = SparseColumns(rows_of_block).transpose();
  const Eigen::MatrixXd dense = Eigen::MatrixXd(rows_of_block * mass_->Solve(right));
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      // Symmetric to the bit whatever the solve rounds.
      block[i * size + j] = mass_->symmetric() ? 0.5 * (dense(i, j) + dense(j, i)) : dense(i, j);
    }
    block[i * size + i] += system_.compliance[first + i];
  }
}

CsrMatrix SparseDynamics::Assemble() const {
  if (rows() == 0 || velocity_size() == 0) {
    std::vector<Triplet> diagonal(rows());
    for (int i = 0; i < rows(); ++i) diagonal[i] = {i, i, system_.compliance[i]};
    return FromTriplets("A", rows(), rows(), std::move(diagonal));
  }
  const SparseColumns right = SparseColumns(View(jacobian_transposed_));
  SparseColumns a = SparseColumns(View(system_.jacobian)) * mass_->Solve(right);
  // From here on the columns of this matrix are the rows of A.
  const SparseColumns transposed = a.transpose();
  a = mass_->symmetric() ? SparseColumns(0.5 * (a + transposed)) : transposed;
  CsrMatrix matrix{rows(), rows(), {0}, {}, {}};
  for (int i = 0; i < rows(); ++i) {
    bool has_diagonal = false;
    for (SparseColumns::InnerIterator it(a, i); it; ++it) {
      const int column = static_cast<int>(it.row());
      if (!has_diagonal && column > i) {
        matrix.column.push_back(i);
        matrix.value.push_back(system_.compliance[i]);
        has_diagonal = true;
      }
      has_diagonal = has_diagonal || column == i;
      matrix.column.push_back(column);
      matrix.value.push_back(it.value() + (column == i ? system_.compliance[i] : 0.0));
    }
    if (!has_diagonal) {
      matrix.column.push_back(i);
      matrix.value.push_back(system_.compliance[i]);
    }
    matrix.row_start.push_back(matrix.nonzeros());
  }
  return matrix;
}

}  // namespace nonsmooth
