// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "chrono/physics/ChSystemNSC.h"
#include "demos/chrono/bounded_motor.h"
#include "demos/harness/world.h"

namespace nonsmooth::demo {

struct Motor {
  std::shared_ptr<BoundedMotor> item;
  double speed = 0;
  double start = 0;
};

inline ::chrono::ChVector3d ToChrono(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// A World in Chrono, without a solver chosen. Bodies are in the order of World::bodies; `motors`
/// gets the joints that are driven.
std::unique_ptr<::chrono::ChSystemNSC> BuildSystem(const World& world, std::vector<Motor>& motors);

}  // namespace nonsmooth::demo
