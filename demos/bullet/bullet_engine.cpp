// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/bullet/bullet_engine.h"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "bullet_plugin/recording_solver.h"
#include "bullet_plugin/solver.h"
#include "demos/bullet/bullet_world.h"

namespace nonsmooth::demo {
namespace {

using bullet::Recording;
using bullet::RecordingSolver;
using bullet::StepResult;

/// A solver of any kind with the numbers it has of the last step.
class DemoSolver {
 public:
  virtual ~DemoSolver() = default;
  virtual btConstraintSolver* solver() = 0;
  virtual StepResult LastStep() const = 0;
  virtual std::string Finish() { return {}; }
};

Recording RecordingOf(const World& world, const DemoOptions& options) {
  Recording recording(options.capture);
  recording.scene = world.name;
  return recording;
}

template <class Base>
std::string FinishRecording(RecordingSolver<Base>& solver) {
  solver.Close();
  return solver.recorder() != nullptr ? solver.recorder()->status().trouble : std::string();
}

/// One of Bullet's own, measured from outside.
template <class Base>
class BulletsSolver final : public DemoSolver {
 public:
  template <class... Arguments>
  explicit BulletsSolver(Recording recording, Arguments... base)
      : solver_(std::move(recording), base...) {}
  btConstraintSolver* solver() override { return &solver_; }
  StepResult LastStep() const override { return solver_.measured(); }
  std::string Finish() override { return FinishRecording(solver_); }

 private:
  RecordingSolver<Base> solver_;
};

std::unique_ptr<DemoSolver> MakeBulletsSolver(const std::string& name, Recording recording) {
  if (name.empty() || name == "si") {
    return std::make_unique<BulletsSolver<btSequentialImpulseConstraintSolver>>(
        std::move(recording));
  }
  if (name == "nncg") {
    return std::make_unique<BulletsSolver<btNNCGConstraintSolver>>(std::move(recording));
  }
  if (name == "dantzig") {
    static btDantzigSolver dantzig;
    return std::make_unique<BulletsSolver<btMLCPSolver>>(std::move(recording), &dantzig);
  }
  throw std::invalid_argument("engine:" + name +
                              " is not one of engine, engine:si, engine:nncg, engine:dantzig");
}

class OurSolver final : public DemoSolver {
 public:
  OurSolver(const std::string& name, const bullet::Options& options) : solver_(name, options) {}
  btConstraintSolver* solver() override { return &solver_; }
  StepResult LastStep() const override { return solver_.result(); }

 private:
  bullet::Solver solver_;
};

class OurRecordedSolver final : public DemoSolver {
 public:
  OurRecordedSolver(Recording recording, const std::string& name, const bullet::Options& options)
      : solver_(std::move(recording), name, options) {}
  btConstraintSolver* solver() override { return &solver_; }
  StepResult LastStep() const override {
    StepResult result = solver_.result();
    result.seconds = solver_.measured().seconds;  // without the recorder's share
    return result;
  }
  std::string Finish() override { return FinishRecording(solver_); }

 private:
  RecordingSolver<bullet::Solver> solver_;
};

std::unique_ptr<DemoSolver> MakeSolver(const World& world, const DemoOptions& options) {
  Recording recording = RecordingOf(world, options);
  if (options.engine()) {
    recording.measure = true;
    if (options.law) recording.measure_law = *options.law;
    return MakeBulletsSolver(options.engine_solver(), std::move(recording));
  }
  bullet::Options ours;
  ours.solve = options.Solve(ours.solve);
  ours.budget = !options.iterations;
  ours.iterations_of_world = !options.iterations;
  if (options.capture.empty()) return std::make_unique<OurSolver>(options.solver, ours);
  return std::make_unique<OurRecordedSolver>(std::move(recording), options.solver, ours);
}

class BulletSimulation final : public Simulation {
 public:
  BulletSimulation(const World& world, const DemoOptions& options)
      : solver_(MakeSolver(world, options)), world_(world, solver_->solver()) {
    btContactSolverInfo& info = world_.world().getSolverInfo();
    if (options.iterations) info.m_numIterations = *options.iterations;
    if (options.two_friction_directions) info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  }

  StepSample Step(double dt) override {
    world_.Step(dt);
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
  std::unique_ptr<DemoSolver> solver_;
  BulletWorld world_;
};

}  // namespace

Engine BulletEngine() {
  const bool single = sizeof(btScalar) == sizeof(float);
  return {single ? "bullet" : "bullet_float64",
          [](const World& world, const DemoOptions& options) -> std::unique_ptr<Simulation> {
            return std::make_unique<BulletSimulation>(world, options);
          }};
}

}  // namespace nonsmooth::demo
