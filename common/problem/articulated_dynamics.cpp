// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/articulated_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

void RequireFinite(const char* field, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Require(std::isfinite(values[i]), field, "[", i, "] = ", values[i], " is not finite");
  }
}

void ValidateSystem(const ArticulatedSystem& system) {
  const CsrMatrix& root = system.mass_root;
  Validate("mass root", root);
  Validate("jacobian", system.jacobian);
  Require(root.rows == root.columns, "mass root: ", root.rows, " x ", root.columns,
          " is not square");
  for (int i = 0; i < root.rows; ++i) {
    const int last = root.row_start[i + 1] - 1;
    Require(last < root.row_start[i] || root.column[last] <= i, "mass root: row ", i,
            " has column ", last < 0 ? 0 : root.column[last], ", but it is lower triangular");
  }
  Require(system.jacobian.columns == root.rows, "jacobian: ", system.jacobian.columns,
          " columns, but the mass root has ", root.rows, " rows");
  const auto variables = static_cast<std::size_t>(root.rows);
  const auto rows = static_cast<std::size_t>(system.jacobian.rows);
  RequireSize("articulated system", "velocity", system.velocity.size(), variables);
  RequireSize("articulated system", "applied_impulse", system.applied_impulse.size(), variables);
  RequireSize("articulated system", "bias", system.bias.size(), rows);
  RequireSize("articulated system", "compliance", system.compliance.size(), rows);
  RequireFinite("velocity", system.velocity);
  RequireFinite("applied_impulse", system.applied_impulse);
  RequireFinite("bias", system.bias);
  RequireFinite("compliance", system.compliance);
  for (std::size_t i = 0; i < rows; ++i) {
    Require(system.compliance[i] >= 0, "compliance[", i, "] = ", system.compliance[i],
            " is negative");
  }
}

/// y ← y + matrixᵀ x.
void AddTransposed(const CsrMatrix& matrix, const double* x, double* y) {
  for (int i = 0; i < matrix.rows; ++i) {
    if (x[i] == 0) continue;
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      y[matrix.column[k]] += matrix.value[k] * x[i];
    }
  }
}

}  // namespace

ArticulatedDynamics::ArticulatedDynamics(ArticulatedSystem system) : system_(std::move(system)) {
  Make(Bias::kOwn);
}

std::shared_ptr<ArticulatedDynamics> ArticulatedDynamics::FromFreeBias(ArticulatedSystem system,
                                                                       bool in_float) {
  const std::shared_ptr<ArticulatedDynamics> dynamics(new ArticulatedDynamics);
  dynamics->BecomeFromFreeBias(system, in_float);
  return dynamics;
}

void ArticulatedDynamics::BecomeFromFreeBias(ArticulatedSystem& system, bool in_float) {
  std::swap(system_, system);
  ForgetAssembled();
  bias_.clear();
  diagonal_.clear();
  Make(in_float ? Bias::kFreeInFloat : Bias::kFree);
}

void ArticulatedDynamics::Make(Bias given) {
  ValidateSystem(system_);
  sum_.assign(system_.velocity.size(), 0.0);
  MakeFreeVelocity();
  MakeScaledJacobian();
  const int rows = system_.jacobian.rows;
  bias_.resize(rows);
  nonsmooth::Multiply(system_.jacobian, free_velocity_.data(), bias_.data());
  for (int i = 0; i < rows; ++i) {
    double& bias = system_.bias[i];
    if (given != Bias::kOwn) bias -= bias_[i];
    if (given == Bias::kFreeInFloat) bias = static_cast<float>(bias);
    bias_[i] += bias;
  }
  diagonal_.resize(rows);
  for (int i = 0; i < rows; ++i) {
    diagonal_[i] = DotRows(scaled_, i, scaled_, i) + system_.compliance[i];
    Require(std::isfinite(diagonal_[i]) && std::isfinite(bias_[i]), "row ", i,
            ": its effective mass or free velocity is beyond all numbers");
  }
}

