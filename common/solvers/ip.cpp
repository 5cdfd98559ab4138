// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/ip.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kHeld = 1e15;  // D of a row that is held; Â's diagonal is 1
constexpr int kRefinements = 6;
constexpr double kRefined = 1e-10;  // of the right-hand side
constexpr double kShortStep = 0.02;
constexpr int kMostShortSteps = 4;
constexpr int kPatience = 12;  // iterations without a better iterate
constexpr int kRestarts = 3;
constexpr int kLagged = 3;
constexpr double kLeastTau = 1e-14;  // of a warm start: an iterate at the solution has to move

double SquaredNorm(const std::vector<double>& v) {
  double sum = 0;
  for (double value : v) sum += value * value;
  return sum;
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
  // Rows without a cone, such as those of joints, have nothing but the proximal term.
  free_.assign(n, 1);
  for (const ConeProgram::Group& group : program_.groups()) {
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const ConeProgram::Cone& cone = program_.cones()[c];
      const double* matrix = program_.matrix(cone);
      for (int k = 0; k < cone.size * group.size; ++k) {
        if (matrix[k] != 0) free_[group.first_row + k % group.size] = 0;
      }
    }
  }
  scalings_.resize(program_.cones().size());
  blocks_.resize(system_.block_values());
  right_blocks_.resize(system_.block_values());
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
    double* gradient = unsymmetric_ ? &gradient_[group.first_row] : nullptr;
    r_x_[group.first_row] += program_.Shift(g, &gz_[group.first_row], gradient);
    for (int i = 0; i < group.size && unsymmetric_; ++i) gradient[i] *= shift_weight_;
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
  if (given && options_.warm_start == 2) {
    // As far from the boundary as the start is from a solution.
    Centre(std::clamp(NaturalResidual(), kLeastTau, 1.0));
  } else {
    StartAt(options_.start);
  }
}

/// From the velocities ŵ alone.
void IpSolver::StartAt(int which) {
  std::fill(x_.begin(), x_.end(), 0.0);
  if (which == 1) {
    StartByAffineStep();
  } else if (which == 2) {
    StartByVelocities();
  } else {
    Centre(1);
  }
}

/// D = P Gᵀ(W⁻² + δ)G of one group.
void IpSolver::FillBlock(int g) {
  const ConeProgram::Group& group = program_.groups()[g];
  const int m = group.size;
  double* block = &blocks_[system_.block_start(g)];
  std::fill(block, block + m * m, 0.0);
  double square[kMostConeSize * kMostConeSize];
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    const double* matrix = program_.matrix(cone);
    scalings_[c].InverseSquare(square);
    for (int k = 0; k < cone.size; ++k) square[k * cone.size + k] += options_.proximal;
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
  if (unsymmetric_ && group.parts > 0) {
    const double* gradient = &gradient_[group.first_row];
    for (int j = 0; j < m; ++j) {
      for (int i = 1; i < m; ++i) block[j] -= gradient[i] * block[i * m + j];
    }
  }
  for (int i = 0; i < m; ++i) {
    if (program_.held(group.first_row + i)) {
      block[i * m + i] = kHeld;
    } else if (free_[group.first_row + i] != 0) {
      block[i * m + i] = options_.proximal;
    }
  }
}

/// D⁻¹ of one group as T · TᵀP⁻¹, T Tᵀ = (Gᵀ(W⁻² + δ)G)⁻¹.
void IpSolver::FillRoot(int g) {
  const ConeProgram::Group& group = program_.groups()[g];
  const int m = group.size;
  double* root = &blocks_[system_.block_start(g)];
  std::fill(root, root + m * m, 0.0);
  if (group.diagonal) {
    double sum[kMostGroupRows] = {};
    for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
      const double* matrix = program_.matrix(program_.cones()[c]);
      double square;
      scalings_[c].InverseSquare(&square);
      for (int i = 0; i < m; ++i) sum[i] += square * matrix[i] * matrix[i];
    }
    for (int i = 0; i < m; ++i) {
      if (!program_.held(group.first_row + i)) {
        root[i * m + i] = 1 / std::sqrt(sum[i] + options_.proximal);
      }
    }
  } else if (group.one_cone) {
    const double* matrix = program_.matrix(program_.cones()[group.first_cone]);
    scalings_[group.first_cone].SoftRoot(options_.proximal, root);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) root[i * m + j] /= matrix[i * m + i];
    }
  } else {
    FillRootByQr(g, root);
  }
  if (!unsymmetric_) return;
  double* right = &right_blocks_[system_.block_start(g)];
  const double* gradient = &gradient_[group.first_row];
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      right[i * m + j] = root[j * m + i] + (group.parts > 0 ? root[i] * gradient[j] : 0.0);
    }
  }
}

