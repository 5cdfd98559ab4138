// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/ip.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kHeld = 1e15;      // D of a row that is held; Â's diagonal is 1
constexpr double kBallast = 1e-13;  // on D where Â + D is factorised itself
constexpr double kBlockRounding =
    1e-14;  // eigenvalues of D below this share of its largest are not known
constexpr int kRefinements = 2;
constexpr double kRefined = 1e-10;  // of the right-hand side
constexpr double kShortStep = 0.02;
constexpr int kPatience = 12;  // iterations without a better iterate
constexpr int kRestarts = 3;

double SquaredNorm(const std::vector<double>& v) {
  double sum = 0;
  for (double value : v) sum += value * value;
  return sum;
}

/// block ← its inverse over the rows that are not held, 0 in those; m ≤ N. Eigenvalues that are
/// lost in rounding are raised to it: what is definite stays so.
template <int N>
void InvertSymmetric(int m, const bool* held, double* block) {
  Eigen::Matrix<double, N, N> d = Eigen::Matrix<double, N, N>::Identity();
  double largest = 0;
  for (int i = 0; i < m; ++i) largest = std::max(largest, block[i * m + i]);
  d *= largest;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      if (!held[i] && !held[j]) d(i, j) = block[i * m + j];
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> eigen(d);
  const double floor = std::max(kBlockRounding * eigen.eigenvalues().maxCoeff(), 1e-300);
  const Eigen::Matrix<double, N, 1> values = eigen.eigenvalues().cwiseMax(floor).cwiseInverse();
  d = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) block[i * m + j] = held[i] || held[j] ? 0.0 : d(i, j);
  }
}

}  // namespace

OptionFields IpSolver::Options() {
  return {
      {"start", "-", "starting point: 0 central, 1 Nocedal's, 2 D'Apuzzo's", &options_.start, 0, 2},
      {"warm_start", "-", "taken from a given start: 0 nothing, 1 velocities, 2 impulses too",
       &options_.warm_start, 0, 2},
      {"newton_shift", "-", "De Saxce's term in the Newton matrix", &options_.newton_shift},
      {"step_fraction", "-", "least share of the way to the boundary that a step takes",
       &options_.step_fraction, 0.1, 0.999},
      {"proximal", "-", "proximal term on equality rows, relative to A's diagonal",
       &options_.proximal, 1e-14, 1},
  };
}

void IpSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  program_.Prepare(set);
  system_.Prepare(set.problem(), program_.scale().data());
  unsymmetric_ = options_.newton_shift && program_.shifted();
  const int n = program_.rows();
  for (auto* v : {&x_, &w_, &w_rows_, &r_x_, &dx_, &gz_, &rows_a_, &rows_b_, &rows_c_})
    v->resize(n);
  for (auto* v : {&s_, &z_, &lambda_, &r_s_, &ds_, &dz_, &rho_, &components_}) {
    v->resize(program_.components());
  }
  gradient_.assign(n, 0.0);
  scalings_.resize(program_.cones().size());
  blocks_.resize(system_.block_values());
}

double IpSolver::Gap() const {
  double sum = 0;
  for (std::size_t i = 0; i < s_.size(); ++i) sum += s_[i] * z_[i];
  return program_.cones().empty() ? 0.0 : sum / static_cast<double>(program_.cones().size());
}

void IpSolver::Evaluate(std::vector<double>& x) {
  program_.Unscale(x_.data(), x.data());
  set_->problem().dynamics().ConstraintVelocity(x.data(), w_rows_.data(), workspace_);
  program_.ScaleVelocity(w_rows_.data(), w_.data());
}

void IpSolver::Residuals() {
  program_.Slack(x_.data(), false, r_s_.data());
  for (std::size_t i = 0; i < r_s_.size(); ++i) r_s_[i] -= s_[i];
  program_.Transpose(z_.data(), gz_.data());
  for (std::size_t i = 0; i < r_x_.size(); ++i) {
    r_x_[i] = program_.held(static_cast<int>(i)) ? 0.0 : w_[i] - gz_[i];
  }
  if (!program_.shifted()) return;
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    const ConeProgram::Group& group = program_.groups()[g];
    if (group.parts == 0) continue;
    // Of the multipliers' velocities: its derivative then stays within the group.
    r_x_[group.first_row] += program_.Shift(g, &gz_[group.first_row],
                                            unsymmetric_ ? &gradient_[group.first_row] : nullptr);
  }
}

