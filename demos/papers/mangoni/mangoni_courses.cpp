// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/mangoni/mangoni_courses.h"

#include <cmath>

#include "common/problem/problem_builder.h"
#include "common/solve/driver.h"
#include "demos/papers/tasora/tasora_iteration.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth::papers {
namespace {

constexpr double kMass = 2;             // [kg]
constexpr double kDrop = 1e-4;          // [m]
constexpr double kStabilisation = 0.2;  // part of a penetration that is to vanish in one step
constexpr double kHalf[3] = {0.1, 0.05, 0.03};  // [m] of the brick
constexpr double kRadius = 0.1;                 // [m]
constexpr double kShaking = 0.01;  // of gravity: what the last step left is not yet the answer

/// A body with a place and a small turn away from level.
struct State {
  Vector3 position{};
  Vector3 turn{};
  std::array<double, 6> velocity{};
};

/// `point` of the body in world axes, relative to its centre, to first order in the turn.
Vector3 Turned(const State& state, const Vector3& point) {
  const Vector3& t = state.turn;
  return {point[0] + t[1] * point[2] - t[2] * point[1],
          point[1] + t[2] * point[0] - t[0] * point[2],
          point[2] + t[0] * point[1] - t[1] * point[0]};
}

Problem Pose(const State& state, const std::vector<Vector3>& points, bool ball, double compliance,
             double load) {
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const Vector3 free_fall{0, 0, -load * kSceneGravity * kSceneStep};
  const int body =
      ball ? builder.AddSphere(kMass, kRadius, free_fall)
           : builder.AddBox(kMass, {2 * kHalf[0], 2 * kHalf[1], 2 * kHalf[2]}, free_fall);
  builder.body(body).velocity = state.velocity;
  std::uint64_t key = 0;
  for (const Vector3& point : points) {
    ContactPoint contact;
    contact.body_a = ground;
    contact.body_b = body;
    contact.normal = {0, 0, 1};
    contact.lever_b = ball ? point : Turned(state, point);
    for (int c = 0; c < 3; ++c) contact.lever_a[c] = state.position[c] + contact.lever_b[c];
    const double gap = state.position[2] + contact.lever_b[2];
    contact.bias = (gap > 0 ? gap : kStabilisation * gap) / kSceneStep;
    contact.compliance = compliance;
    ContactMaterial material;
    material.key = ++key;
    builder.AddContact(contact, material);
  }
  return WithoutFriction(builder.Build());
}

std::vector<Problem> Course(State state, const std::vector<Vector3>& points, bool ball, int steps) {
  std::vector<Problem> problems;
  Driver driver("ip");
  SolveOptions options;
  options.law = {LawKind::kCcp, 0};
  options.relative_tolerance = 1e-20;
  Solution solution;
  for (int step = 0; step < steps; ++step) {
    problems.push_back(Pose(state, points, ball, 0, 1 + kShaking * std::sin(step)));
    static_cast<void>(driver.Solve(problems.back(), options, solution));
    for (int c = 0; c < 6; ++c) state.velocity[c] = solution.v[6 + c];
    for (int c = 0; c < 3; ++c) {
      state.position[c] += kSceneStep * state.velocity[c];
      state.turn[c] += kSceneStep * state.velocity[3 + c];
    }
  }
  return problems;
}

}  // namespace

std::vector<Problem> BrickCourse(int steps) {
  State state;
  state.position = {0, 0, kHalf[2] + kDrop};
  state.turn = {2e-4, -1e-4, 0};
  std::vector<Vector3> corners;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) corners.push_back({x * kHalf[0], y * kHalf[1], -kHalf[2]});
  }
  return Course(state, corners, false, steps);
}

std::vector<Problem> BallCourse(int steps) {
  State state;
  state.position = {0, 0, kRadius + kDrop};
  return Course(state, {{0, 0, -kRadius}}, true, steps);
}

Problem BrickOnGrid(int n, double compliance) {
  State state;
  state.position = {0, 0, kHalf[2]};
  std::vector<Vector3> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      points.push_back(
          {kHalf[0] * (2.0 * i / (n - 1) - 1), kHalf[1] * (2.0 * j / (n - 1) - 1), -kHalf[2]});
    }
  }
  return Pose(state, points, false, compliance, 1);
}

}  // namespace nonsmooth::papers
