// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "recording.h"
#include "solver.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// A solver of Bullet's, or ours, that records every group it solves: its rows after set-up, where
/// it starts, and its solution before write-back. It only looks on; what `Base` computes is the
/// same to the last bit with and without it.
///
///     RecordingSolver<btSequentialImpulseConstraintSolver> solver("run.h5");
///     RecordingSolver<btMLCPSolver> solver("run.h5", &dantzig);
///     RecordingSolver<Solver> solver("run.h5", "psor");
///
/// `Base` is btSequentialImpulseConstraintSolver or derived from it. Further arguments go to its
/// constructor. The recorder writes in a thread of its own; trouble with the file never reaches the
/// simulation (RecorderOptions::on_trouble, Recorder::status()).
template <class Base>
class RecordingSolver : public Base {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  template <class... Arguments>
  explicit RecordingSolver(Recording recording, Arguments&&... base)
      : Base(std::forward<Arguments>(base)...), tape_(std::move(recording)) {}

  /// Null if nothing is recorded.
  const std::shared_ptr<Recorder>& recorder() const { return tape_.recorder(); }

  /// Waits for the file to be complete. Without it the destructor finishes the file, uncompressed.
  void Close() {
    if (recorder() != nullptr) recorder()->Close();
  }

  /// Of the last step that is complete. Times are those of `Base` alone; the energy error is there
  /// if Recording::measure is.
  const StepResult& measured() const { return tape_.measured(); }

  /// Groups that could not be read and are not in the file; the recorder's status says why.
  std::int64_t skipped() const { return tape_.skipped(); }

  /// The number of the next step, and the time at its beginning [s].
  std::int64_t steps() const { return tape_.steps(); }
  double time() const { return tape_.time(); }

  void prepareSolve(int bodies, int manifolds) override {
    Base::prepareSolve(bodies, manifolds);
    tape_.BeginStep();
  }

  void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) override {
    Base::allSolved(info, drawer);
    tape_.EndStep(info.m_timeStep);
  }

 protected:
  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int body_count,
                                        btPersistentManifold** manifolds, int manifold_count,
                                        btTypedConstraint** constraints, int constraint_count,
                                        const btContactSolverInfo& info,
                                        btIDebugDraw* drawer) override {
    const Clock::time_point start = Clock::now();
    const btScalar value = Base::solveGroupCacheFriendlySetup(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
    tape_.AddSeconds(SecondsSince(start));
    tape_.LookAt(bodies, body_count, manifolds, manifold_count);
    tape_.AfterSetup(Pools(), info);
    return value;
  }

  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    const int calls = this->m_analyticsData.m_numSolverCalls;
    const Clock::time_point start = Clock::now();
    const btScalar value = Base::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
    const double seconds = SecondsSince(start);
    tape_.AddSeconds(seconds);
    // Solvers that do not iterate as Bullet's do not count either.
    const bool counted = this->m_analyticsData.m_numSolverCalls != calls;
    tape_.AfterSolve(Pools(), info, Name().c_str(),
                     counted ? this->m_analyticsData.m_numIterationsUsed : -1, seconds);
    return value;
  }

  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override {
    const Clock::time_point start = Clock::now();
    const btScalar value = Base::solveGroupCacheFriendlyFinish(bodies, body_count, info);
    tape_.AddSeconds(SecondsSince(start));
    return value;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double SecondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  SolverPools Pools() {
    return {&this->m_tmpSolverBodyPool, &this->m_tmpSolverNonContactConstraintPool,
            &this->m_tmpSolverContactConstraintPool,
            &this->m_tmpSolverContactFrictionConstraintPool,
            &this->m_tmpSolverContactRollingFrictionConstraintPool};
  }

  std::string Name() const {
    if constexpr (std::is_base_of_v<Solver, Base>) {
      return std::string(this->info().name);
    } else {
      switch (this->getSolverType()) {
        case BT_SEQUENTIAL_IMPULSE_SOLVER:
          return "sequential_impulse";
        case BT_MLCP_SOLVER:
          return "mlcp";
        case BT_NNCG_SOLVER:
          return "nncg";
        default:
          return "other";
      }
    }
  }

  Tape tape_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