/// s and z from x̂ and ŵ: on the central path at τ.
void IpSolver::Centre(double tau) {
  program_.Slack(x_.data(), false, s_.data());
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    program_.Multipliers(g, &w_[program_.groups()[g].first_row], z_.data());
  }
  for (const ConeProgram::Cone& cone : program_.cones()) {
    double p[kMostConeSize];
    for (int i = 0; i < cone.size; ++i) p[i] = s_[cone.first + i] - z_[cone.first + i];
    CentralPair(cone.size, tau, p, &s_[cone.first], &z_[cone.first]);
  }
}

/// Mean square of s − (s − z)₊ for the s and z that x̂ and ŵ stand for.
double IpSolver::NaturalResidual() {
  program_.Slack(x_.data(), false, s_.data());
  double sum = 0;
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    program_.Multipliers(g, &w_[program_.groups()[g].first_row], z_.data());
  }
  for (const ConeProgram::Cone& cone : program_.cones()) {
    double p[kMostConeSize], positive[kMostConeSize], negative[kMostConeSize];
    for (int i = 0; i < cone.size; ++i) p[i] = s_[cone.first + i] - z_[cone.first + i];
    CentralPair(cone.size, 0, p, positive, negative);
    for (int i = 0; i < cone.size; ++i) {
      const double r = s_[cone.first + i] - positive[i];
      sum += r * r;
    }
  }
  return program_.cones().empty() ? 0.0 : sum / static_cast<double>(program_.cones().size());
}

/// Eq. (21): an affine step from s = z = e, then into the interior.
void IpSolver::StartByAffineStep() {
  for (const ConeProgram::Cone& cone : program_.cones()) {
    for (int i = 0; i < cone.size; ++i) s_[cone.first + i] = z_[cone.first + i] = i == 0 ? 1 : 0;
  }
  Residuals();
  if (!Factorise()) return;
  Predict();
  for (const ConeProgram::Cone& cone : program_.cones()) {
    for (int i = cone.first; i < cone.first + cone.size; ++i) {
      s_[i] += ds_[i];
      z_[i] += dz_[i];
    }
    PushInside(cone.size, 1, &s_[cone.first]);
    PushInside(cone.size, 1, &z_[cone.first]);
  }
}

/// Eq. (22): z (the paper's y) from the velocities, s (its λ) the inverse of it.
void IpSolver::StartByVelocities() {
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    program_.Multipliers(g, &w_[program_.groups()[g].first_row], z_.data());
  }
  for (const ConeProgram::Cone& cone : program_.cones()) {
    double* z = &z_[cone.first];
    // max(1, ·) on eigenvalues: into the cone first, then above 1.
    double none[kMostConeSize];
    CentralPair(cone.size, 0, z, z, none);
    PushInside(cone.size, 1, z);
    const double e[kMostConeSize] = {1, 0, 0};
    JordanDivide(cone.size, z, e, &s_[cone.first]);
  }
}

void IpSolver::Start(const std::vector<double>& x) {
  const bool given = options_.warm_start > 0 &&
                     std::any_of(x.begin(), x.end(), [](double value) { return value != 0; });
  std::vector<double>& start = rows_a_;
  start.assign(x.begin(), x.end());
  if (!given) std::fill(start.begin(), start.end(), 0.0);
  program_.Scale(start.data(), x_.data());
  Evaluate(start);
  const bool full = given && options_.warm_start == 2;
  if (full) {
    // As far from the boundary as the start is from a solution.
    const double residual = NaturalResidual();
    Centre(std::clamp(residual, 1e-14, 1.0));
    return;
  }
  if (given) std::fill(x_.begin(), x_.end(), 0.0);  // velocities alone are kept
  if (options_.start == 1) {
    StartByAffineStep();
  } else if (options_.start == 2) {
    StartByVelocities();
  } else {
    Centre(1);
  }
  if (given) Evaluate(start);
}

