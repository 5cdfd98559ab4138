// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/solver.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <LinearMath/btIDebugDraw.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <utility>

#include "common/solve/step_budget.h"
#include "common/util/check.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Laws whose friction is no box need the whole tangent plane.
bool NeedsTwoDirections(const Law& law) {
  return law.kind == LawKind::kPyramid || law.kind == LawKind::kCcp || law.kind == LawKind::kNcp;
}

const char* RefusedKind(const btCollisionObject& object) {
  const int kind = object.getInternalType();
  if ((kind & btCollisionObject::CO_FEATHERSTONE_LINK) != 0) return "a link of a btMultiBody";
  if ((kind & btCollisionObject::CO_SOFT_BODY) != 0) return "a soft body";
  return nullptr;
}

}  // namespace

Options DefaultsOf(std::string_view solver_name) {
  Options options;
  if (!FindSolver(solver_name).Handles(options.solve.law.kind)) {
    options.solve.law.kind = LawKind::kNative;
  }
  return options;
}

Solver::Solver(std::string_view solver_name, Options options) : solver_(solver_name) {
  SetOptions(std::move(options));
}

Solver::Solver(std::string_view solver_name) : Solver(solver_name, DefaultsOf(solver_name)) {}

void Solver::SetOptions(Options options) {
  Validate("options", Fields(options.solve));
  const Law& law = options.solve.law;
  const LawKind needed = law.kind == LawKind::kNative ? LawKind::kCoupledBox : law.kind;
  Require(info().Handles(needed), "solver ", info().name, " does not handle law ", ToString(needed),
          law.kind == LawKind::kNative ? ", which is native to Bullet" : "");
  options_ = std::move(options);
}

void Solver::reset() {
  btSequentialImpulseConstraintSolver::reset();
  memory_.Clear();
  steps_ = 0;
  fallbacks_ = 0;
  refusal_.clear();
  trouble_.clear();
}

SolverPools Solver::Pools() {
  return {&m_tmpSolverBodyPool, &m_tmpSolverNonContactConstraintPool,
          &m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
          &m_tmpSolverContactRollingFrictionConstraintPool};
}

void Solver::prepareSolve(int bodies, int manifolds) {
  btSequentialImpulseConstraintSolver::prepareSolve(bodies, manifolds);
  current_ = StepResult();
  current_.step = steps_;
}

void Solver::allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  btSequentialImpulseConstraintSolver::allSolved(info, drawer);
  memory_.EndStep();
  result_ = current_;
  ++steps_;
}

void Solver::Trouble(const std::string& message, bool say, btIDebugDraw* drawer) {
  // Bullet's frames are above: whatever a listener throws ends here.
  try {
    trouble_ = message;
    if (!say) return;
    if (options_.on_trouble) {
      options_.on_trouble(message);
    } else if (drawer != nullptr) {
      drawer->reportErrorWarning(message.c_str());
    } else {
      std::fprintf(stderr, "%s\n", message.c_str());
    }
  } catch (...) {
  }
}

bool Solver::Supported(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                       int manifold_count, btIDebugDraw* drawer) {
  const char* kind = nullptr;
  for (int i = 0; i < body_count && kind == nullptr; ++i) kind = RefusedKind(*bodies[i]);
  for (int i = 0; i < manifold_count && kind == nullptr; ++i) {
    kind = RefusedKind(*manifolds[i]->getBody0());
    if (kind == nullptr) kind = RefusedKind(*manifolds[i]->getBody1());
  }
  if (kind == nullptr) return true;
  if (!refusal_.empty()) return false;
  refusal_ = std::string("nonsmooth::bullet::Solver: the world holds ") + kind +
             ", which this solver does not support; its steps are left to Bullet's sequential "
             "impulse solver. It is for rigid bodies in a btDiscreteDynamicsWorld.";
  Trouble(refusal_, true, drawer);
  return false;
}

btScalar Solver::solveGroup(btCollisionObject** bodies, int body_count,
                            btPersistentManifold** manifolds, int manifold_count,
                            btTypedConstraint** constraints, int constraint_count,
                            const btContactSolverInfo& info, btIDebugDraw* drawer,
                            btDispatcher* dispatcher) {
  const Clock::time_point start = Clock::now();
  refused_ = !Supported(bodies, body_count, manifolds, manifold_count, drawer);
  btContactSolverInfo changed = info;
  if (!refused_ && NeedsTwoDirections(options_.solve.law)) {
    changed.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  }
  positions_apart_ = !refused_ && PositionsApart(manifolds, manifold_count, constraint_count, info);
  if (positions_apart_) {
    changed.m_splitImpulsePenetrationThreshold = BT_LARGE_FLOAT;
    changed.m_splitImpulseTurnErp = 1;  // a turn belongs to its push
  }
  const btScalar residual = btSequentialImpulseConstraintSolver::solveGroup(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count, changed, drawer,
      dispatcher);
  if (manifold_count + constraint_count > 0) ++current_.groups;
  current_.seconds += SecondsSince(start);
  return residual;
}

