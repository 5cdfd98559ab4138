// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/interior/ip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

OptionFields IpSolver::Options() {
  return {
      {"start", "-", "starting point; affine is Nocedal's, velocity D'Apuzzo's",
       MakeChoice(&options_.start, {"central", "affine", "velocity", "probe"})},
      {"warm_start", "-", "what is taken from a given start; impulses means velocities too",
       MakeChoice(&options_.warm_start, {"nothing", "velocities", "impulses"})},
      {"newton_shift", "-", "De Saxce's term in the Newton matrix", &options_.newton_shift},
      {"step_fraction", "-", "least share of the way to the boundary that a step takes",
       &options_.step_fraction, 0.1, 0.999},
      {"correctors", "-", "Gondzio's correctors at the most in an iteration", &options_.correctors,
       0, 10},
      {"proximal", "-", "proximal term on equality rows, relative to A's diagonal",
       &options_.proximal, 1e-14, 1},
  };
}

OptionFields IpSolver::Tuning() {
  return {
      {"reach", "-", "How much longer a step Gondzio's correctors aim at", &tuning_.reach, 0, 10},
      {"least_product", "-", "What the products of s and z may be, in units of their target",
       &tuning_.least_product, 0, 1},
      {"most_product", "-", "And at the most", &tuning_.most_product, 1, 1000000.0},
      {"long_enough", "-", "A step that needs no corrector", &tuning_.long_enough, 0, 1},
      {"worth_another", "-", "How many times longer a step must have become for another corrector",
       &tuning_.worth_another, 1, 10},
      {"weights", "-", "Tried for a corrector", &tuning_.weights, 1, 1000},
      {"worth_it", "-", "How many times longer a step must be for a smaller weight",
       &tuning_.worth_it, 1, 10},
      {"centring", "-", "Power of what the predictor leaves of the gap, the paper has 3",
       &tuning_.centring, 1, 10},
      {"short_step", "-", "A step that hardly moves", &tuning_.short_step, 0, 1},
      {"most_short_steps", "iterations",
       "So many in a row, and the iterate is put back on the central path",
       &tuning_.most_short_steps, 1, 1000},
      {"patience", "iterations", "The same where the least error has not fallen", &tuning_.patience,
       1, 1000},
      {"progress", "-", "Below this share of what it was", &tuning_.progress, 0, 1},
      {"restarts", "-", "Before the method gives up", &tuning_.restarts, 0, 1000},
      {"lagged", "iterations", "Without De Saxcé's term in the matrix after a short step",
       &tuning_.lagged, 0, 1000},
      {"probe_tau", "-", "Centre on which the iteration begins after a probe", &tuning_.probe_tau,
       0, 1},
      {"recentrings", "-", "Restarts from the best iterate, before another start is tried",
       &tuning_.recentrings, 0, 1000},
      {"restart_tau", "-", "Centre of the first of them", &tuning_.restart_tau, 0, 1},
      {"restart_growth", "-", "What it grows by from one to the next", &tuning_.restart_growth, 1,
       1000},
      {"probe_balance", "-",
       "Size of s against that of an impulse, after a probe of a convex problem",
       &tuning_.probe_balance, 0, 10},
      {"balance", "-", "The same otherwise", &tuning_.balance, 0, 10},
      {"most_balance", "-", "And at the most", &tuning_.most_balance, 1, 1000000000.0},
  };
}

void IpSolver::Prepare(const FeasibleSet& set) {
  set_ = &set;
  program_.Prepare(set);
  newton_.Prepare(set, program_, options_.proximal);
  unsymmetric_ = options_.newton_shift && program_.shifted();
  const int n = program_.rows();
  for (auto* v : {&x_, &w_, &w_rows_, &r_x_, &rows_a_, &rows_b_}) v->resize(n);
  for (auto* v : {&s_, &z_, &r_s_, &rho_, &components_}) v->resize(program_.components());
  step_.Resize(program_);
  correction_.Resize(program_);
  gradient_.assign(n, 0.0);
  curvature_.assign(n, 0.0);
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
  program_.Transpose(z_.data(), rows_a_.data());
  for (std::size_t i = 0; i < r_x_.size(); ++i) {
    r_x_[i] = program_.held(static_cast<int>(i)) ? 0.0 : w_[i] - rows_a_[i];
  }
  if (!program_.shifted()) return;
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    const ConeProgram::Group& group = program_.groups()[g];
    if (group.parts == 0) continue;
    // Of the multipliers' velocities: its derivative then stays within the group.
    double* gradient = unsymmetric_ ? &gradient_[group.first_row] : nullptr;
    r_x_[group.first_row] += program_.Shift(g, &rows_a_[group.first_row], gradient);
    for (int i = 0; i < group.size && unsymmetric_; ++i) gradient[i] *= shift_weight_;
  }
}

