// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "common/problem/problem_builder.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr double kFall = kSceneGravity * kSceneStep;

/// Painlevé's rod: 1 kg, 2 m long, its lower end on the ground, tan θ = 2, sliding with `speed` in
/// the direction in which friction presses it down; `lift` is the free velocity of that end along
/// the normal. In the rows (n, t₁, t₂)
///
///     A = (1.6, −1.2, 0; −1.2, 3.4, 0; 0, 0, 4),   b = (lift, −speed, 0).
///
/// While it slides on, x_t = μ x_n and w_n = (1.6 − 1.2 μ) x_n + lift: from μ = 4/3 on, pressing
/// makes it penetrate faster.
TestProblem Rod(double friction, double lift, double speed, std::vector<double> x,
                std::vector<double> w) {
  const double c = std::sqrt(0.2), s = std::sqrt(0.8);
  const double inverse_inertia = 3, inverse_axial_inertia = 300;
  Body rod;
  const double d[3] = {c, 0, s};
  for (int k = 0; k < 3; ++k) {
    rod.inverse_mass[k] = 1;
    for (int l = 0; l < 3; ++l) {
      rod.inverse_inertia[3 * k + l] =
          (k == l ? inverse_inertia : 0) + (inverse_axial_inertia - inverse_inertia) * d[k] * d[l];
    }
  }
  rod.velocity[0] = -speed;
  rod.applied_impulse[2] = lift;
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  ContactPoint point;
  point.body_a = ground;
  point.body_b = builder.AddBody(rod);
  point.normal = {0, 0, 1};
  point.lever_b = {-c, 0, -s};
  ContactMaterial material;
  material.friction = friction;
  material.normal_estimate = x[0];
  builder.AddContact(point, material);
  return {builder.Build(), std::move(x), std::move(w), true, true};
}

/// Where it stops at once: x = −A⁻¹ b, w = 0, inside the cone if μ ≥ 4/3 and the speed is not
/// small.
std::vector<double> Jammed(double lift, double speed) {
  return {(-3.4 * lift + 1.2 * speed) / 4, (-1.2 * lift + 1.6 * speed) / 4, 0};
}

/// μ = 2 under gravity: it cannot slide on with any x_n ≥ 0, and must not penetrate. It jams: an
/// impact without a collision, the only solution.
TestProblem PainleveInconsistent(const Law&) {
  return Rod(2, -kFall, 2, Jammed(-kFall, 2), {0, 0, 0});
}

/// μ = 2 and a pull upwards: it may take off (x = 0), slide on (x_n = lift / 0.8), or jam. Laws
/// with a convex problem have the last one only.
TestProblem PainleveIndeterminate(const Law& law) {
  const double lift = 0.2 * kFall;
  TestProblem test = Rod(2, lift, 2, Jammed(lift, 2), {0, 0, 0});
  test.unique_w = test.unique_x = law.kind == LawKind::kCcp || law.kind == LawKind::kBox;
  return test;
}

/// μ just below 4/3: it slides on under a thousand times its weight, x_n = g h / δ with
/// δ = 1.6 − 1.2 μ. There is no other solution under Coulomb's law; but w is so sensitive to
/// residuals, by 1/δ, that no tolerance of the matrix test decides it.
TestProblem PainleveCritical(const Law& law) {
  const double delta = 1e-3;
  const double friction = (1.6 - delta) / 1.2;
  const double speed = 4000 * kFall;
  const double x = kFall / delta;
  TestProblem test = Rod(friction, -kFall, speed, {x, friction * x, 0},
                         {0, (3.4 * friction - 1.2) * x - speed, 0});
  test.unique_w = test.unique_x = law.kind == LawKind::kBox;
  if (law.kind != LawKind::kCcp) return test;
  TestProblem convexified;
  convexified.problem = std::move(test.problem);
  return convexified;
}

/// A ball between two upright walls, μ = 2, squeezed by nothing: it falls, or hangs by friction
/// under any squeeze that is large enough. Under `ccp` it must not fall.
TestProblem BallBetweenWalls(const Law& law) {
  ProblemBuilder builder;
  const int walls = builder.AddBody(Body());
  const int ball = builder.AddSphere(2, 0.5, {0, 0, -kFall});
  for (double side : {-1.0, 1.0}) {
    ContactPoint point;
    point.body_a = walls;
    point.body_b = ball;
    point.normal = {-side, 0, 0};
    point.lever_b = {0.5 * side, 0, 0};
    ContactMaterial material;
    material.friction = 2;
    builder.AddContact(point, material);
  }
  TestProblem test;
  test.problem = builder.Build();
  if (law.kind == LawKind::kCcp) {
    test.w.assign(6, 0.0);
    test.unique_w = true;
  }
  return test;
}

}  // namespace

std::vector<CollectionEntry> PainleveProblems() {
  return {
      {"PainleveInconsistent", PainleveInconsistent, AllLaws()},
      {"PainleveIndeterminate", PainleveIndeterminate, AllLaws()},
      {"PainleveCritical", PainleveCritical, AllLaws()},
      {"BallBetweenWalls", BallBetweenWalls, AllLaws()},
  };
}

}  // namespace nonsmooth