/// By QR of [W⁻¹G; √δ G], whose condition number is the root of D's.
void IpSolver::FillRootByQr(int g, double* root) const {
  const ConeProgram::Group& group = program_.groups()[g];
  const int m = group.size;
  int live[kMostGroupRows];
  int columns = 0;
  for (int i = 0; i < m; ++i) {
    if (!program_.held(group.first_row + i)) live[columns++] = i;
  }
  int rows = 0;
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    rows += 2 * program_.cones()[c].size;
  }
  Eigen::MatrixXd stack(rows, columns);
  const double soft = std::sqrt(options_.proximal);
  int row = 0;
  for (int c = group.first_cone; c < group.first_cone + group.cones; ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    const double* matrix = program_.matrix(cone);
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

bool IpSolver::Factorise() {
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    if (!scalings_[c].Reset(cone.size, &s_[cone.first], &z_[cone.first])) return false;
    scalings_[c].Apply(&z_[cone.first], &lambda_[cone.first]);
  }
  const int groups = static_cast<int>(program_.groups().size());
  if (!system_.prefers_inverse()) {
    for (int g = 0; g < groups; ++g) FillBlock(g);
    return system_.Factorise(blocks_.data(), !unsymmetric_);
  }
  for (int g = 0; g < groups; ++g) FillRoot(g);
  return system_.FactoriseInverse(blocks_.data(), unsymmetric_ ? right_blocks_.data() : nullptr);
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
    double once[kMostConeSize];
    scalings_[c].ApplyInverse(at, once);
    scalings_[c].ApplyInverse(once, once);
    for (int i = 0; i < program_.cones()[c].size; ++i) at[i] = once[i] + options_.proximal * at[i];
  }
  ToRows(components_, out);
  const std::vector<double>& scale = program_.scale();
  for (int i = 0; i < program_.rows(); ++i) rows_b_[i] = scale[i] * dx[i];
  set_->problem().dynamics().Multiply(rows_b_.data(), rows_c_.data(), workspace_);
  for (int i = 0; i < program_.rows(); ++i) {
    out[i] = program_.held(i) ? 0.0 : out[i] + scale[i] * rows_c_[i];
    if (free_[i] != 0) out[i] += options_.proximal * dx[i];
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
  double error = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kRefinements; ++k) {
    TimesMatrix(dx_.data(), gz_.data());
    const double before = error;
    error = 0;
    std::vector<double>& out = gz_;
    for (int i = 0; i < program_.rows(); ++i) {
      out[i] = right[i] - out[i];
      error += out[i] * out[i];
    }
    if (!(error > kRefined * kRefined * size && error < 0.25 * before)) break;
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

/// r_x ← r_x + what De Saxcé's term is beyond its linearisation after an affine step of this
/// length.
void IpSolver::AddShiftCurvature(double affine) {
  for (std::size_t i = 0; i < z_.size(); ++i) components_[i] = z_[i] + affine * dz_[i];
  program_.Transpose(components_.data(), rows_b_.data());
  program_.Transpose(z_.data(), rows_c_.data());
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    const ConeProgram::Group& group = program_.groups()[g];
    if (group.parts == 0) continue;
    const double* after = &rows_b_[group.first_row];
    const double* before = &rows_c_[group.first_row];
    double curvature = program_.Shift(g, after, nullptr) - program_.Shift(g, before, nullptr);
    for (int i = 1; i < group.size; ++i) {
      curvature -= gradient_[group.first_row + i] * (after[i] - before[i]);
    }
    r_x_[group.first_row] += curvature;
  }
}

/// Eq. (16) in scaled variables; `centring` is σ_c μ.
void IpSolver::Correct(double affine, double centring) {
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
  if (unsymmetric_) AddShiftCurvature(affine);
  Direction(rho_);
}

double IpSolver::Longest(double most) const {
  for (const ConeProgram::Cone& cone : program_.cones()) {
    most = LongestStep(cone.size, &s_[cone.first], &ds_[cone.first], most);
    most = LongestStep(cone.size, &z_[cone.first], &dz_[cone.first], most);
  }
  return most;
}

/// One predictor–corrector step; false where the matrix cannot be factorised, or the deadline has
/// passed meanwhile.
bool IpSolver::Advance(Monitor& monitor, double* length) {
  Residuals();
  if (!Factorise() || monitor.OutOfTime()) return false;
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
    Correct(affine, ratio * ratio * ratio * gap);
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
  Evaluate(x);
  int restarts = 0;
  int best = 0;
  int idle = 0;         // iterations since the best
  int short_steps = 0;  // in a row
  int lagged = 0;       // iterations to go without De Saxcé's term in the matrix
  shift_weight_ = 1;
  for (;;) {
    double length = 0;
    const bool done = Advance(monitor, &length);
    if (done) Evaluate(x);
    if (monitor.OutOfTime() || (done && !monitor.Continue(x.data(), w_rows_.data()))) return;
    if (monitor.best_iteration() != best) {
      best = monitor.best_iteration();
      idle = 0;
    }
    ++idle;
    short_steps = done && length > kShortStep ? 0 : short_steps + 1;
    // Coulomb's law is not monotone, and the matrix with De Saxcé's term can be singular on the
    // way. Without the term it is definite.
    if (short_steps > 0) lagged = std::max(lagged, kLagged);
    shift_weight_ = lagged > 0 ? 0.0 : 1.0;
    if (lagged > 0) --lagged;
    if (done && idle < kPatience && short_steps < kMostShortSteps) continue;
    if (restarts == kRestarts) {
      monitor.Stop(done ? Status::kStalled : Status::kNumericalFailure,
                   "no headway from any of the starting points");
      return;
    }
    ++restarts;
    monitor.CountFallback();
    std::fill(x_.begin(), x_.end(), 0.0);
    Evaluate(x);
    StartAt((options_.start + restarts) % 3);
    idle = 0;
    short_steps = 0;
    // The last attempt goes without that term altogether.
    lagged = restarts == kRestarts ? std::numeric_limits<int>::max() : 0;
    shift_weight_ = restarts == kRestarts ? 0.0 : 1.0;
  }
}

}  // namespace nonsmooth