void Solver::convertContacts(btPersistentManifold** manifolds, int manifold_count,
                             const btContactSolverInfo& info) {
  const bool carry = !refused_ && options_.warm_start_friction &&
                     (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0;
  btSequentialImpulseConstraintSolver::convertContacts(manifolds, manifold_count, info);
  if (carry) {
    Remember([&] { memory_.ApplyFriction(Pools(), info, manifolds, manifold_count); });
  }
}

void Solver::convertJoints(btTypedConstraint** constraints, int constraint_count,
                           const btContactSolverInfo& info) {
  btSequentialImpulseConstraintSolver::convertJoints(constraints, constraint_count, info);
  if (!refused_ && options_.warm_start_joints &&
      (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0) {
    Remember([&] { memory_.ApplyJoints(Pools(), info); });
  }
}

template <class Action>
void Solver::Remember(const Action& action) {
  try {
    action();
  } catch (...) {
    // Out of memory: a warm start is missing, and nothing else.
    memory_.Clear();
  }
}

btScalar Solver::solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  if (refused_ || !TrySolve(info, drawer)) {
    ++fallbacks_;
    ++current_.fallbacks;
    current_.status = Status::kNumericalFailure;
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  }
  // Penetrations are a problem of their own, with velocities of their own.
  if (!CorrectPositions(info)) {
    solveGroupCacheFriendlySplitImpulseIterations(bodies, body_count, manifolds, manifold_count,
                                                  constraints, constraint_count, info, drawer);
  }
  // Joints of Bullet 2.7x that have no rows; everything else does nothing here.
  for (int i = 0; i < constraint_count; ++i) {
    if (!constraints[i]->isEnabled() || m_tmpConstraintSizesPool[i].m_numConstraintRows > 0) {
      continue;
    }
    const int a = getOrInitSolverBody(constraints[i]->getRigidBodyA(), info.m_timeStep);
    const int b = getOrInitSolverBody(constraints[i]->getRigidBodyB(), info.m_timeStep);
    constraints[i]->solveConstraintObsolete(m_tmpSolverBodyPool[a], m_tmpSolverBodyPool[b],
                                            info.m_timeStep);
  }
  m_analyticsData.m_numSolverCalls++;
  m_analyticsData.m_numIterationsUsed = extractor_.problem().rows() > 0 ? solve_.iterations : 0;
  m_analyticsData.m_islandId = body_count > 0 ? bodies[0]->getCompanionId() : -2;
  m_analyticsData.m_numBodies = body_count;
  m_analyticsData.m_numContactManifolds = manifold_count;
  return 0;
}

bool Solver::WithinBudget() const {
  const bool timed = options_.solve.deadline < std::numeric_limits<double>::infinity();
  return options_.budget && solver_.takes_budget() && !timed;
}

double Solver::Budget(int rows, const btContactSolverInfo& info) const {
  if (!WithinBudget()) return std::numeric_limits<double>::infinity();
  const int iterations = std::max(info.m_numIterations, m_maxOverrideNumSolverIterations);
  return StepBudget(rows, iterations, info.m_timeStep);
}

bool Solver::PositionsApart(btPersistentManifold* const* manifolds, int manifold_count,
                            int constraint_count, const btContactSolverInfo& info) const {
  if (!options_.correct_positions || !info.m_splitImpulse) return false;
  constexpr int kContactRows = 3, kJointRows = 6;
  int rows = kJointRows * constraint_count;
  for (int i = 0; i < manifold_count; ++i) rows += kContactRows * manifolds[i]->getNumContacts();
  return solver_.SolvesExactly(rows, Budget(rows, info));
}

SolveOptions Solver::StepOptions(const btContactSolverInfo& info) const {
  SolveOptions options = options_.solve;
  if (options.relative_tolerance == 0) {
    options.relative_tolerance = StepTolerance(info.m_timeStep);
  }
  if (!(options_.budget && solver_.takes_budget()) && options_.iterations_of_world) {
    options.max_iterations = std::max(info.m_numIterations, m_maxOverrideNumSolverIterations);
  }
  return options;
}

bool Solver::CorrectPositions(const btContactSolverInfo& info) {
  if (!positions_apart_) return false;
  if (extractor_.problem().rows() == 0) return true;
  try {
    return correction_.Solve(extractor_, solution_, info, options_.solve.law, solve_.converged());
  } catch (...) {
    return false;
  }
}

bool Solver::TrySolve(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const bool say = trouble_.empty();
  const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0;
  try {
    extractor_.Extract(Pools(), info, false);
    const Problem& problem = extractor_.problem();
    if (problem.rows() == 0) return true;
    if (warm) extractor_.ReadImpulses(x0_);
    solver_.Solve(problem, StepOptions(info), Budget(problem.rows(), info), warm ? &x0_ : nullptr,
                  solution_, solve_);
    const bool stopped = solve_.status == Status::kNumericalFailure;
    if (stopped || !extractor_.Write(solution_)) {
      const std::string why(stopped ? solver_.trouble() : "has impulses beyond Bullet's range");
      Trouble("nonsmooth::bullet::Solver: " + std::string(this->info().name) + " " + why +
                  "; Bullet's iterations stand in",
              say, drawer);
      return false;
    }
  } catch (const std::exception& error) {
    Trouble(std::string("nonsmooth::bullet::Solver: Bullet's iterations stand in: ") + error.what(),
            say, drawer);
    return false;
  } catch (...) {
    Trouble("nonsmooth::bullet::Solver: Bullet's iterations stand in: unknown exception", say,
            drawer);
    return false;
  }
  Count(solve_);
  if (warm && options_.warm_start_joints) Remember([&] { memory_.StoreJoints(Pools()); });
  if (warm && options_.warm_start_friction) Remember([&] { memory_.StoreFriction(Pools()); });
  return true;
}

void Solver::Count(const Result& solve) {
  current_.Add(extractor_.problem().rows(), extractor_.problem().contacts(), solve.energy);
  current_.iterations += solve.iterations;
  current_.status = std::max(current_.status, solve.status);
  current_.solve_seconds += solve.seconds.total();
  current_.fallbacks += solve.fallbacks;
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
