// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../common/problem/problem.h"

namespace nonsmooth {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// When and how a subproblem came about. NaN and −1 mean: not known.
struct StepInfo {
  std::int64_t step = 0;  ///< number of the time step, counted by the engine
  int island = 0;         ///< several subproblems in one step are told apart by island …
  int solve = 0;          ///< … and by solve, where an island is solved more than once
  double time = 0;        ///< [s] at the start of the step
  double h = 0;           ///< [s] time step
  std::array<double, 3> gravity{};  ///< [m/s²], world

  std::string solver;         ///< the engine's solver, at most 63 bytes
  int iterations = -1;        ///< that it did
  double seconds = kUnknown;  ///< that it took [s]
};

/// What is known of the engine's own solution. NaN: not known.
struct StepMeasures {
  double energy_error = kUnknown;    ///< [J] under the native law
  double total_error = kUnknown;     ///< Lu et al.: ½ φ_FBᵀ φ_FB
  double normal_error = kUnknown;    ///< Lu et al.: violation of normal complementarity
  double friction_error = kUnknown;  ///< Lu et al.: magnitude and direction
};

/// A body as the engine has it: what the solve itself does not need.
struct BodyState {
  std::int64_t id = 0;               ///< the engine's
  double mass = 0;                   ///< [kg]; 0 for a fixed body
  std::array<double, 9> inertia{};   ///< [kg m²] about the centre of mass, world, row-major
  std::array<double, 3> position{};  ///< [m] centre of mass, world
  std::array<double, 4> quaternion{1, 0, 0, 0};  ///< body to world, (w, x, y, z)
};

/// A contact as geometry, in world axes. Friction, law and identity stand in the problem's groups.
struct ContactGeometry {
  std::array<std::int32_t, 2> pair{-1, -1};  ///< bodies a and b, indices; −1: none
  std::array<double, 3> point{};             ///< [m] world
  std::array<double, 3> normal{};            ///< unit, from a to b
  std::array<double, 6> tangents{};          ///< two unit vectors; zero where there is none
  double gap = 0;                            ///< [m], negative when penetrating
  double restitution = 0;                    ///< [-]
  double cohesion = 0;                       ///< [N]
};

/// One solved subproblem: all that is needed to solve it again, and what the engine made of it.
/// Every vector may be empty: not known.
struct CapturedStep {
  StepInfo info;
  Problem problem;  ///< any form of dynamics

  std::vector<BodyState> bodies;  ///< in the order of TwoBodyDynamics::bodies() if that is the form
  std::vector<ContactGeometry> contacts;  ///< one for each contact group, in their order
  std::vector<double> violation;          ///< position-level violation of each row [m or rad]

  std::vector<double> x0;  ///< warm start, one entry a row [N s, N m s]
  std::vector<double> x;   ///< the engine's impulses, likewise
  std::vector<double> w;   ///< its constraint velocities A x + b [m/s, rad/s]
  std::vector<double> v;   ///< its velocities after the step, `velocity_size()` entries
  StepMeasures measures;
};

/// Throws std::invalid_argument naming field and sizes where a vector is neither empty nor as long
/// as it has to be.
void CheckSizes(const CapturedStep& step);

}  // namespace nonsmooth
