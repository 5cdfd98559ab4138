// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/solve/driver.h"
#include "impulse_memory.h"
#include "multibody_extractor.h"
#include "multibody_memory.h"
#include "solver.h"
#include "step_result.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// A btMultiBodyConstraintSolver for btMultiBodyDynamicsWorld: Bullet sets up its rows, one of our
/// solvers solves them all as one problem, those between rigid bodies and those on links, and
/// Bullet writes back. Feedback, applied impulses, breaking and split impulses are therefore
/// Bullet's own.
///
///     nonsmooth::bullet::MultiBodySolver solver;  // for btMultiBodyConstraintSolver
///     btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
///
/// Options are those of Solver. Laws whose friction is no box need both tangents: under them
/// SOLVER_USE_2_FRICTION_DIRECTIONS is implied, and Bullet's cone mode, which alone has spinning
/// rows. `native` is Coulomb's law in the cone mode, which is the default of such worlds.
///
/// Where Bullet 3.24 writes the forces of rolling friction back in the place of sliding friction,
/// or not at all, this solver writes all of them back.
///
/// Nothing is thrown while Bullet is stepping. Where a solve fails, Bullet's own iterations do that
/// group, and the result counts it. Soft bodies are refused, as by Solver.
class MultiBodySolver : public btMultiBodyConstraintSolver {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  /// A registered solver by name. Throws std::invalid_argument if there is none, if it does not
  /// handle the law, or if an option is out of its range.
  MultiBodySolver(std::string_view solver_name, Options options);

  /// Likewise, with DefaultsOf() it.
  explicit MultiBodySolver(std::string_view solver_name = "auto");

  const SolverInfo& info() const { return driver_.info(); }
  const Options& options() const { return options_; }

  /// As the constructor; between steps.
  void SetOptions(Options options);

  /// The solver's own options, such as psor's relaxation.
  OptionFields solver_options() { return driver_.Options(); }

  /// Of the last step that is complete.
  const StepResult& result() const { return result_; }

  /// Of the last group that was solved.
  const Result& last_solve() const { return solve_; }

  /// What the world holds that this solver refuses; empty: nothing.
  const std::string& refusal() const { return refusal_; }

  /// Since the last reset(), groups left to Bullet's iterations.
  std::int64_t fallbacks() const { return fallbacks_; }

  /// Why that was so the last time.
  const std::string& trouble() const { return trouble_; }

  void prepareSolve(int bodies, int manifolds) override;
  void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) override;
  void solveMultiBodyGroup(btCollisionObject** bodies, int body_count,
                           btPersistentManifold** manifolds, int manifold_count,
                           btTypedConstraint** constraints, int constraint_count,
                           btMultiBodyConstraint** multibody_constraints,
                           int multibody_constraint_count, const btContactSolverInfo& info,
                           btIDebugDraw* drawer, btDispatcher* dispatcher) override;
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override;

  /// Forgets joints' impulses, counters and messages.
  void reset() override;

 protected:
  void convertContacts(btPersistentManifold** manifolds, int manifold_count,
                       const btContactSolverInfo& info) override;
  void convertJoints(btTypedConstraint** constraints, int constraint_count,
                     const btContactSolverInfo& info) override;
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** constraints, int constraint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override;

  /// Where Bullet keeps the rows of the group at hand.
  MultiBodyPools Pools();

 private:
  bool WarmStarts(const btContactSolverInfo& info) const;
  bool Supported(btCollisionObject** bodies, int body_count, btIDebugDraw* drawer);
  bool TrySolve(const btContactSolverInfo& info, btIDebugDraw* drawer);
  void ForgetStart(const btContactSolverInfo& info);
  void Trouble(const std::string& message, bool say, btIDebugDraw* drawer);

  Driver driver_;
  Options options_;
  MultiBodyExtractor extractor_;
  MultiBodyMemory memory_;
  ImpulseMemory rigid_memory_;
  std::vector<double> x0_;
  Solution solution_;
  Result solve_;

  bool refused_ = false;  ///< this group
  StepResult current_;
  StepResult result_;
  std::int64_t steps_ = 0;
  std::int64_t fallbacks_ = 0;
  std::string refusal_;
  std::string trouble_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
