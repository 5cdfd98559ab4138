// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <nonsmooth/common/problem/problem_builder.h>
#include <nonsmooth/common/solve/driver.h>

#include <cmath>
#include <cstdio>

// A sphere of 2 kg rests on the ground for a step of 10 ms: its normal impulse is m g h.
int main() {
  constexpr double kMass = 2.0, kRadius = 0.5, kGravity = 9.81, kStep = 0.01;
  nonsmooth::ProblemBuilder builder;
  nonsmooth::ContactPoint point;
  point.body_a = builder.AddBody(nonsmooth::Body());
  point.body_b = builder.AddSphere(kMass, kRadius, {0, 0, -kGravity * kStep});
  point.normal = {0, 0, 1};
  point.lever_b = {0, 0, -kRadius};
  nonsmooth::ContactMaterial material;
  material.friction = 0.4;
  builder.AddContact(point, material);

  nonsmooth::Driver driver("psor");
  nonsmooth::Solution solution;
  const nonsmooth::Result result =
      driver.Solve(builder.Build(), nonsmooth::SolveOptions(), solution);
  const double expected = kMass * kGravity * kStep;
  std::printf("normal impulse %.12g N s, expected %.12g N s\n", solution.x[0], expected);
  return result.converged() && std::abs(solution.x[0] - expected) < 1e-12 ? 0 : 1;
}
