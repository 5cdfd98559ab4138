// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../common/solve/step_solver.h"
#include "extractor.h"
#include "impulse_memory.h"
#include "position_correction.h"
#include "step_result.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

struct Options {
  /// Law, tolerances, deadline and how often to measure, as for every solver of ours. Without a
  /// relative tolerance, 0, it is what cannot be seen, StepTolerance(). Coulomb's cone: with one
  /// friction direction an arch falls that stands, and a box of two is off by 41 % along its
  /// diagonal; `native` is for comparing with Bullet's own rows. Measured every 5 iterations: a
  /// measurement costs up to a sweep, and Bullet's worlds do 10.
  SolveOptions solve;

  /// `auto` alone: a step takes as long as it needs for the tolerance, and no longer than Bullet's
  /// own iterations or a twentieth of the step's duration, whichever is more. That is work counted
  /// from the rows, not time (StepBudget()): equal input gives equal bits on any machine. Small
  /// worlds are solved exactly then, large ones swept. Not where a deadline is set.
  bool budget = true;

  /// Without a budget: max_iterations is the world's, getSolverInfo().m_numIterations, or what a
  /// constraint has set with setOverrideNumSolverIterations() if that is more.
  bool iterations_of_world = true;

  /// What is solved exactly has its penetrations corrected by a problem of their own, however deep
  /// they are, where the world has split impulses on (m_splitImpulse): see PositionCorrection. What
  /// is swept sinks a little with every step and needs Bullet's correction by velocities.
  bool correct_positions = true;

  /// Start from last step's friction impulses too, turned into the new directions. Off as in
  /// Bullet: it quiets a tower of boxes, but lets walls creep. Needs SOLVER_USE_WARMSTARTING.
  bool warm_start_friction = false;

  /// Start joints from last step's impulses; Bullet starts them from zero. Needs
  /// SOLVER_USE_WARMSTARTING.
  bool warm_start_joints = true;

  /// Gets a message, once each: the first time Bullet's iterations had to stand in, and the first
  /// time the world holds what is refused. Without it Bullet's debug drawer gets it
  /// (reportErrorWarning), and if there is none either, standard error: a refusal is not to be
  /// overlooked. What it throws is dropped.
  std::function<void(const std::string&)> on_trouble;

  Options() {
    solve.law.kind = LawKind::kNcp;
    solve.relative_tolerance = 0;
    solve.measure_every = 5;
  }
};

/// The options without any asked for; `native` law where a solver does not handle `ncp`.
Options DefaultsOf(std::string_view solver_name);

/// A btConstraintSolver for btDiscreteDynamicsWorld and others: Bullet sets up its rows, one of our
/// solvers solves them, Bullet writes back. Split impulses, applied impulses on manifolds and
/// joints, feedback and breaking are therefore Bullet's own.
///
/// Laws other than `native`, `box` and `coupled_box` need both tangents: under them
/// SOLVER_USE_2_FRICTION_DIRECTIONS is implied.
///
/// Nothing is thrown while Bullet is stepping. Where a solve fails, Bullet's own iterations do that
/// group, and the result counts it. Bodies of kinds this solver does not know (links of a
/// btMultiBody, soft bodies) are refused: the step is left to Bullet's rigid-body solver, which
/// does not know them either, and `refusal()` says so.
class Solver : public btSequentialImpulseConstraintSolver {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  /// A registered solver by name. Throws std::invalid_argument if there is none, if it does not
  /// handle the law, or if an option is out of its range.
  Solver(std::string_view solver_name, Options options);

  /// Likewise, with the default options; `native` law where the solver does not handle `ncp`.
  explicit Solver(std::string_view solver_name = "auto");

  const SolverInfo& info() const { return solver_.driver().info(); }
  const Options& options() const { return options_; }

  /// As the constructor; between steps.
  void SetOptions(Options options);

  /// The solver's own options, such as psor's relaxation.
  OptionFields solver_options() { return solver_.driver().Options(); }

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
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** constraints, int constraint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override;

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

 private:
  SolverPools Pools();
  bool Supported(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                 int manifold_count, btIDebugDraw* drawer);
  bool TrySolve(const btContactSolverInfo& info, btIDebugDraw* drawer);
  bool WithinBudget() const;
  double Budget(int rows, const btContactSolverInfo& info) const;
  bool PositionsApart(btPersistentManifold* const* manifolds, int manifold_count,
                      int constraint_count, const btContactSolverInfo& info) const;
  SolveOptions StepOptions(const btContactSolverInfo& info) const;
  bool CorrectPositions(const btContactSolverInfo& info);
  void Trouble(const std::string& message, bool say, btIDebugDraw* drawer);
  template <class Action>
  void Remember(const Action& action);
  void Count(const Result& solve);

  StepSolver solver_;
  Options options_;
  Extractor extractor_;
  ImpulseMemory memory_;
  PositionCorrection correction_;
  std::vector<double> x0_;
  Solution solution_;
  Result solve_;

  bool refused_ = false;          ///< this group
  bool positions_apart_ = false;  ///< of this group
  StepResult current_;
  StepResult result_;
  std::int64_t steps_ = 0;
  std::int64_t fallbacks_ = 0;
  std::string refusal_;
  std::string trouble_;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
