// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>

#include "multibody_solver.h"
#include "recording.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// RecordingSolver for btMultiBodyDynamicsWorld: `Base` is btMultiBodyConstraintSolver or derived
/// from it. What `Base` computes is the same to the last bit with and without it.
///
///     RecordingMultiBodySolver<btMultiBodyConstraintSolver> solver("run.h5");
///     RecordingMultiBodySolver<btMultiBodyMLCPConstraintSolver> solver("run.h5", &dantzig);
///     RecordingMultiBodySolver<MultiBodySolver> solver("run.h5", "psor");
template <class Base>
class RecordingMultiBodySolver : public Base {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  template <class... Arguments>
  explicit RecordingMultiBodySolver(Recording recording, Arguments&&... base)
      : Base(std::forward<Arguments>(base)...), tape_(std::move(recording)) {
    // Bullet's constructor leaves them undefined.
    this->m_tmpMultiBodyConstraints = nullptr;
    this->m_tmpNumMultiBodyConstraints = 0;
  }

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

  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override {
    const Clock::time_point start = Clock::now();
    const btScalar value = Base::solveGroupCacheFriendlyFinish(bodies, body_count, info);
    tape_.AddSeconds(SecondsSince(start));
    return value;
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
    tape_.AfterSetup(RowPools(), info);
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
    tape_.AfterSolve(RowPools(), info, Name().c_str(),
                     counted ? this->m_analyticsData.m_numIterationsUsed : -1, seconds);
    return value;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double SecondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  MultiBodyPools RowPools() {
    MultiBodyPools pools;
    pools.rigid = {&this->m_tmpSolverBodyPool, &this->m_tmpSolverNonContactConstraintPool,
                   &this->m_tmpSolverContactConstraintPool,
                   &this->m_tmpSolverContactFrictionConstraintPool,
                   &this->m_tmpSolverContactRollingFrictionConstraintPool};
    pools.joints = &this->m_multiBodyNonContactConstraints;
    pools.contacts = &this->m_multiBodyNormalContactConstraints;
    pools.friction = &this->m_multiBodyFrictionContactConstraints;
    pools.rolling = &this->m_multiBodyTorsionalFrictionContactConstraints;
    pools.spinning = &this->m_multiBodySpinningFrictionContactConstraints;
    pools.data = &this->m_data;
    return pools;
  }

  std::string Name() const {
    if constexpr (std::is_base_of_v<MultiBodySolver, Base>) {
      return std::string(this->info().name);
    } else if constexpr (std::is_base_of_v<btMultiBodyMLCPConstraintSolver, Base>) {
      return "multibody_mlcp";
    } else {
      return "multibody_sequential_impulse";
    }
  }

  MultiBodyTape tape_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
