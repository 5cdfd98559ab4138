// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bullet_plugin/multibody_solver.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <LinearMath/btIDebugDraw.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
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

/// Bullet gives a tree its place in a group's velocities when it first meets it, and tells from the
/// companion id whether that was before. It forgets that of the group's bodies only: a base that
/// stands still is in no group, and keeps the place it had in another.
void ForgetCompanion(const btCollisionObject* object) {
  const btMultiBodyLinkCollider* link = btMultiBodyLinkCollider::upcast(object);
  if (link != nullptr) link->m_multiBody->setCompanionId(-1);
}

}  // namespace

MultiBodySolver::MultiBodySolver(std::string_view solver_name)
    : MultiBodySolver(solver_name, DefaultsOf(solver_name)) {}

MultiBodySolver::MultiBodySolver(std::string_view solver_name, Options options)
    : driver_(solver_name) {
  m_tmpMultiBodyConstraints = nullptr;
  m_tmpNumMultiBodyConstraints = 0;
  SetOptions(std::move(options));
}

void MultiBodySolver::SetOptions(Options options) {
  Validate("options", Fields(options.solve));
  const Law& law = options.solve.law;
  // Native to a world of this kind is Coulomb's cone or a box, as its mode says.
  const auto kinds = law.kind == LawKind::kNative
                         ? std::vector<LawKind>{LawKind::kNcp, LawKind::kCoupledBox}
                         : std::vector<LawKind>{law.kind};
  for (const LawKind kind : kinds) {
    Require(info().Handles(kind), "solver ", info().name, " does not handle law ", ToString(kind),
            law.kind == LawKind::kNative ? ", which is native to Bullet" : "");
  }
  options_ = std::move(options);
}

void MultiBodySolver::reset() {
  btMultiBodyConstraintSolver::reset();
  memory_.Clear();
  rigid_memory_.Clear();
  steps_ = 0;
  fallbacks_ = 0;
  refusal_.clear();
  trouble_.clear();
}

MultiBodyPools MultiBodySolver::Pools() {
  MultiBodyPools pools;
  pools.rigid = {&m_tmpSolverBodyPool, &m_tmpSolverNonContactConstraintPool,
                 &m_tmpSolverContactConstraintPool, &m_tmpSolverContactFrictionConstraintPool,
                 &m_tmpSolverContactRollingFrictionConstraintPool};
  pools.joints = &m_multiBodyNonContactConstraints;
  pools.contacts = &m_multiBodyNormalContactConstraints;
  pools.friction = &m_multiBodyFrictionContactConstraints;
  pools.rolling = &m_multiBodyTorsionalFrictionContactConstraints;
  pools.spinning = &m_multiBodySpinningFrictionContactConstraints;
  pools.data = &m_data;
  return pools;
}

void MultiBodySolver::prepareSolve(int bodies, int manifolds) {
  btMultiBodyConstraintSolver::prepareSolve(bodies, manifolds);
  current_ = StepResult();
  current_.step = steps_;
}

void MultiBodySolver::allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  btMultiBodyConstraintSolver::allSolved(info, drawer);
  memory_.EndStep();
  rigid_memory_.EndStep();
  result_ = current_;
  ++steps_;
}

