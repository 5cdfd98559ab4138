// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/chrono/chrono_engine.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "chrono/physics/ChSystemNSC.h"
#include "chrono/solver/ChDirectSolverLS.h"
#include "chrono/solver/ChSolverADMM.h"
#include "chrono/solver/ChSolverAPGD.h"
#include "chrono/solver/ChSolverBB.h"
#include "chrono/solver/ChSolverPJacobi.h"
#include "chrono/solver/ChSolverPSOR.h"
#include "chrono_plugin/recording_solver.h"
#include "chrono_plugin/solver.h"
#include "common/error/energy_error.h"
#include "common/util/check.h"
#include "demos/chrono/chrono_world.h"

namespace nonsmooth::demo {
namespace {

using ::chrono::ChSystemNSC;
using ::chrono::ChVector3d;

/// Measures what another solver leaves behind, and clocks it.
class MeasuredSolver : public ::chrono::ChSolver {
 public:
  explicit MeasuredSolver(std::shared_ptr<::chrono::ChSolver> solver)
      : solver_(std::move(solver)) {}
  Type GetType() const override { return solver_->GetType(); }
  bool IsIterative() const override { return solver_->IsIterative(); }
  bool IsDirect() const override { return solver_->IsDirect(); }
  ::chrono::ChIterativeSolver* AsIterative() override { return solver_->AsIterative(); }
  ::chrono::ChDirectSolverLS* AsDirect() override { return solver_->AsDirect(); }
  bool SolveRequiresMatrix() const override { return solver_->SolveRequiresMatrix(); }
  bool Setup(::chrono::ChSystemDescriptor& descriptor, bool analyze) override {
    return solver_->Setup(descriptor, analyze);
  }
  double Solve(::chrono::ChSystemDescriptor& descriptor) override {
    using Clock = std::chrono::steady_clock;
    try {
      extractor_.Read(descriptor);
    } catch (const std::exception&) {
      // Not a problem any more: the world has blown up. Its solver has to live with that.
      energy_error = std::numeric_limits<double>::infinity();
      return solver_->Solve(descriptor);
    }
    const Clock::time_point start = Clock::now();
    const double result = solver_->Solve(descriptor);
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    extractor_.ReadSolution(x_, v_);
    const Problem& problem = extractor_.problem();
    if (problem.rows() == 0) return result;
    w_.resize(x_.size());
    problem.dynamics().ConstraintVelocity(x_.data(), w_.data(), workspace_);
    set_.Reset(problem, Law{LawKind::kNative, 0}, nullptr);
    energy_error += MeasureEnergy(set_, FreeEnergy(set_), x_.data(), w_.data()).sum;
    return result;
  }

  double seconds = 0;
  double energy_error = 0;

 private:
  std::shared_ptr<::chrono::ChSolver> solver_;
  chrono::Extractor extractor_;
  FeasibleSet set_;
  OperatorWorkspace workspace_;
  std::vector<double> x_, w_, v_;
};

class DeepestContact : public ::chrono::ChContactContainer::ReportContactCallback {
 public:
  bool OnReportContact(const ChVector3d&, const ChVector3d&, const ::chrono::ChMatrix33<>&,
                       double distance, double, const ChVector3d&, const ChVector3d&,
                       ::chrono::ChContactable*, ::chrono::ChContactable*, int) override {
    penetration = std::max(penetration, -distance);
    return true;
  }
  double penetration = 0;
};

class ChronoSimulation final : public Simulation {
 public:
  ChronoSimulation(const World& world, const DemoOptions& options);

  StepSample Step(double dt) override;
  std::vector<Pose> Poses() const override;
  double KineticEnergy() const override;
  std::string Finish() override;

