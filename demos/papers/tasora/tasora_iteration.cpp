// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/tasora/tasora_iteration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "common/problem/two_body_dynamics.h"
#include "common/util/check.h"

namespace nonsmooth::papers {
namespace {

const TwoBodyDynamics& BodiesOf(const Problem& problem) {
  const auto* dynamics = dynamic_cast<const TwoBodyDynamics*>(problem.shared_dynamics().get());
  Require(dynamics != nullptr, "Tasora's iteration: the problem is not one of bodies");
  return *dynamics;
}

/// One constraint: [E_i], s_i = M⁻¹E_iᵀ and g_i = E_i s_i, on the velocities of two bodies.
struct Constraint {
  int offset[2] = {-1, -1};  ///< into the velocities; −1: none
  std::array<double, 12> e{};
  std::array<double, 12> s{};
  double g = 0;
  double target = 0;  ///< e_i, what [E_i]q̇ is to reach
  bool unilateral = false;
};

Constraint MakeConstraint(const TwoBodyRow& row, const std::vector<Body>& bodies) {
  Require(row.compliance == 0, "Tasora's iteration: a row is compliant");
  Constraint c;
  c.target = -row.bias;
  const int body[2] = {row.body_a, row.body_b};
  for (int k = 0; k < 2; ++k) {
    if (body[k] < 0) continue;
    c.offset[k] = 6 * body[k];
    const Body& b = bodies[body[k]];
    for (int i = 0; i < 6; ++i) c.e[6 * k + i] = row.jacobian[6 * k + i];
    for (int i = 0; i < 3; ++i) {
      c.s[6 * k + i] = b.inverse_mass[i] * c.e[6 * k + i];
      for (int j = 0; j < 3; ++j)
        c.s[6 * k + 3 + i] += b.inverse_inertia[3 * i + j] * c.e[6 * k + 3 + j];
    }
  }
  for (int i = 0; i < 12; ++i) c.g += c.e[i] * c.s[i];
  return c;
}

double Velocity(const Constraint& c, const std::vector<double>& v) {
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 6 && c.offset[k] >= 0; ++i) sum += c.e[6 * k + i] * v[c.offset[k] + i];
  }
  return sum;
}

void Push(const Constraint& c, double impulse, std::vector<double>& v) {
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 6 && c.offset[k] >= 0; ++i) v[c.offset[k] + i] += impulse * c.s[6 * k + i];
  }
}

}  // namespace

Problem WithoutFriction(const Problem& problem) {
  const TwoBodyDynamics& dynamics = BodiesOf(problem);
  std::vector<TwoBodyRow> rows;
  std::vector<RowGroup> groups;
  std::vector<double> lower, upper;
  for (RowGroup group : problem.groups()) {
    const int first = group.first_row;
    const int count = group.kind == GroupKind::kContact ? 1 : group.size;
    group.first_row = static_cast<int>(rows.size());
    group.size = count;
    group.tangents = group.spinning = group.rolling = 0;
    group.friction = group.spinning_friction = group.rolling_friction = 0;
    for (int i = first; i < first + count; ++i) {
      rows.push_back(dynamics.body_rows()[i]);
      lower.push_back(problem.lower()[i]);
      upper.push_back(problem.upper()[i]);
    }
    groups.push_back(group);
  }
  return {std::make_shared<TwoBodyDynamics>(dynamics.bodies(), std::move(rows)), std::move(groups),
          std::move(lower), std::move(upper)};
}

FixedPointRun RunAlgorithm41(const Problem& problem, double relaxation, int iterations,
                             Reading reading) {
  const TwoBodyDynamics& dynamics = BodiesOf(problem);
  std::vector<Constraint> constraints;
  for (const RowGroup& group : problem.groups()) {
    Require(group.kind == GroupKind::kEquality ||
                (group.kind == GroupKind::kContact && group.size == 1),
            "Tasora's iteration: rows other than bilateral ones and normals");
    for (int i = 0; i < group.size; ++i) {
      constraints.push_back(
          MakeConstraint(dynamics.body_rows()[group.first_row + i], dynamics.bodies()));
      constraints.back().unilateral = group.kind == GroupKind::kContact;
    }
  }
  const auto n = static_cast<int>(constraints.size());
  FixedPointRun run;
  run.gamma.assign(constraints.size(), 0.0);
  std::vector<double> velocity(dynamics.velocity_size());
  dynamics.FreeVelocity(velocity.data());  // M⁻¹ f
  std::vector<double> w(constraints.size());
  OperatorWorkspace workspace;
  const auto measure = [&] {
    dynamics.ConstraintVelocity(run.gamma.data(), w.data(), workspace);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += 0.5 * run.gamma[i] * (w[i] + dynamics.bias()[i]);
    run.objective.push_back(sum);
    return std::isfinite(sum);
  };
  measure();
  for (int r = 0; r < iterations; ++r) {
    for (int i = 0; i < n; ++i) {
      const Constraint& c = constraints[i];
      if (!(c.g > 0)) continue;
      const double speed = Velocity(c, velocity);
      const double step = reading == Reading::kCorrected ? relaxation / c.g * (speed - c.target)
                                                         : relaxation / c.g * speed - c.target;
      double next = run.gamma[i] - step;
      if (c.unilateral) next = std::max(0.0, next);
      Push(c, reading == Reading::kCorrected ? next - run.gamma[i] : next, velocity);
      run.gamma[i] = next;
    }
    if (!measure()) break;
  }
  return run;
}

}  // namespace nonsmooth::papers