bool IpSolver::Factorise() {
  return newton_.Factorise(s_, z_, unsymmetric_ ? &gradient_ : nullptr);
}

void IpSolver::Predict() {
  for (std::size_t i = 0; i < rho_.size(); ++i) rho_[i] = -newton_.lambda()[i];
  newton_.Solve(&r_x_, &r_s_, rho_, &step_);
}

/// What De Saxcé's term is beyond its linearisation after an affine step of this length.
void IpSolver::ShiftCurvature(double affine) {
  for (std::size_t i = 0; i < z_.size(); ++i) components_[i] = z_[i] + affine * step_.z[i];
  program_.Transpose(components_.data(), rows_a_.data());
  program_.Transpose(z_.data(), rows_b_.data());
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    const ConeProgram::Group& group = program_.groups()[g];
    if (group.parts == 0) continue;
    const double* after = &rows_a_[group.first_row];
    const double* before = &rows_b_[group.first_row];
    double curvature = program_.Shift(g, after, nullptr) - program_.Shift(g, before, nullptr);
    for (int i = 1; i < group.size; ++i) {
      curvature -= gradient_[group.first_row + i] * (after[i] - before[i]);
    }
    curvature_[group.first_row] = curvature;
  }
}

/// Eq. (16) in scaled variables, less the predictor; `centring` is σ_c μ.
void IpSolver::Correct(double affine, double centring) {
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    double ds[kMostConeSize], dz[kMostConeSize], r[kMostConeSize];
    newton_.scaling(c).ApplyInverse(&step_.s[cone.first], ds);
    newton_.scaling(c).Apply(&step_.z[cone.first], dz);
    JordanProduct(cone.size, ds, dz, r);
    for (int i = 0; i < cone.size; ++i) r[i] = (i == 0 ? centring : 0.0) - r[i];
    JordanDivide(cone.size, &newton_.lambda()[cone.first], r, &rho_[cone.first]);
  }
  if (unsymmetric_) ShiftCurvature(affine);
  newton_.Solve(unsymmetric_ ? &curvature_ : nullptr, nullptr, rho_, &correction_);
}

/// How far, at the most `most`, the step with this weight of the correction stays in the cones.
double IpSolver::Longest(double most, double weight) const {
  double d[kMostConeSize];
  for (const ConeProgram::Cone& cone : program_.cones()) {
    const int first = cone.first;
    for (int i = 0; i < cone.size; ++i)
      d[i] = step_.s[first + i] + weight * correction_.s[first + i];
    most = LongestStep(cone.size, &s_[first], d, most);
    for (int i = 0; i < cone.size; ++i)
      d[i] = step_.z[first + i] + weight * correction_.z[first + i];
    most = LongestStep(cone.size, &z_[first], d, most);
  }
  return most;
}

double IpSolver::GapAfter(double length) const {
  double sum = 0;
  for (std::size_t i = 0; i < s_.size(); ++i) {
    sum += (s_[i] + length * step_.s[i]) * (z_[i] + length * step_.z[i]);
  }
  return sum / static_cast<double>(program_.cones().size());
}

/// Gondzio's corrector to the step so far ("Multiple centrality corrections in a primal-dual method
/// for linear programming", Comput. Optim. Appl. 6, 1996), with Jordan products: brings the
/// complementarity products of a somewhat longer step, eigenvalue by eigenvalue, into a range
/// around `target`.
void IpSolver::CorrectCentrality(double target, double length) {
  const double trial = std::min(1.0, length + tuning_.reach);
  for (std::size_t c = 0; c < program_.cones().size(); ++c) {
    const ConeProgram::Cone& cone = program_.cones()[c];
    double s[kMostConeSize], z[kMostConeSize], v[kMostConeSize], t[kMostConeSize];
    for (int i = 0; i < cone.size; ++i) {
      s[i] = s_[cone.first + i] + trial * step_.s[cone.first + i];
      z[i] = z_[cone.first + i] + trial * step_.z[cone.first + i];
    }
    newton_.scaling(c).ApplyInverse(s, s);
    newton_.scaling(c).Apply(z, z);
    JordanProduct(cone.size, s, z, v);
    ClampEigenvalues(cone.size, v, tuning_.least_product * target, tuning_.most_product * target,
                     t);
    for (int i = 0; i < cone.size; ++i) t[i] -= v[i];
    ClampEigenvalues(cone.size, t, -tuning_.most_product * target, kInfinity, t);
    JordanDivide(cone.size, &newton_.lambda()[cone.first], t, &rho_[cone.first]);
  }
  newton_.Solve(nullptr, nullptr, rho_, &correction_);
}