void ArticulatedDynamics::MakeFreeVelocity() {
  free_velocity_ = system_.velocity;
  AddTransposed(system_.mass_root, system_.applied_impulse.data(), sum_.data());
  nonsmooth::Multiply(system_.mass_root, sum_.data(), free_velocity_.data(), /*add=*/true);
  std::fill(sum_.begin(), sum_.end(), 0.0);
}

void ArticulatedDynamics::MakeScaledJacobian() {
  const CsrMatrix& root = system_.mass_root;
  const CsrMatrix& jacobian = system_.jacobian;
  scaled_.Reset(jacobian.rows, jacobian.columns);
  touched_by_.assign(sum_.size(), -1);
  for (int i = 0; i < jacobian.rows; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(scaled_.column.size());
    for (int k = jacobian.row_start[i]; k < jacobian.row_start[i + 1]; ++k) {
      const double entry = jacobian.value[k];
      if (entry == 0) continue;
      const int variable = jacobian.column[k];
      for (int m = root.row_start[variable]; m < root.row_start[variable + 1]; ++m) {
        const int column = root.column[m];
        if (root.value[m] == 0) continue;
        if (touched_by_[column] != i) scaled_.column.push_back(column);
        touched_by_[column] = i;
        sum_[column] += entry * root.value[m];
      }
    }
    std::sort(scaled_.column.begin() + first, scaled_.column.end());
    for (std::size_t k = scaled_.value.size(); k < scaled_.column.size(); ++k) {
      scaled_.value.push_back(sum_[scaled_.column[k]]);
      sum_[scaled_.column[k]] = 0;
    }
    scaled_.row_start.push_back(scaled_.nonzeros());
  }
}

void ArticulatedDynamics::FreeVelocity(double* v) const {
  std::copy(free_velocity_.begin(), free_velocity_.end(), v);
}

double ArticulatedDynamics::FreeKineticEnergy() const {
  // ½ |y|² of R y = v_free. What cannot move has a velocity, but no energy of this system.
  const CsrMatrix& root = system_.mass_root;
  static thread_local std::vector<double> y;  // asked for in every solve, which is not to allocate
  y.assign(free_velocity_.size(), 0.0);
  double sum = 0;
  for (int i = 0; i < root.rows; ++i) {
    double rest = free_velocity_[i];
    for (int k = root.row_start[i]; k < root.row_start[i + 1]; ++k) {
      if (root.column[k] < i) rest -= root.value[k] * y[root.column[k]];
    }
    const int last = root.row_start[i + 1] - 1;
    const bool moves = last >= root.row_start[i] && root.column[last] == i && root.value[last] != 0;
    if (moves) y[i] = rest / root.value[last];
    sum += 0.5 * y[i] * y[i];
  }
  return sum;
}

void ArticulatedDynamics::Multiply(const double* x, double* y, OperatorWorkspace& workspace) const {
  workspace.velocity.assign(system_.velocity.size(), 0.0);
  AddTransposed(scaled_, x, workspace.velocity.data());
  for (int i = 0; i < rows(); ++i) y[i] = system_.compliance[i] * x[i];
  nonsmooth::Multiply(scaled_, workspace.velocity.data(), y, /*add=*/true);
}

void ArticulatedDynamics::Evaluate(const double* x, double* w, double* v,
                                   OperatorWorkspace& workspace) const {
  Multiply(x, w, workspace);
  for (int i = 0; i < rows(); ++i) w[i] += bias_[i];
  FreeVelocity(v);
  nonsmooth::Multiply(system_.mass_root, workspace.velocity.data(), v, /*add=*/true);
}

void ArticulatedDynamics::DiagonalBlock(int first, int size, double* block) const {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j <= i; ++j) {
      double a = DotRows(scaled_, first + i, scaled_, first + j);
      if (i == j) a += system_.compliance[first + i];
      block[i * size + j] = a;
      block[j * size + i] = a;
    }
  }
}

void ArticulatedDynamics::Assemble(CsrMatrix& matrix) const {
  MultiplyTransposed(scaled_, scaled_, system_.compliance, matrix);
}

}  // namespace nonsmooth