/// D = P GᵀW⁻²G of one group, or its inverse.
void IpSolver::FillBlock(int g, bool inverse) {
  const ConeProgram::Group& group = program_.groups()[g];
  const int m = group.size;
  double* block = &blocks_[system_.block_start(g)];
  std::fill(block, block + m * m, 0.0);
  double square[kMostConeSize * kMostConeSize];
  const double* gradient = &gradient_[group.first_row];
  if (inverse && group.one_cone && group.cones == 1 && m > 1) {
    const ConeProgram::Cone& cone = program_.cones()[group.first_cone];
    const double* matrix = program_.matrix(cone);
    scalings_[group.first_cone].Square(square);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        block[i * m + j] = square[i * m + j] / (matrix[i * m + i] * matrix[j * m + j]);
      }
    }
    if (unsymmetric_ && group.parts > 0) {
      for (int i = 0; i < m; ++i) {
        for (int j = 1; j < m; ++j) block[i * m + j] += block[i * m] * gradient[j];
      }
    }
    return;
  }
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    const double* matrix = program_.matrix(cone);
    scalings_[c].InverseSquare(square);
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
  const bool equality = group.cones == 0;
  if (group.diagonal) {
    for (int i = 0; i < m; ++i) {
      double& value = block[i * m + i];
      const bool held = program_.held(group.first_row + i);
      if (!held && (equality || value < options_.proximal))
        value = std::max(value, options_.proximal);
      if (inverse) {
        value = held ? 0.0 : 1 / value;
      } else if (held) {
        value = kHeld;
      }
    }
    return;
  }
  if (inverse) {
    bool held[kMostGroupRows];
    for (int i = 0; i < m; ++i) held[i] = program_.held(group.first_row + i);
    if (m <= 3) {
      InvertSymmetric<3>(m, held, block);
    } else {
      InvertSymmetric<kMostGroupRows>(m, held, block);
    }
    if (unsymmetric_ && group.parts > 0) {
      for (int i = 0; i < m; ++i) {
        for (int j = 1; j < m; ++j) block[i * m + j] += block[i * m] * gradient[j];
      }
    }
    return;
  }
  if (unsymmetric_ && group.parts > 0) {
    for (int j = 0; j < m; ++j) {
      double sum = 0;
      for (int i = 1; i < m; ++i) sum += gradient[i] * block[i * m + j];
      block[j] -= sum;
    }
  }
  for (int i = 0; i < m; ++i) {
    block[i * m + i] += program_.held(group.first_row + i) ? kHeld : kBallast;
  }
}

bool IpSolver::Factorise() {
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    if (!scalings_[c].Reset(cone.size, &s_[cone.first], &z_[cone.first])) return false;
    scalings_[c].Apply(&z_[cone.first], &lambda_[cone.first]);
  }
  const bool inverse = system_.prefers_inverse();
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) FillBlock(g, inverse);
  return system_.Factorise(blocks_.data(), inverse, !unsymmetric_);
}

/// rows ← P Gᵀ c.
void IpSolver::ToRows(const std::vector<double>& components, double* rows) {
  program_.Transpose(components.data(), rows);
  for (int i = 0; i < program_.rows(); ++i) {
    if (program_.held(i)) rows[i] = 0;
  }
  if (!unsymmetric_) return;
  for (const ConeProgram::Group& group : program_.groups()) {
    if (group.parts == 0) continue;
    double sum = 0;
    for (int i = 1; i < group.size; ++i) {
      sum += gradient_[group.first_row + i] * rows[group.first_row + i];
    }
    rows[group.first_row] -= sum;
  }
}

/// out ← (Â + P GᵀW⁻²G) dx, W⁻¹ applied twice instead of W⁻², which keeps the digits.
void IpSolver::TimesMatrix(const double* dx, double* out) {
  program_.Slack(dx, true, components_.data());
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    double* at = &components_[program_.cones()[c].first];
    scalings_[c].ApplyInverse(at, at);
    scalings_[c].ApplyInverse(at, at);
  }
  ToRows(components_, out);
  const std::vector<double>& scale = program_.scale();
  for (int i = 0; i < program_.rows(); ++i) rows_b_[i] = scale[i] * dx[i];
  set_->problem().dynamics().Multiply(rows_b_.data(), rows_c_.data(), workspace_);
  for (int i = 0; i < program_.rows(); ++i) {
    out[i] = program_.held(i) ? 0.0 : out[i] + scale[i] * rows_c_[i];
  }
}

