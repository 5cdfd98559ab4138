// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "chrono/physics/ChLinkLock.h"
#include "chrono/timestepper/ChTimestepperImplicit.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

/// A pile of boxes as they come to lie on each other.
void AddTower(Scene& scene, int boxes) {
  scene.Ground();
  for (int k = 0; k < boxes; ++k) {
    scene.Box(ChVector3d(0.5, 0.5, 0.2), 1.0, ChVector3d(0, 0, 0.1 + 0.2 * k));
  }
}

// What cannot be is refused where it is asked for, not in the middle of a step.
TEST(ChronoSolver, RefusesOptionsThatCannotBe) {
  const auto refuses = [](auto change) {
    chrono::Options options;
    change(options);
    EXPECT_THROW(chrono::Solver{options}, std::invalid_argument);
  };
  refuses([](chrono::Options& o) { o.solver = "nobody"; });
  refuses([](chrono::Options& o) { o.solve.max_iterations = -1; });
  refuses([](chrono::Options& o) { o.solver_options = {{"relaxation", "3"}}; });
  refuses([](chrono::Options& o) { o.solver_options = {{"no_such_option", "3"}}; });
}

// Chrono reaches the settings that it knows through the interface that it knows.
TEST(ChronoSolver, IsAnIterativeSolverToChrono) {
  Scene scene;
  auto* iterative = scene.system.GetSolver()->AsIterative();
  ASSERT_NE(iterative, nullptr);
  iterative->SetMaxIterations(7);
  AddTower(scene, 5);
  scene.Step();
  EXPECT_EQ(iterative->GetMaxIterations(), 7);
  EXPECT_EQ(iterative->GetIterations(), 7);
  EXPECT_EQ(iterative->GetError(), scene.solver->result().energy.sum);
}

// A body whose force is not a number cannot be solved for, by Chrono's PSOR neither: velocities
// stay as they are, and it is counted. The next step is ours again.
TEST(ChronoSolver, SurvivesAForceThatIsNotANumber) {
  Scene scene;
  AddTower(scene, 2);
  scene.Step();
  auto descriptor = scene.system.GetSystemDescriptor();
  ::chrono::ChVariables* variables = descriptor->GetVariables().at(1);
  const double kept = variables->Force()(0);
  variables->Force()(0) = std::numeric_limits<double>::quiet_NaN();
  ::chrono::ChVectorDynamic<> before, after;
  descriptor->FromVariablesToVector(before);
  EXPECT_NO_THROW(scene.solver->Solve(*descriptor));
  descriptor->FromVariablesToVector(after);
  EXPECT_EQ((before - after).norm(), 0);
  EXPECT_EQ(scene.solver->fallbacks(), 1);
  EXPECT_EQ(scene.solver->result().status, Status::kNotRun);
  EXPECT_NE(scene.solver->trouble().find("applied_impulse"), std::string::npos)
      << scene.solver->trouble();

  variables->Force()(0) = kept;
  scene.solver->Solve(*descriptor);
  EXPECT_EQ(scene.solver->fallbacks(), 1);
  EXPECT_EQ(scene.solver->result().status, Status::kConverged);
}

// Chrono's own ways to set tolerance and warm start, which are not virtual, arrive in the options;
// what is set in the options afterwards counts.
TEST(ChronoSolver, TakesChronosToleranceAndWarmStart) {
  chrono::Solver solver;
  ::chrono::ChIterativeSolver& iterative = *solver.AsIterative();
  EXPECT_EQ(iterative.GetTolerance(), solver.options().solve.relative_tolerance);
  iterative.SetTolerance(1e-5);
  iterative.EnableWarmStart(false);
  EXPECT_EQ(solver.options().solve.relative_tolerance, 1e-5);
  EXPECT_FALSE(solver.options().warm_start);
  solver.solve_options().relative_tolerance = 1e-7;
  EXPECT_EQ(solver.options().solve.relative_tolerance, 1e-7);
  EXPECT_EQ(iterative.GetTolerance(), 1e-7);
}

/// Counts what it is asked to solve, and solves nothing.
class Witness : public ::chrono::ChSolver {
 public:
  bool IsIterative() const override { return false; }
  bool IsDirect() const override { return false; }
  bool SolveRequiresMatrix() const override { return false; }
  double Solve(::chrono::ChSystemDescriptor&) override {
    ++solves;
    return 0;
  }
  int solves = 0;
};

// A step that ours cannot take goes to the solver that the system had before, and is told once.
TEST(ChronoSolver, LeavesItsStepsToTheSolverBefore) {
  auto witness = chrono_types::make_shared<Witness>();
  int messages = 0;
  chrono::Options options = Converged();
  options.stand_in = witness;
  options.on_trouble = [&messages](const std::string&) { ++messages; };
  Scene scene(options);
  AddTower(scene, 2);
  scene.Step();
  auto descriptor = scene.system.GetSystemDescriptor();
  std::swap(descriptor->GetConstraints()[1], descriptor->GetConstraints()[2]);
  scene.solver->Solve(*descriptor);
  scene.solver->Solve(*descriptor);
  EXPECT_EQ(witness->solves, 2);
  EXPECT_EQ(messages, 1);
  EXPECT_EQ(scene.solver->fallbacks(), 2);
}

