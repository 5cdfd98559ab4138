// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/cone_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kOnBoundary = 4e-16;
constexpr double kInverseProximal = 100;
constexpr int kRefinements = 6;
constexpr double kRefined = 1e-12;  // of the right-hand side

}  // namespace

void ConeStep::Resize(const ConeProgram& program) {
  x.resize(program.rows());
  s.resize(program.components());
  z.resize(program.components());
}

void ConeStep::Add(double factor, const ConeStep& other) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * other.x[i];
  for (std::size_t i = 0; i < s.size(); ++i) s[i] += factor * other.s[i];
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += factor * other.z[i];
}

void ConeNewton::Prepare(const FeasibleSet& set, const ConeProgram& program, double proximal) {
  program_ = &program;
  dynamics_ = &set.problem().dynamics();
  system_.Prepare(set.problem(), program.scale().data());
  // Where D is inverted, the square of 1/δ is what the factors' rounding grows by.
  proximal_ = system_.prefers_inverse() ? kInverseProximal * proximal : proximal;
  const int n = program.rows();
  for (auto* v : {&right_, &residual_, &update_, &rows_a_, &rows_b_}) v->resize(n);
  for (auto* v : {&lambda_, &components_}) v->resize(program.components());
  // Rows without a cone, such as those of joints, have nothing but the proximal term.
  free_.assign(n, 1);
  for (const ConeProgram::Group& group : program.groups()) {
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const ConeProgram::Cone& cone = program.cones()[c];
      const double* matrix = program.matrix(cone);
      for (int k = 0; k < cone.size * group.size; ++k) {
        if (matrix[k] != 0) free_[group.first_row + k % group.size] = 0;
      }
    }
  }
  scalings_.resize(program.cones().size());
  blocks_.resize(system_.block_values());
  right_blocks_.resize(system_.block_values());
}

bool ConeNewton::Factorise(std::vector<double>& s, std::vector<double>& z,
                           const std::vector<double>* gradient) {
  gradient_ = gradient;
  for (std::size_t c = 0; c < program_->cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_->cones()[c];
    double* at_s = &s[cone.first];
    double* at_z = &z[cone.first];
    if (!scalings_[c].Reset(cone.size, at_s, at_z)) {
      // On the boundary by rounding: as far inside as numbers can tell.
      PushInside(cone.size, kOnBoundary * std::abs(at_s[0]), at_s);
      PushInside(cone.size, kOnBoundary * std::abs(at_z[0]), at_z);
      if (!scalings_[c].Reset(cone.size, at_s, at_z)) return false;
    }
    scalings_[c].Apply(at_z, &lambda_[cone.first]);
  }
  const int groups = static_cast<int>(program_->groups().size());
  if (!system_.prefers_inverse()) {
    for (int g = 0; g < groups; ++g) FillBlock(g);
    return system_.Factorise(blocks_.data(), gradient_ == nullptr);
  }
  for (int g = 0; g < groups; ++g) FillRoot(g);
  return system_.FactoriseInverse(blocks_.data(),
                                  gradient_ != nullptr ? right_blocks_.data() : nullptr);
}

/// rows ← P Gᵀ c.
void ConeNewton::ToRows(const std::vector<double>& components, double* rows) const {
  program_->Transpose(components.data(), rows);
  for (int i = 0; i < program_->rows(); ++i) {
    if (program_->held(i)) rows[i] = 0;
  }
  if (gradient_ == nullptr) return;
  for (const ConeProgram::Group& group : program_->groups()) {
    if (group.parts == 0) continue;
    double sum = 0;
    for (int i = 1; i < group.size; ++i) {
      sum += (*gradient_)[group.first_row + i] * rows[group.first_row + i];
    }
    rows[group.first_row] -= sum;
  }
}

/// out ← (Â + P GᵀW⁻²G) dx, W⁻¹ applied twice instead of W⁻², which keeps the digits.
void ConeNewton::TimesMatrix(const double* dx, double* out) {
  program_->Slack(dx, true, components_.data());
  for (std::size_t c = 0; c < program_->cones().size(); ++c) {
    double* at = &components_[program_->cones()[c].first];
    double once[kMostConeSize];
    scalings_[c].ApplyInverse(at, once);
    scalings_[c].ApplyInverse(once, once);
    for (int i = 0; i < program_->cones()[c].size; ++i) at[i] = once[i] + proximal_ * at[i];
  }
  ToRows(components_, out);
  const std::vector<double>& scale = program_->scale();
  for (int i = 0; i < program_->rows(); ++i) rows_a_[i] = scale[i] * dx[i];
  dynamics_->Multiply(rows_a_.data(), rows_b_.data(), workspace_);
  for (int i = 0; i < program_->rows(); ++i) {
    out[i] = program_->held(i) ? 0.0 : out[i] + scale[i] * rows_b_[i];
    if (free_[i] != 0) out[i] += proximal_ * dx[i];
  }
}

void ConeNewton::Solve(const std::vector<double>* r_x, const std::vector<double>* r_s,
                       const std::vector<double>& rho, ConeStep* step) {
  for (std::size_t c = 0; c < program_->cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_->cones()[c];
    double* at = &components_[cone.first];
    if (r_s != nullptr) {
      scalings_[c].ApplyInverse(&(*r_s)[cone.first], at);
      for (int i = 0; i < cone.size; ++i) at[i] = rho[cone.first + i] - at[i];
    } else {
      std::copy_n(&rho[cone.first], cone.size, at);
    }
    scalings_[c].ApplyInverse(at, at);
  }
  const int n = program_->rows();
  ToRows(components_, right_.data());
  double size = 0;
  for (int i = 0; i < n; ++i) {
    if (r_x != nullptr) right_[i] -= (*r_x)[i];
    size += right_[i] * right_[i];
  }
  std::vector<double>& dx = step->x;
  system_.Solve(right_.data(), dx.data());
  double error = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kRefinements; ++k) {
    TimesMatrix(dx.data(), residual_.data());
    const double before = error;
    error = 0;
    for (int i = 0; i < n; ++i) {
      residual_[i] = right_[i] - residual_[i];
      error += residual_[i] * residual_[i];
    }
    if (error >= before) {  // worse: the last one is taken back
      for (int i = 0; i < n; ++i) dx[i] -= update_[i];
      break;
    }
    if (!(error > kRefined * kRefined * size)) break;
    system_.Solve(residual_.data(), update_.data());
    for (int i = 0; i < n; ++i) dx[i] += update_[i];
  }
  program_->Slack(dx.data(), true, step->s.data());
  if (r_s != nullptr) {
    for (std::size_t i = 0; i < step->s.size(); ++i) step->s[i] += (*r_s)[i];
  }
  for (std::size_t c = 0; c < program_->cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_->cones()[c];
    double* at = &step->z[cone.first];
    scalings_[c].ApplyInverse(&step->s[cone.first], at);
    for (int i = 0; i < cone.size; ++i) at[i] = rho[cone.first + i] - at[i];
    scalings_[c].ApplyInverse(at, at);
  }
}

}  // namespace nonsmooth
