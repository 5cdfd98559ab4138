// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/calibration.h"

#include <algorithm>
#include <limits>

#include "common/problem/problem_builder.h"

namespace nonsmooth {
namespace {

constexpr int kSpheres = 16;
constexpr int kSweeps = 8;
constexpr int kMostRepetitions = 64;

/// Spheres of a kilogram in a row, radius 0.5, on a floor, pushed sideways against a wall.
Problem Row() {
  ProblemBuilder builder;
  ContactMaterial material;
  material.friction = 0.5;
  constexpr double radius = 0.5;
  for (int i = 0; i < kSpheres; ++i) builder.AddSphere(1, radius, {0.02, 0, -0.0981});
  for (int i = 0; i < kSpheres; ++i) {
    ContactPoint floor;
    floor.body_b = i;
    floor.lever_b = {0, 0, -radius};
    floor.normal = {0, 0, 1};
    builder.AddContact(floor, material);
    ContactPoint next;  // the last one touches the wall
    next.body_a = i + 1 < kSpheres ? i + 1 : -1;
    next.body_b = i;
    next.lever_a = {-radius, 0, 0};
    next.lever_b = {radius, 0, 0};
    next.normal = {-1, 0, 0};
    builder.AddContact(next, material);
  }
  return builder.Build();
}

}  // namespace

Calibration::Calibration() : problem_(Row()), driver_("psor") {
  options_.max_iterations = kSweeps;
  options_.measure_every = kSweeps;
  options_.relative_tolerance = 0;
  driver_.Solve(problem_, options_, nullptr, solution_, result_);  // takes the memory
}

double Calibration::Measure(double budget) {
  double least = std::numeric_limits<double>::infinity();
  double spent = 0;
  for (int k = 0; k < kMostRepetitions && (k == 0 || spent + least <= budget); ++k) {
    driver_.Solve(problem_, options_, nullptr, solution_, result_);
    spent += result_.seconds.total();
    least = std::min(least, result_.seconds.total());
  }
  return least;
}

}  // namespace nonsmooth
