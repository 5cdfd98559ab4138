// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "common/methods/interior/ip.h"

namespace nonsmooth {
namespace {

constexpr double kLeastTau = 1e-14;  // of a warm start: an iterate at the solution has to move

}  // namespace

/// How large s is to be where z, as ŵ, is about 1: a share of the impulse of a cone, at least 1.
/// The impulses of a pile grow with its height, and steps from a start without regard to that are
/// short.
double IpSolver::Balance(double share) const {
  double sum = 0;
  for (double x : x_) sum += x * x;
  const double cones = std::max(1.0, static_cast<double>(program_.cones().size()));
  return std::clamp(share * std::sqrt(sum / cones), 1.0, tuning_.most_balance);
}

/// s and z as x̂ and ŵ have them, without regard to the cones.
void IpSolver::FromRows() {
  program_.Slack(x_.data(), false, s_.data());
  for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
    program_.Multipliers(g, &w_[program_.groups()[g].first_row], z_.data());
  }
}

/// s and z from x̂ and ŵ: the pair with s/β∘z = τ e that has s/β − z from them.
void IpSolver::Centre(double tau, double balance) {
  FromRows();
  for (const ConeProgram::Cone& cone : program_.cones()) {
    double p[kMostConeSize];
    double* s = &s_[cone.first];
    for (int i = 0; i < cone.size; ++i) p[i] = s[i] / balance - z_[cone.first + i];
    CentralPair(cone.size, tau, p, s, &z_[cone.first]);
    for (int i = 0; i < cone.size; ++i) s[i] *= balance;
  }
}

/// Mean square of s/β − (s/β − z)₊ for the s and z that x̂ and ŵ stand for.
double IpSolver::NaturalResidual(double balance) {
  FromRows();
  double sum = 0;
  for (const ConeProgram::Cone& cone : program_.cones()) {
    double p[kMostConeSize], positive[kMostConeSize], negative[kMostConeSize];
    for (int i = 0; i < cone.size; ++i) {
      p[i] = s_[cone.first + i] / balance - z_[cone.first + i];
    }
    CentralPair(cone.size, 0, p, positive, negative);
    for (int i = 0; i < cone.size; ++i) {
      const double r = s_[cone.first + i] / balance - positive[i];
      sum += r * r;
    }
  }
  return program_.cones().empty() ? 0.0 : sum / static_cast<double>(program_.cones().size());
}

/// x̂ ← the best of a few steps of projected gradient with Barzilai and Borwein's lengths (IMA J.
/// Numer. Anal. 8, 1988) on the convexified problem, from 0. They cost a product each, little
/// beside a factorisation, and say how impulses are spread over a pile. An impulse gets on by one
/// contact a step and has settled after the square of a pile's diameter: hence the power.
void IpSolver::Probe(Monitor& monitor) {
  const int n = program_.rows();
  const std::vector<double> free(w_);  // b̂
  std::vector<double>& before = r_x_;
  std::vector<double>& gradient_before = curvature_;
  std::vector<double>& x = rows_a_;
  std::vector<double>& best = rows_b_;
  std::fill(x_.begin(), x_.end(), 0.0);
  std::fill(best.begin(), best.end(), 0.0);
  const int steps = 2 + static_cast<int>(3 * std::pow(program_.cones().size(), 2.0 / 3));
  double length = 1;
  double least = 0;
  for (int k = 0; k < steps && !monitor.OutOfTime(); ++k) {
    before = x_;
    gradient_before = w_;
    for (int i = 0; i < n; ++i) x_[i] -= length * w_[i];
    program_.Unscale(x_.data(), x.data());
    for (int g = 0; g < static_cast<int>(program_.groups().size()); ++g) {
      set_->Project(g, &x[program_.groups()[g].first_row]);
    }
    program_.Scale(x.data(), x_.data());
    Evaluate(x);
    double moved = 0, curved = 0, energy = 0;
    for (int i = 0; i < n; ++i) {
      const double d = x_[i] - before[i];
      moved += d * d;
      curved += d * (w_[i] - gradient_before[i]);
      energy += 0.5 * x_[i] * (w_[i] + free[i]);
    }
    if (energy < least) {
      least = energy;
      best = x_;
    }
    if (!(moved > 0 && curved > 0)) break;
    length = moved / curved;
  }
  x_ = best;
  Evaluate(x);
  std::fill(curvature_.begin(), curvature_.end(), 0.0);
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
      s_[i] += step_.s[i];
      z_[i] += step_.z[i];
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

void IpSolver::Start(const std::vector<double>& x, Monitor& monitor) {
  const bool given = options_.warm_start != IpWarmStart::kNothing &&
                     std::any_of(x.begin(), x.end(), [](double value) { return value != 0; });
  std::vector<double>& start = rows_a_;
  start.assign(x.begin(), x.end());
  if (!given) std::fill(start.begin(), start.end(), 0.0);
  program_.Scale(start.data(), x_.data());
  Evaluate(start);
  if (given && options_.warm_start == IpWarmStart::kImpulses) {
    // As far from the boundary as the start is from a solution.
    const double balance = Balance(tuning_.balance);
    Centre(std::clamp(NaturalResidual(balance), kLeastTau, 1.0), balance);
  } else {
    const bool probe = options_.start == IpStart::kProbe;
    StartAt(given && probe ? IpStart::kCentral : options_.start, monitor);
  }
}

/// Back to the interior, after the iteration has come to a halt at the boundary: at the best
/// impulses so far, each time further away from it, and at last from another starting point.
void IpSolver::Restart(int count, std::vector<double>& x, Monitor& monitor) {
  if (count > tuning_.recentrings) {
    std::fill(x_.begin(), x_.end(), 0.0);
    Evaluate(x);
    // The one that follows in the list.
    StartAt(static_cast<IpStart>((static_cast<int>(options_.start) + 1) % 4), monitor);
    return;
  }
  program_.Scale(monitor.best().data(), x_.data());
  Evaluate(x);
  Centre(tuning_.restart_tau * std::pow(tuning_.restart_growth, count), Balance(tuning_.balance));
}

/// From the velocities ŵ alone, but for a probe.
void IpSolver::StartAt(IpStart start, Monitor& monitor) {
  std::fill(x_.begin(), x_.end(), 0.0);
  switch (start) {
    case IpStart::kCentral:
      return Centre(1, 1);
    case IpStart::kAffine:
      return StartByAffineStep();
    case IpStart::kVelocity:
      return StartByVelocities();
    case IpStart::kProbe:
      Probe(monitor);
      // Coulomb's law is not convex, and further from the boundary more of it is seen.
      return Centre(tuning_.probe_tau,
                    Balance(program_.shifted() ? tuning_.balance : tuning_.probe_balance));
  }
}

}  // namespace nonsmooth
