// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth::papers {

/// Tasora's benchmark, Fig. 2: a shaken box of steel spheres, in Bullet (float64) with `psor`.
struct ShakerOptions {
  int spheres = 3300;  ///< which touch at some 6,500 places
  int steps = 500;
  int kept = 20;         ///< the last so many steps' problems are returned
  bool friction = true;  ///< μ = 0.2; false: none, as the paper's equations have it
  bool shaken = true;    ///< false: the spheres settle and lie still
  int iterations = 50;
};

struct ShakerStep {
  double time = 0;            ///< [s] at its end
  int constraints = 0;        ///< unilateral ones: contacts
  double seconds = 0;         ///< that the solver took [s]
  double relative_error = 0;  ///< energy error over free energy
};

struct ShakerRun {
  std::vector<ShakerStep> steps;
  std::vector<Problem> problems;  ///< of the largest group of touching spheres, with keys
  std::vector<std::array<double, 3>> centres;  ///< of the spheres at the end [m]
  double radius = 0;                           ///< [m]
  double half_width = 0;                       ///< of the box [m]
  bool inside = false;                         ///< all spheres are in the box at the end
};

ShakerRun RunShaker(const ShakerOptions& options);

}  // namespace nonsmooth::papers
