// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "common/formulations/planar_lcp.h"
#include "demos/papers/glocker/planar_solver.h"

namespace nonsmooth::papers {

/// The woodpecker toy of Glocker and Studer, section 4. Values of Table I, SI units.
struct WoodpeckerParameters {
  double r_o = 0.0025;                                  ///< radius of the pole
  double r_m = 0.0031;                                  ///< inner radius of the sleeve
  double h_m = 0.0058;                                  ///< half the height of the sleeve
  double l_m = 0.010;                                   ///< distance M–G
  double l_g = 0.015;                                   ///< distance G–S
  double h_s = 0.02;                                    ///< distance S–P
  double l_s = 0.0201;                                  ///< length of the beak P–I
  double m_m = 0.0003;                                  ///< mass of the sleeve
  double m_s = 0.0045;                                  ///< mass of the woodpecker
  double j_m = 5.0e-9;                                  ///< inertia of the sleeve
  double j_s = 7.0e-7;                                  ///< inertia of the woodpecker
  double c_phi = 0.0056;                                ///< angular stiffness of the spring
  double g = 9.81;                                      ///< gravity
  std::array<double, 3> normal_restitution{0.5, 0, 0};  ///< of the contacts in their order
  std::array<double, 3> tangent_restitution{0, 0, 0};
  std::array<double, 3> friction{0.3, 0.3, 0.3};
};

/// The contacts, Eq. 15.
enum WoodpeckerContact { kBeak, kLowerSleeve, kUpperSleeve };

/// q = (y, φ_M, φ_S) and u = (v, ω_M, ω_S), Eq. 13; at first as in Table I.
struct WoodpeckerState {
  double time = 0;
  std::array<double, 3> q{0, -0.1036, -0.2788};
  std::array<double, 3> u{-0.3411, 0, -7.4583};
};

/// Gap functions, Eq. 15 [m].
std::array<double, 3> Gaps(const WoodpeckerParameters& parameters, const std::array<double, 3>& q);

/// Kinetic energy and potential of gravity and spring [J].
double Energy(const WoodpeckerParameters& parameters, const WoodpeckerState& state);

/// Steps 1 to 3 of the midpoint rule, section 5: what is to be solved for u^E.
struct WoodpeckerMidpoint {
  std::array<double, 3> q{};  ///< q^M
  std::vector<int> closed;    ///< ℋ: contacts with g_N(q^M) ≤ 0
  PlanarImpact impact;        ///< of those
};
WoodpeckerMidpoint AtMidpoint(const WoodpeckerParameters& parameters, const WoodpeckerState& state,
                              double dt);

/// One step of the midpoint rule.
struct WoodpeckerStep {
  WoodpeckerState before;
  WoodpeckerState after;
  int closed = 0;                  ///< number of contacts in the LCP
  std::array<bool, 3> carrying{};  ///< Λ_N > 0
  std::array<double, 3> loss{};    ///< −½ Λᵀ(γ^A + γ^E) of every contact [J]
};
WoodpeckerStep Advance(const WoodpeckerParameters& parameters, const WoodpeckerState& state,
                       double dt, PlanarSolver& solver);

/// All steps until `seconds`.
std::vector<WoodpeckerStep> Simulate(const WoodpeckerParameters& parameters,
                                     const WoodpeckerState& start, double dt, double seconds,
                                     PlanarSolver& solver);

/// One cycle, from one passage of φ_S upwards through zero to the next. That happens once a cycle,
/// on the way to the beak's impact, where all is smooth: interpolation in the step is of second
/// order, so that the period is finer than Δt.
struct WoodpeckerCycle {
  double start = 0;              ///< [s]
  double period = 0;             ///< [s]
  double drop = 0;               ///< of the sleeve [m], > 0 downwards
  std::array<double, 3> loss{};  ///< by contact [J]
};
std::vector<WoodpeckerCycle> Cycles(const std::vector<WoodpeckerStep>& steps);

/// Mean over all cycles but the first, which may not have settled; all zero if there are fewer than
/// two.
WoodpeckerCycle MeanCycle(const std::vector<WoodpeckerCycle>& cycles);

}  // namespace nonsmooth::papers