void MultiBodySolver::Trouble(const std::string& message, bool say, btIDebugDraw* drawer) {
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

bool MultiBodySolver::Supported(btCollisionObject** bodies, int body_count, btIDebugDraw* drawer) {
  const bool soft = std::any_of(bodies, bodies + body_count, [](const btCollisionObject* object) {
    return (object->getInternalType() & btCollisionObject::CO_SOFT_BODY) != 0;
  });
  if (!soft) return true;
  if (!refusal_.empty()) return false;
  refusal_ =
      "nonsmooth::bullet::MultiBodySolver: the world holds a soft body, which this solver does not "
      "support; its steps are left to Bullet's own iterations";
  Trouble(refusal_, true, drawer);
  return false;
}

void MultiBodySolver::solveMultiBodyGroup(btCollisionObject** bodies, int body_count,
                                          btPersistentManifold** manifolds, int manifold_count,
                                          btTypedConstraint** constraints, int constraint_count,
                                          btMultiBodyConstraint** multibody_constraints,
                                          int multibody_constraint_count,
                                          const btContactSolverInfo& info, btIDebugDraw* drawer,
                                          btDispatcher* dispatcher) {
  const Clock::time_point start = Clock::now();
  refused_ = !Supported(bodies, body_count, drawer);
  btContactSolverInfo changed = info;
  if (!refused_ && NeedsTwoDirections(options_.solve.law)) {
    changed.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    changed.m_solverMode &= ~SOLVER_DISABLE_IMPLICIT_CONE_FRICTION;
  }
  for (int i = 0; i < manifold_count; ++i) {
    ForgetCompanion(manifolds[i]->getBody0());
    ForgetCompanion(manifolds[i]->getBody1());
  }
  for (int i = 0; i < multibody_constraint_count; ++i) {
    for (btMultiBody* body :
         {multibody_constraints[i]->getMultiBodyA(), multibody_constraints[i]->getMultiBodyB()}) {
      if (body != nullptr) body->setCompanionId(-1);
    }
  }
  btMultiBodyConstraintSolver::solveMultiBodyGroup(
      bodies, body_count, manifolds, manifold_count, constraints, constraint_count,
      multibody_constraints, multibody_constraint_count, changed, drawer, dispatcher);
  if (manifold_count + constraint_count + multibody_constraint_count > 0) ++current_.groups;
  current_.seconds += SecondsSince(start);
}

/// In Bullet's own mode of warm starts the rows have theirs already, and the velocities with them.
bool MultiBodySolver::WarmStarts(const btContactSolverInfo& info) const {
  return !refused_ && (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0 &&
         (info.m_solverMode & SOLVER_USE_ARTICULATED_WARMSTARTING) == 0;
}

void MultiBodySolver::convertContacts(btPersistentManifold** manifolds, int manifold_count,
                                      const btContactSolverInfo& info) {
  btMultiBodyConstraintSolver::convertContacts(manifolds, manifold_count, info);
  if (!WarmStarts(info)) return;
  MultiBodyMemory::Share share;
  share.contacts = info.m_warmstartingFactor;
  if (options_.warm_start_friction) share.friction = info.m_warmstartingFactor;
  if (options_.warm_start_joints) share.joints = info.m_warmstartingFactor;
  memory_.Apply(Pools(), share);
}

void MultiBodySolver::convertJoints(btTypedConstraint** constraints, int constraint_count,
                                    const btContactSolverInfo& info) {
  btMultiBodyConstraintSolver::convertJoints(constraints, constraint_count, info);
  if (refused_ || !options_.warm_start_joints ||
      (info.m_solverMode & SOLVER_USE_WARMSTARTING) == 0) {
    return;
  }
  try {
    rigid_memory_.ApplyJoints(Pools().rigid, info);
  } catch (...) {
    rigid_memory_.Clear();  // out of memory: a warm start is missing, and nothing else
  }
}

/// Bullet's iterations take rows on links to be as their velocities are: without a start.
void MultiBodySolver::ForgetStart(const btContactSolverInfo& info) {
  if (!WarmStarts(info)) return;
  const MultiBodyPools pools = Pools();
  for (btMultiBodyConstraintArray* rows : {pools.joints, pools.contacts, pools.friction}) {
    for (int i = 0; i < rows->size(); ++i) (*rows)[i].m_appliedImpulse = btScalar(0);
  }
}

btScalar MultiBodySolver::solveGroupCacheFriendlyIterations(
    btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
    int manifold_count, btTypedConstraint** constraints, int constraint_count,
    const btContactSolverInfo& info, btIDebugDraw* drawer) {
  if (refused_ || !TrySolve(info, drawer)) {
    ++fallbacks_;
    ++current_.fallbacks;
    current_.status = Status::kNumericalFailure;
    ForgetStart(info);
    return btMultiBodyConstraintSolver::solveGroupCacheFriendlyIterations(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer);
  }
  // Penetrations between rigid bodies are a problem of their own; Bullet has none on links.
  solveGroupCacheFriendlySplitImpulseIterations(bodies, body_count, manifolds, manifold_count,
                                                constraints, constraint_count, info, drawer);
  m_analyticsData.m_numSolverCalls++;
  m_analyticsData.m_numIterationsUsed = extractor_.problem().rows() > 0 ? solve_.iterations : 0;
  m_analyticsData.m_islandId = body_count > 0 ? bodies[0]->getCompanionId() : -2;
  m_analyticsData.m_numBodies = body_count;
  m_analyticsData.m_numContactManifolds = manifold_count;
  return 0;
}

bool MultiBodySolver::TrySolve(const btContactSolverInfo& info, btIDebugDraw* drawer) {
  const bool say = trouble_.empty();
  const std::string stand_in = "nonsmooth::bullet::MultiBodySolver: Bullet's iterations stand in: ";
  const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0;
  try {
    extractor_.Extract(Pools(), info, false);
    const Problem& problem = extractor_.problem();
    if (problem.rows() == 0) return true;
    SolveOptions options = options_.solve;
    if (options.relative_tolerance == 0) {
      options.relative_tolerance = StepTolerance(info.m_timeStep);
    }
    if (options_.iterations_of_world) {
      options.max_iterations = std::max(info.m_numIterations, m_maxOverrideNumSolverIterations);
    }
    if (warm) extractor_.ReadImpulses(x0_);
    driver_.Solve(problem, options, warm ? &x0_ : nullptr, solution_, solve_);
    if (solve_.status == Status::kNumericalFailure || !extractor_.Write(solution_)) {
      Trouble(stand_in + std::string(this->info().name) + " broke down numerically", say, drawer);
      return false;
    }
    if (warm && options_.warm_start_joints) {
      memory_.Store(Pools());
      rigid_memory_.StoreJoints(Pools().rigid);
    }
  } catch (const std::exception& error) {
    Trouble(stand_in + error.what(), say, drawer);
    return false;
  } catch (...) {
    Trouble(stand_in + "unknown exception", say, drawer);
    return false;
  }
  current_.Add(extractor_.problem().rows(), extractor_.problem().contacts(), solve_.energy);
  current_.iterations += solve_.iterations;
  current_.status = std::max(current_.status, solve_.status);
  current_.solve_seconds += solve_.seconds.total();
  current_.fallbacks += solve_.fallbacks;
  return true;
}

btScalar MultiBodySolver::solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                                        const btContactSolverInfo& info) {
  // A contact's m_frictionIndex was set before its rolling rows were put in front of the sliding
  // ones; Bullet takes what stands there for sliding friction.
  btMultiBodyConstraintArray& friction = m_multiBodyFrictionContactConstraints;
  for (int i = 0; i < m_multiBodyNormalContactConstraints.size(); ++i) {
    int& first = m_multiBodyNormalContactConstraints[i].m_frictionIndex;
    while (first < friction.size() && friction[first].m_frictionIndex == i &&
           IsTorsional(friction[first])) {
      writeBackSolverBodyToMultiBody(friction[first++], info.m_timeStep);
    }
  }
  for (btMultiBodyConstraintArray* rows : {&m_multiBodyTorsionalFrictionContactConstraints,
                                           &m_multiBodySpinningFrictionContactConstraints}) {
    for (int i = 0; i < rows->size(); ++i) {
      writeBackSolverBodyToMultiBody((*rows)[i], info.m_timeStep);
    }
  }
  return btMultiBodyConstraintSolver::solveGroupCacheFriendlyFinish(bodies, body_count, info);
}

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