/// Adds the correction with the weight in [least, 1] that lets the step be longest, and returns
/// that length: M. Colombo, J. Gondzio, "Further development of multiple centrality correctors for
/// interior point methods", Comput. Optim. Appl. 41, 2008. After a short affine step the whole
/// correction is that of a step which is not made.
double IpSolver::AddWeighted(double least) {
  double best_weight = 1;
  double best = -1;
  for (int k = 0; k <= tuning_.weights; ++k) {
    const double weight = 1 - (1 - least) * k / tuning_.weights;
    const double length = Longest(2, weight);
    if (length > tuning_.worth_it * best) {
      best = length;
      best_weight = weight;
    }
    if (best >= 1) break;
  }
  step_.Add(best_weight, correction_);
  return best;
}

/// One predictor–corrector step; false where the matrix cannot be factorised, or not before the
/// deadline.
bool IpSolver::Advance(Monitor& monitor, double* length) {
  Residuals();
  if (!iteration_.Begin(newton_.work(), monitor) || !Factorise()) return false;
  const double gap = Gap();
  Predict();
  double longest = 2;
  if (!program_.cones().empty()) {
    const double affine = Longest(1, 0);
    const double ratio = gap > 0 ? std::clamp(GapAfter(affine) / gap, 0.0, 1.0) : 0.0;
    const double target = std::pow(ratio, tuning_.centring) * gap;
    Correct(affine, target);
    longest = AddWeighted(affine * affine);
    for (int k = 0; k < options_.correctors && longest < tuning_.long_enough; ++k) {
      const double before = longest;
      CorrectCentrality(target, longest);
      longest = AddWeighted(0);
      if (longest < tuning_.worth_another * before) break;
    }
  }
  const double fraction =
      options_.step_fraction + (1 - options_.step_fraction) * std::exp(-0.1 * gap);
  // Not quite to the boundary, where neither s nor z has an inverse.
  *length = std::min(1.0, std::min(fraction, 1 - 1e-3) * longest);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += *length * step_.x[i];
  for (std::size_t i = 0; i < s_.size(); ++i) {
    s_[i] += *length * step_.s[i];
    z_[i] += *length * step_.z[i];
  }
  iteration_.End(monitor);
  return true;
}

/// No headway from any of the starting points: sweeps go on from the best iterate, for as long as
/// there is a budget. They are slow but do not get stuck.
void IpSolver::HandOn(std::vector<double>& x, Monitor& monitor) {
  monitor.CountFallback("nncg");
  x = monitor.best();
  stand_in_.Prepare(*set_);
  stand_in_.Run(x, monitor);
}

void IpSolver::Run(std::vector<double>& x, Monitor& monitor) {
  monitor.MeasureAll();
  // The start is reported as it was given.
  if (!monitor.Continue(x.data())) return;
  Start(x, monitor);
  Evaluate(x);
  int restarts = 0;
  double best = monitor.best_energy();
  int idle = 0;         // iterations without progress
  int short_steps = 0;  // in a row
  int lagged = 0;       // iterations to go without De Saxcé's term in the matrix
  shift_weight_ = 1;
  for (;;) {
    double length = 0;
    const bool done = Advance(monitor, &length);
    if (done) Evaluate(x);
    if (monitor.OutOfTime() || (done && !monitor.Continue(x.data(), w_rows_.data()))) return;
    if (monitor.best_energy() <= tuning_.progress * best) {
      best = monitor.best_energy();
      idle = 0;
    }
    ++idle;
    short_steps = done && length > tuning_.short_step ? 0 : short_steps + 1;
    // Coulomb's law is not monotone, and the matrix with De Saxcé's term can be singular on the
    // way. Without the term it is definite.
    if (short_steps > 0) lagged = std::max(lagged, tuning_.lagged);
    shift_weight_ = lagged > 0 ? 0.0 : 1.0;
    if (lagged > 0) --lagged;
    if (done && idle < tuning_.patience && short_steps < tuning_.most_short_steps) continue;
    if (restarts == tuning_.restarts) return HandOn(x, monitor);
    ++restarts;
    monitor.CountFallback();
    Restart(restarts, x, monitor);
    idle = -tuning_.patience;  // it takes a while to get back
    short_steps = 0;
    // The last attempt goes without that term altogether.
    lagged = restarts == tuning_.restarts ? std::numeric_limits<int>::max() : 0;
    shift_weight_ = restarts == tuning_.restarts ? 0.0 : 1.0;
  }
}

}  // namespace nonsmooth
