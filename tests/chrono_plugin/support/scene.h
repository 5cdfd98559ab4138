// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "chrono/physics/ChBody.h"
#include "chrono/physics/ChContactMaterialNSC.h"
#include "chrono/physics/ChSystemNSC.h"
#include "chrono_plugin/solver.h"

namespace nonsmooth::test {

using ::chrono::ChBody;
using ::chrono::ChVector3d;

inline constexpr double kGravity = 9.81;  ///< [m/s²], along −z
inline constexpr double kFootRadius = 0.05;

/// A solve that goes on until rounding stops it.
chrono::Options Converged(const char* law = "native", const char* solver = "psor");

/// A Chrono system with z upwards and, unless told otherwise, our solver.
struct Scene {
  explicit Scene(const chrono::Options& options = Converged(), double step = 1e-3);

  /// Of all bodies made afterwards; the engine takes the smaller of two coefficients.
  void Material(double friction, double restitution = 0);

  /// A fixed box of 20 m × 20 m × 2 m whose top is z = 0.
  std::shared_ptr<ChBody> Ground();
  std::shared_ptr<ChBody> Box(const ChVector3d& size, double mass, const ChVector3d& position);
  std::shared_ptr<ChBody> Sphere(double radius, double mass, const ChVector3d& position);

  /// A flat body on four round feet, 1 m apart along x and y, of radius 0.05 m; its centre of mass
  /// is that of the feet. Unlike a box it touches the ground at four points in every step.
  std::shared_ptr<ChBody> Sled(double mass, const ChVector3d& position);

  /// A body without a shape.
  std::shared_ptr<ChBody> Point(double mass, double inertia, const ChVector3d& position);

  /// Something that does not move and has no shape, e.g. to hang joints on.
  std::shared_ptr<ChBody> Frame();

  void Step() { system.DoStepDynamics(step); }
  void Run(double seconds);

  /// What contacts exert on a body [N].
  ChVector3d ContactForce(ChBody* body);

  double step;
  ::chrono::ChSystemNSC system;
  std::shared_ptr<chrono::Solver> solver;
  std::shared_ptr<::chrono::ChContactMaterialNSC> material;
};

}  // namespace nonsmooth::test
