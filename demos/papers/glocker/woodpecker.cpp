// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/glocker/woodpecker.h"

#include <cmath>
#include <numeric>

#include "common/util/check.h"

namespace nonsmooth::papers {
namespace {

using Triple = std::array<double, 3>;

std::vector<double> Mass(const WoodpeckerParameters& p) {  // Eq. 14
  return {p.m_s + p.m_m,
          p.m_s * p.l_m,
          p.m_s * p.l_g,
          p.m_s * p.l_m,
          p.j_m + p.m_s * p.l_m * p.l_m,
          p.m_s * p.l_m * p.l_g,
          p.m_s * p.l_g,
          p.m_s * p.l_m * p.l_g,
          p.j_s + p.m_s * p.l_g * p.l_g};
}

Triple Forces(const WoodpeckerParameters& p, const Triple& q) {  // h, Eq. 14
  const double torque = p.c_phi * (q[1] - q[2]);
  return {-(p.m_s + p.m_m) * p.g, -torque - p.m_s * p.l_m * p.g, torque - p.m_s * p.l_g * p.g};
}

PlanarImpact::Contact Directions(const WoodpeckerParameters& p, int contact) {  // Eq. 16
  PlanarImpact::Contact c;
  switch (contact) {
    case kBeak:
      c.normal = {0, 0, -p.h_s};
      c.tangent = {1, p.l_m, p.l_g - p.l_s};
      break;
    case kLowerSleeve:
      c.normal = {0, p.h_m, 0};
      c.tangent = {1, p.r_m, 0};
      break;
    default:
      c.normal = {0, -p.h_m, 0};
      c.tangent = {1, p.r_m, 0};
  }
  c.normal_restitution = p.normal_restitution[contact];
  c.tangent_restitution = p.tangent_restitution[contact];
  c.friction = p.friction[contact];
  return c;
}

double Dot(const std::vector<double>& direction, const Triple& u) {
  return std::inner_product(u.begin(), u.end(), direction.begin(), 0.0);
}

Triple Moved(const Triple& q, double time, const Triple& u) {
  return {q[0] + time * u[0], q[1] + time * u[1], q[2] + time * u[2]};
}

}  // namespace

Triple Gaps(const WoodpeckerParameters& p, const Triple& q) {
  return {p.l_m + p.l_g - p.l_s - p.r_o - p.h_s * q[2], p.r_m - p.r_o + p.h_m * q[1],
          p.r_m - p.r_o - p.h_m * q[1]};
}

double Energy(const WoodpeckerParameters& p, const WoodpeckerState& state) {
  const std::vector<double> mass = Mass(p);
  double energy = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) energy += 0.5 * state.u[i] * mass[3 * i + j] * state.u[j];
  }
  const double twist = state.q[1] - state.q[2];
  energy += 0.5 * p.c_phi * twist * twist;
  energy += (p.m_s + p.m_m) * p.g * state.q[0];
  energy += p.m_s * p.g * (p.l_m * state.q[1] + p.l_g * state.q[2]);
  return energy;
}

WoodpeckerMidpoint AtMidpoint(const WoodpeckerParameters& p, const WoodpeckerState& state,
                              double dt) {
  Require(dt > 0, "woodpecker: dt = ", dt, " is not positive");
  WoodpeckerMidpoint midpoint;
  midpoint.q = Moved(state.q, 0.5 * dt, state.u);
  midpoint.impact.velocities = 3;
  midpoint.impact.mass = Mass(p);
  midpoint.impact.velocity.assign(state.u.begin(), state.u.end());
  for (const double force : Forces(p, midpoint.q)) midpoint.impact.impulse.push_back(force * dt);
  const Triple gaps = Gaps(p, midpoint.q);
  for (int i = 0; i < 3; ++i) {
    if (gaps[i] > 0) continue;
    midpoint.closed.push_back(i);
    midpoint.impact.contacts.push_back(Directions(p, i));
  }
  return midpoint;
}

WoodpeckerStep Advance(const WoodpeckerParameters& p, const WoodpeckerState& state, double dt,
                       PlanarSolver& solver) {
  const WoodpeckerMidpoint midpoint = AtMidpoint(p, state, dt);
  const Solution& solution = solver.Solve(MakePlanarProblem(midpoint.impact));
  WoodpeckerStep step;
  step.before = state;
  step.after.time = state.time + dt;
  step.after.u = {solution.v[0], solution.v[1], solution.v[2]};
  step.after.q = Moved(midpoint.q, 0.5 * dt, step.after.u);
  step.closed = static_cast<int>(midpoint.closed.size());
  for (int k = 0; k < step.closed; ++k) {
    const PlanarImpact::Contact& contact = midpoint.impact.contacts[k];
    const double normal = solution.x[2 * k], tangent = solution.x[2 * k + 1];
    step.carrying[midpoint.closed[k]] = normal > 0;
    const Triple& a = step.before.u;
    const Triple& e = step.after.u;
    step.loss[midpoint.closed[k]] =
        -0.5 * (normal * (Dot(contact.normal, a) + Dot(contact.normal, e)) +
                tangent * (Dot(contact.tangent, a) + Dot(contact.tangent, e)));
  }
  return step;
}

std::vector<WoodpeckerStep> Simulate(const WoodpeckerParameters& parameters,
                                     const WoodpeckerState& start, double dt, double seconds,
                                     PlanarSolver& solver) {
  Require(dt > 0 && seconds >= 0, "woodpecker: dt = ", dt, " and seconds = ", seconds,
          " are not positive");
  const int count = static_cast<int>(std::ceil(seconds / dt - 1e-9));
  std::vector<WoodpeckerStep> steps;
  steps.reserve(static_cast<std::size_t>(count));
  WoodpeckerState state = start;
  for (int i = 1; i <= count; ++i) {
    steps.push_back(Advance(parameters, state, dt, solver));
    state = steps.back().after;
    state.time = steps.back().after.time = start.time + i * dt;
  }
  return steps;
}

std::vector<WoodpeckerCycle> Cycles(const std::vector<WoodpeckerStep>& steps) {
  std::vector<WoodpeckerCycle> cycles;
  Triple loss{};
  double last_time = 0, last_height = 0;
  bool begun = false;
  for (const WoodpeckerStep& step : steps) {
    if (step.before.q[2] < 0 && step.after.q[2] >= 0) {
      const double part = -step.before.q[2] / (step.after.q[2] - step.before.q[2]);
      const double time = step.before.time + part * (step.after.time - step.before.time);
      const double height = step.before.q[0] + part * (step.after.q[0] - step.before.q[0]);
      if (begun) cycles.push_back({last_time, time - last_time, last_height - height, loss});
      begun = true;
      last_time = time;
      last_height = height;
      loss = {};
    }
    for (int i = 0; i < 3; ++i) loss[i] += step.loss[i];
  }
  return cycles;
}

WoodpeckerCycle MeanCycle(const std::vector<WoodpeckerCycle>& cycles) {
  WoodpeckerCycle mean;
  if (cycles.size() < 2) return mean;
  const double share = 1.0 / static_cast<double>(cycles.size() - 1);
  mean.start = cycles[1].start;
  for (std::size_t k = 1; k < cycles.size(); ++k) {
    mean.period += share * cycles[k].period;
    mean.drop += share * cycles[k].drop;
    for (int i = 0; i < 3; ++i) mean.loss[i] += share * cycles[k].loss[i];
  }
  return mean;
}

}  // namespace nonsmooth::papers