// A friction row that stands alone is not understood: Chrono's PSOR does the step.
TEST(ChronoSolver, FallsBackToPsorAndSaysSo) {
  Scene scene;
  AddTower(scene, 2);
  scene.Step();
  auto descriptor = scene.system.GetSystemDescriptor();
  std::vector<::chrono::ChConstraint*>& rows = descriptor->GetConstraints();
  ASSERT_GE(rows.size(), 6u);
  std::swap(rows[1], rows[2]);
  EXPECT_NO_THROW(scene.solver->Solve(*descriptor));
  EXPECT_EQ(scene.solver->fallbacks(), 1);
  EXPECT_NE(scene.solver->trouble().find("row 1"), std::string::npos) << scene.solver->trouble();
  // The boxes are at rest, which PSOR finds as well.
  for (::chrono::ChVariables* variables : descriptor->GetVariables()) {
    if (variables->IsActive()) {
      EXPECT_NEAR(variables->State()(2), 0, 1e-3);
    }
  }
}

// At rest the impulses of the last step are those of the next: nothing is left to iterate, whereas
// a cold start has to find them again.
TEST(ChronoSolver, WarmStartSavesIterations) {
  const auto iterations = [](bool warm) {
    chrono::Options options;
    options.solver = "psor";
    options.solve.max_iterations = 5000;
    options.solve.relative_tolerance = 1e-7;
    options.solve.measure_every = 1;
    options.warm_start = warm;
    Scene scene(options, 5e-3);
    scene.Ground();
    auto sled = scene.Sled(1.0, ChVector3d(0, 0, kFootRadius));
    int sum = 0;
    for (int k = 0; k < 40; ++k) {
      scene.Step();
      if (k >= 20) sum += scene.solver->result().iterations;
    }
    return sum;
  };
  const int warm = iterations(true), cold = iterations(false);
  EXPECT_GT(cold, 100);
  EXPECT_LT(warm, cold / 3);
}

// The projected stepper solves twice a step, for velocities and for positions; the joint then holds
// to far below what the linearised one leaves.
TEST(ChronoSolver, WorksWithTheProjectedStepper) {
  Scene scene(Converged(), 5e-3);
  scene.system.SetTimestepperType(::chrono::ChTimestepper::Type::EULER_IMPLICIT_PROJECTED);
  scene.Ground();
  auto sled = scene.Sled(2.0, ChVector3d(3, 0, kFootRadius));
  auto frame = scene.Frame();
  auto body = scene.Point(1.0, 0.1, ChVector3d(1, 0, 2));
  auto hinge = chrono_types::make_shared<::chrono::ChLinkLockSpherical>();
  hinge->Initialize(body, frame, ::chrono::ChFramed(ChVector3d(0, 0, 2)));
  scene.system.AddLink(hinge);
  scene.Run(1.0);
  EXPECT_EQ(scene.solver->solves(), 400);
  EXPECT_EQ(scene.solver->fallbacks(), 0);
  EXPECT_LT(hinge->GetConstraintViolation().norm(), 1e-7);
  EXPECT_NEAR(sled->GetPos().z(), kFootRadius, 1e-6);
  EXPECT_LT(body->GetPos().z(), 2.5);
}

// Solving what has been solved already changes nothing.
TEST(ChronoSolver, MayBeCalledSeveralTimesPerStep) {
  Scene scene;
  AddTower(scene, 3);
  scene.Run(0.05);
  auto descriptor = scene.system.GetSystemDescriptor();
  ::chrono::ChVectorDynamic<> first, second, velocities, velocities_again;
  scene.solver->Solve(*descriptor);
  descriptor->FromConstraintsToVector(first);
  descriptor->FromVariablesToVector(velocities);
  scene.solver->Solve(*descriptor);
  descriptor->FromConstraintsToVector(second);
  descriptor->FromVariablesToVector(velocities_again);
  ASSERT_GT(first.size(), 9);
  EXPECT_LT((first - second).norm(), 1e-10 * first.norm());
  EXPECT_LT((velocities - velocities_again).norm(), 1e-10);
}

// Chrono clocks the solve as it does its own.
TEST(ChronoSolver, TimersRun) {
  Scene scene;
  AddTower(scene, 3);
  scene.Step();
  EXPECT_GT(scene.system.GetTimerLSsolve(), 0);
  EXPECT_GT(scene.solver->read_seconds(), 0);
  EXPECT_GT(scene.solver->write_seconds(), 0);
  EXPECT_LT(scene.solver->read_seconds() + scene.solver->write_seconds(),
            scene.system.GetTimerLSsolve());
}

// Asked for iterations, Chrono's usual 50 or 300, the default keeps to them, and a stack of boxes
// stands where psor leaves it: the sixth at five edges of 0.2 m and a half, within a millimetre.
TEST(ChronoSolver, TheDefaultKeepsToIterationsAskedFor) {
  for (const int iterations : {50, 300}) {
    double height[2] = {};
    for (const bool psor : {false, true}) {
      chrono::Options options;
      EXPECT_EQ(options.solver, "auto");
      if (psor) options.solver = "psor";
      Scene scene(options, 5e-3);
      scene.Ground();
      std::shared_ptr<ChBody> top;
      for (int k = 0; k < 6; ++k) {
        top =
            scene.Box(ChVector3d(0.5, 0.5, 0.2), 1.0 + k, ChVector3d(0.05 * k, 0, 0.2 * k + 0.11));
      }
      scene.solver->SetMaxIterations(iterations);
      scene.Run(0.2);
      EXPECT_LE(scene.solver->result().iterations, iterations);
      EXPECT_EQ(scene.solver->fallbacks(), 0) << scene.solver->trouble();
      height[psor] = top->GetPos().z();
    }
    EXPECT_NEAR(height[0], height[1], 1e-4) << iterations;
    EXPECT_NEAR(height[0], 1.1, 1e-3);
  }
}

}  // namespace
}  // namespace nonsmooth::test
