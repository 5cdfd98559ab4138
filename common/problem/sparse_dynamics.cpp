// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/sparse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/problem/mass_factor.h"
#include "common/util/check.h"

namespace nonsmooth {
namespace {

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

}  // namespace

SparseDynamics::SparseDynamics(SparseSystem system) : system_(std::move(system)) {
  ValidateSystem(system_);
  jacobian_transposed_ = Transpose(system_.jacobian);
  mass_ = std::make_unique<MassFactor>(system_.mass);
  mass_->Split(system_.jacobian, &left_, &right_);

  std::vector<double> scratch;
  free_velocity_ = system_.applied_impulse;
  mass_->Solve(free_velocity_.data(), scratch);
  for (std::size_t i = 0; i < free_velocity_.size(); ++i) free_velocity_[i] += system_.velocity[i];
  bias_ = system_.bias;
  nonsmooth::Multiply(system_.jacobian, free_velocity_.data(), bias_.data(), /*add=*/true);
  diagonal_.resize(bias_.size());
  for (int i = 0; i < rows(); ++i) SparseDynamics::DiagonalBlock(i, 1, &diagonal_[i]);
}

SparseDynamics::SparseDynamics() = default;
SparseDynamics::~SparseDynamics() = default;

void SparseDynamics::FreeVelocity(double* v) const {
  std::copy(free_velocity_.begin(), free_velocity_.end(), v);
}

double SparseDynamics::FreeKineticEnergy() const {
  double sum = 0;
  for (int i = 0; i < system_.mass.rows; ++i) {
    double momentum = 0;
    for (int k = system_.mass.row_start[i]; k < system_.mass.row_start[i + 1]; ++k) {
      momentum += system_.mass.value[k] * free_velocity_[system_.mass.column[k]];
    }
    sum += 0.5 * free_velocity_[i] * momentum;
  }
  return sum;
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
  mass_->Solve(workspace.velocity.data(), workspace.impulse);
  for (int i = 0; i < rows(); ++i) y[i] = system_.compliance[i] * x[i];
  nonsmooth::Multiply(system_.jacobian, workspace.velocity.data(), y, /*add=*/true);
}

void SparseDynamics::DiagonalBlock(int first, int size, double* block) const {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      block[i * size + j] = DotRows(left_, first + i, right(), first + j);
    }
    block[i * size + i] += system_.compliance[first + i];
  }
}

void SparseDynamics::Assemble(CsrMatrix& matrix) const {
  MultiplyTransposed(left_, right(), system_.compliance, matrix);
}

}  // namespace nonsmooth