void IpSolver::Direction(const std::vector<double>& rho) {
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    double* at = &components_[cone.first];
    scalings_[c].ApplyInverse(&r_s_[cone.first], at);
    for (int i = 0; i < cone.size; ++i) at[i] = rho[cone.first + i] - at[i];
    scalings_[c].ApplyInverse(at, at);
  }
  std::vector<double>& right = rows_a_;
  ToRows(components_, right.data());
  for (int i = 0; i < program_.rows(); ++i) right[i] -= r_x_[i];
  system_.Solve(right.data(), dx_.data());
  const double size = SquaredNorm(right);
  for (int k = 0; k < kRefinements; ++k) {
    TimesMatrix(dx_.data(), gz_.data());
    double error = 0;
    std::vector<double>& out = gz_;
    for (int i = 0; i < program_.rows(); ++i) {
      out[i] = right[i] - out[i];
      error += out[i] * out[i];
    }
    if (!(error > kRefined * kRefined * size)) break;
    system_.Solve(out.data(), out.data());
    for (int i = 0; i < program_.rows(); ++i) dx_[i] += out[i];
  }
  program_.Slack(dx_.data(), true, ds_.data());
  for (std::size_t i = 0; i < ds_.size(); ++i) ds_[i] += r_s_[i];
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    double* at = &dz_[cone.first];
    scalings_[c].ApplyInverse(&ds_[cone.first], at);
    for (int i = 0; i < cone.size; ++i) at[i] = rho[cone.first + i] - at[i];
    scalings_[c].ApplyInverse(at, at);
  }
}

void IpSolver::Predict() {
  for (std::size_t i = 0; i < rho_.size(); ++i) rho_[i] = -lambda_[i];
  Direction(rho_);
}

/// Eq. (16) in scaled variables; `centring` is σ_c μ.
void IpSolver::Correct(double centring) {
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    const double* lambda = &lambda_[cone.first];
    double ds[kMostConeSize], dz[kMostConeSize], r[kMostConeSize], second[kMostConeSize];
    scalings_[c].ApplyInverse(&ds_[cone.first], ds);
    scalings_[c].Apply(&dz_[cone.first], dz);
    JordanProduct(cone.size, ds, dz, second);
    JordanProduct(cone.size, lambda, lambda, r);
    for (int i = 0; i < cone.size; ++i) r[i] = (i == 0 ? centring : 0.0) - r[i] - second[i];
    JordanDivide(cone.size, lambda, r, &rho_[cone.first]);
  }
  Direction(rho_);
}

double IpSolver::Longest(double most) const {
  for (const ConeProgram::Cone& cone : program_.cones()) {
    most = LongestStep(cone.size, &s_[cone.first], &ds_[cone.first], most);
    most = LongestStep(cone.size, &z_[cone.first], &dz_[cone.first], most);
  }
  return most;
}

/// One predictor–corrector step; false where the matrix cannot be factorised.
bool IpSolver::Advance(double* length) {
  Residuals();
  if (!Factorise()) return false;
  const double gap = Gap();
  Predict();
  if (!program_.cones().empty()) {
    const double affine = Longest(1);
    double after = 0;
    for (std::size_t i = 0; i < s_.size(); ++i) {
      after += (s_[i] + affine * ds_[i]) * (z_[i] + affine * dz_[i]);
    }
    after /= static_cast<double>(program_.cones().size());
    const double ratio = gap > 0 ? std::clamp(after / gap, 0.0, 1.0) : 0.0;
    Correct(ratio * ratio * ratio * gap);
  }
  const double fraction =
      options_.step_fraction + (1 - options_.step_fraction) * std::exp(-0.1 * gap);
  // Not quite to the boundary, where neither s nor z has an inverse.
  *length = std::min(1.0, std::min(fraction, 1 - 1e-3) * Longest(2));
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += *length * dx_[i];
  for (std::size_t i = 0; i < s_.size(); ++i) {
    s_[i] += *length * ds_[i];
    z_[i] += *length * dz_[i];
  }
  return true;
}

void IpSolver::Run(std::vector<double>& x, Monitor& monitor) {
  // The start is reported as it was given.
  if (!monitor.Continue(x.data())) return;
  Start(x);
  int since_best = 0;
  int restarts = 0;
  int best = 0;
  int short_steps = 0;
  Evaluate(x);
  for (;;) {
    double length = 0;
    const bool factorised = Advance(&length);
    if (factorised) {
      Evaluate(x);
      if (!monitor.Continue(x.data(), w_rows_.data())) return;
    }
    if (monitor.best_iteration() != best) {
      best = monitor.best_iteration();
      since_best = 0;
    }
    ++since_best;
    short_steps = factorised && length > kShortStep ? 0 : short_steps + 1;
    if (factorised && since_best < kPatience && short_steps < 4) continue;
    if (restarts++ == kRestarts) {
      monitor.Stop(factorised ? Status::kStalled : Status::kNumericalFailure,
                   "no headway after returning to the central path");
      return;
    }
    monitor.CountFallback();
    Centre(std::max(std::clamp(NaturalResidual(), 1e-12, 1.0), 0.0));
    since_best = 0;
    short_steps = 0;
  }
}

}  // namespace nonsmooth
