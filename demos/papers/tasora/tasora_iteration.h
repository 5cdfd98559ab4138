// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth::papers {

/// The problem as Tasora poses it in Eq. 1: contacts have their normal row alone; joints stay.
/// Throws std::invalid_argument if the problem is not one of bodies.
Problem WithoutFriction(const Problem& problem);

/// How the paper's Algorithm 4.1 is read.
enum class Reading {
  kCorrected,  ///< ω/g multiplies the whole residual, velocities change by s Δγ
  kPrinted,    ///< e is outside of ω/g, velocities change by s γ
};

/// A. Tasora, "An iterative fixed-point method for solving large complementarity problems in
/// multibody systems", Algorithm 4.1, row by row in the problem's order, from zero; written down
/// independently of `psor`. Equality rows are bilateral (𝒢_C), normals unilateral (𝒢_D).
struct FixedPointRun {
  std::vector<double> gamma;  ///< impulses of the last iteration
  std::vector<double> objective;  ///< ½ γᵀNγ + rᵀγ [J] before the first and after every iteration
};

/// Throws std::invalid_argument if the problem is not one of bodies, or has other rows. Stops
/// early where γ is not finite any more.
FixedPointRun RunAlgorithm41(const Problem& problem, double relaxation, int iterations,
                             Reading reading = Reading::kCorrected);

}  // namespace nonsmooth::papers