 private:
  World world_;
  std::vector<Motor> motors_;
  std::unique_ptr<ChSystemNSC> system_;
  std::shared_ptr<chrono::Solver> ours_;      ///< null: Chrono's own
  std::shared_ptr<MeasuredSolver> measured_;  ///< likewise the other way round
  std::shared_ptr<Recorder> recorder_;        ///< null: not recorded
};

ChronoSimulation::ChronoSimulation(const World& world, const DemoOptions& options)
    : world_(world), system_(BuildSystem(world, motors_)) {
  std::shared_ptr<::chrono::ChSolver> solver;
  if (options.engine()) {
    measured_ = chrono_types::make_shared<MeasuredSolver>(
        MakeChronoSolver(options.engine_solver(), options.iterations));
    solver = measured_;
  } else {
    chrono::Options ours;
    ours.solver = options.solver;
    ours.solve = options.Solve(ours.solve);
    ours.budget = !options.iterations;
    ours_ = chrono_types::make_shared<chrono::Solver>(ours);
    solver = ours_;
  }
  if (!options.capture.empty()) {
    recorder_ = std::make_shared<Recorder>(options.capture, chrono::MakeCaptureInfo(world.name));
    solver = chrono_types::make_shared<chrono::RecordingSolver>(*system_, solver, recorder_);
  }
  system_->SetSolver(solver);
}

StepSample ChronoSimulation::Step(double dt) {
  for (Motor& motor : motors_) {
    motor.item->SetSpeed(system_->GetChTime() >= motor.start ? motor.speed : 0);
  }
  system_->SetGravitationalAcceleration(ToChrono(GravityAt(world_, system_->GetChTime())));
  const std::int64_t fallbacks = ours_ ? ours_->fallbacks() : 0;
  if (measured_) measured_->seconds = measured_->energy_error = 0;
  system_->DoStepDynamics(dt);
  StepSample sample;
  sample.contacts = static_cast<int>(system_->GetNumContacts());
  if (ours_) {
    sample.solver_seconds =
        ours_->read_seconds() + ours_->result().seconds.total() + ours_->write_seconds();
    sample.energy_error = ours_->result().energy.sum;
    sample.fallbacks = static_cast<int>(ours_->fallbacks() - fallbacks);
  } else {
    sample.solver_seconds = measured_->seconds;
    sample.energy_error = measured_->energy_error;
  }
  auto deepest = std::make_shared<DeepestContact>();
  system_->GetContactContainer()->ReportAllContacts(deepest);
  sample.penetration = deepest->penetration;
  return sample;
}

std::vector<Pose> ChronoSimulation::Poses() const {
  std::vector<Pose> poses;
  for (const auto& body : system_->GetBodies()) {
    const ChVector3d& p = body->GetPos();
    const ::chrono::ChQuaterniond& q = body->GetRot();
    poses.push_back({{p.x(), p.y(), p.z()}, {q.e0(), q.e1(), q.e2(), q.e3()}});
  }
  return poses;
}

double ChronoSimulation::KineticEnergy() const {
  double energy = 0;
  for (const auto& body : system_->GetBodies()) {
    if (body->IsFixed()) continue;
    const ChVector3d spin = body->GetAngVelLocal();
    energy += 0.5 * body->GetMass() * body->GetPosDt().Length2() +
              0.5 * spin.Dot(body->GetInertia() * spin);
  }
  return energy;
}

std::string ChronoSimulation::Finish() {
  if (!recorder_) return "";
  recorder_->Close();
  return recorder_->status().trouble;
}

std::unique_ptr<Simulation> BuildSimulation(const World& world, const DemoOptions& options) {
  return std::make_unique<ChronoSimulation>(world, options);
}

}  // namespace

std::shared_ptr<::chrono::ChSolver> MakeChronoSolver(const std::string& name,
                                                     std::optional<int> iterations) {
  std::shared_ptr<::chrono::ChIterativeSolverVI> solver;
  if (name.empty() || name == "psor") {
    solver = chrono_types::make_shared<::chrono::ChSolverPSOR>();
  } else if (name == "apgd") {
    solver = chrono_types::make_shared<::chrono::ChSolverAPGD>();
  } else if (name == "bb") {
    solver = chrono_types::make_shared<::chrono::ChSolverBB>();
  } else if (name == "admm") {
    // Its default, a sparse QR factorisation, is several times slower.
    solver = chrono_types::make_shared<::chrono::ChSolverADMM>(
        chrono_types::make_shared<::chrono::ChSolverSparseLU>());
  } else if (name == "pjacobi") {
    solver = chrono_types::make_shared<::chrono::ChSolverPJacobi>();
    solver->SetOmega(0.2);  // as Chrono's manual advises
  }
  Require(solver != nullptr, "Chrono has no solver '", name, "' of: psor, apgd, bb, admm, pjacobi");
  if (iterations) {
    solver->SetMaxIterations(*iterations);
    solver->EnableWarmStart(true);
  }
  return solver;
}

std::unique_ptr<ChSystemNSC> BuildChronoSystem(const World& world) {
  std::vector<Motor> motors;
  auto system = BuildSystem(world, motors);
  for (Motor& motor : motors) motor.item->SetSpeed(motor.speed);
  return system;
}

const Engine& ChronoEngine() {
  // As many of our sweeps take about as long as 50 of Chrono's, its default.
  static const Engine engine{"chrono", &BuildSimulation, 300};
  return engine;
}

}  // namespace nonsmooth::demo
