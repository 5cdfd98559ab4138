// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>

#include <stdexcept>
#include <utility>

#include "bullet_plugin/recording_multibody_solver.h"
#include "demos/bullet/robots/robots.h"

namespace nonsmooth::demo {
namespace {

using bullet::MultiBodySolver;
using bullet::Recording;
using bullet::RecordingMultiBodySolver;
using bullet::StepResult;

/// A solver of any kind with the numbers it has of the last step.
class RobotSolver {
 public:
  virtual ~RobotSolver() = default;
  virtual btMultiBodyConstraintSolver* solver() = 0;
  virtual StepResult LastStep() const = 0;
  virtual std::string Finish() = 0;
};

template <class Base>
class RecordedRobotSolver final : public RobotSolver {
 public:
  template <class... Arguments>
  explicit RecordedRobotSolver(Recording recording, Arguments&&... base)
      : solver_(std::move(recording), std::forward<Arguments>(base)...) {}

  btMultiBodyConstraintSolver* solver() override { return &solver_; }

  StepResult LastStep() const override {
    if constexpr (std::is_same_v<Base, MultiBodySolver>) {
      StepResult result = solver_.result();
      result.seconds = solver_.measured().seconds;  // without the recorder's share
      return result;
    } else {
      return solver_.measured();
    }
  }

  std::string Finish() override {
    solver_.Close();
    return solver_.recorder() != nullptr ? solver_.recorder()->status().trouble : std::string();
  }

 private:
  RecordingMultiBodySolver<Base> solver_;
};

std::unique_ptr<RobotSolver> MakeSolver(const World& world, const DemoOptions& options) {
  Recording recording(options.capture);
  recording.scene = world.name;
  if (options.engine()) {
    recording.measure = true;
    if (options.law) recording.measure_law = *options.law;
    const std::string name = options.engine_solver();
    if (name.empty() || name == "si") {
      return std::make_unique<RecordedRobotSolver<btMultiBodyConstraintSolver>>(
          std::move(recording));
    }
    if (name == "dantzig") {
      static btDantzigSolver dantzig;
      return std::make_unique<RecordedRobotSolver<btMultiBodyMLCPConstraintSolver>>(
          std::move(recording), &dantzig);
    }
    throw std::invalid_argument("engine:" + name +
                                " is not one of engine, engine:si, engine:dantzig");
  }
  bullet::Options ours;
  ours.solve = options.Solve(ours.solve);
  ours.iterations_of_world = !options.iterations;
  return std::make_unique<RecordedRobotSolver<MultiBodySolver>>(std::move(recording),
                                                                options.solver, ours);
}

class RobotSimulation final : public Simulation {
 public:
  RobotSimulation(const World& world, const DemoOptions& options)
      : robot_(MakeRobot(world.name)),
        solver_(MakeSolver(world, options)),
        world_(solver_->solver()) {
    btContactSolverInfo& info = world_.info();
    if (options.iterations) info.m_numIterations = *options.iterations;
    if (!options.two_friction_directions) info.m_solverMode &= ~SOLVER_USE_2_FRICTION_DIRECTIONS;
    robot_->Build(world_, options.dt > 0 ? options.dt : world.dt);
  }

  StepSample Step(double dt) override {
    robot_->Drive(world_, time_);
    world_.Step(static_cast<btScalar>(dt));
    time_ += dt;
    const StepResult result = solver_->LastStep();
    StepSample sample;
    sample.contacts = result.contacts;
    sample.solver_seconds = result.seconds;
    sample.energy_error = result.energy_error;
    sample.fallbacks = result.fallbacks;
    sample.penetration = world_.DeepestPenetration();
    return sample;
  }

  std::vector<Pose> Poses() const override { return world_.Poses(); }
  double KineticEnergy() const override { return world_.KineticEnergy(); }
  std::string Finish() override { return solver_->Finish(); }

 private:
  std::unique_ptr<Robot> robot_;
  std::unique_ptr<RobotSolver> solver_;
  RobotWorld world_;
  double time_ = 0;
};

}  // namespace

std::unique_ptr<Robot> MakeRobot(const std::string& name) {
  if (name == "arm") return MakeArm();
  if (name == "quadruped") return MakeQuadruped();
  if (name == "robot_gripper") return MakeRobotGripper();
  if (name == "robot_chain") return MakeRobotChain();
  if (name == "ragdolls") return MakeRagdolls();
  throw std::invalid_argument("no robot '" + name + "'");
}

Engine RobotEngine() {
  const bool single = sizeof(btScalar) == sizeof(float);
  return {single ? "bullet" : "bullet_float64",
          [](const World& world, const DemoOptions& options) -> std::unique_ptr<Simulation> {
            return std::make_unique<RobotSimulation>(world, options);
          }};
}

}  // namespace nonsmooth::demo
