// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "demos/bullet/robots/robot_world.h"
#include "demos/harness/demo.h"

namespace nonsmooth::demo {

/// What is built into a RobotWorld, and what drives it.
class Robot {
 public:
  virtual ~Robot() = default;
  virtual void Build(RobotWorld& world, double dt) = 0;

  /// Before each step.
  virtual void Drive(RobotWorld& /*world*/, double /*time*/) {}
};

/// Scenes for the harness. Their bodies are built by the robot of the same name.
World Arm(const WorldOptions& options);
World Quadruped(const WorldOptions& options);
World RobotGripper(const WorldOptions& options);
World RobotChain(const WorldOptions& options);
World Ragdolls(const WorldOptions& options);

/// Throws std::invalid_argument if there is none.
std::unique_ptr<Robot> MakeRobot(const std::string& name);
std::unique_ptr<Robot> MakeArm();
std::unique_ptr<Robot> MakeQuadruped();
std::unique_ptr<Robot> MakeRobotGripper();
std::unique_ptr<Robot> MakeRobotChain();
std::unique_ptr<Robot> MakeRagdolls();

/// btMultiBodyDynamicsWorld with MultiBodySolver, or with one of Bullet's: `engine`,
/// `engine:dantzig`.
Engine RobotEngine();

}  // namespace nonsmooth::demo
