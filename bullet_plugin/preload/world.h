// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <BulletDynamics/Dynamics/btDynamicsWorld.h>

#include <memory>
#include <string>

#include "../../recorders/run/run.h"
#include "../precision.h"
#include "../solver.h"

namespace nonsmooth::bullet {
inline namespace NONSMOOTH_BULLET_PRECISION {

/// A world of a program that knows nothing of us. While it steps, a solver of ours stands in the
/// place of its own: one that solves, one that only records, or both. Between steps everything is
/// as the program left it.
///
/// Only where the solver is exactly one of Bullet's own: what a class of the program's does besides
/// is not known.
class PreloadedWorld : public Run::Entry {
 public:
  PreloadedWorld(int number, btDynamicsWorld& world);
  ~PreloadedWorld() override;

  /// Calls `step(call)`, which steps the world. Throws what that throws, and nothing else.
  int Step(int (*step)(void*), void* call);

  /// A solver that stands in for another of the same kind.
  class StandIn;

 private:
  StandIn* StandInFor(btConstraintSolver* theirs);
  std::unique_ptr<StandIn> Make(btConstraintSolver& theirs);
  std::string WhyNot(const btConstraintSolver& theirs) const;
  Options SolverOptions(const RunSettings& settings);

  btDynamicsWorld& world_;
  RunWorld run_;
  btConstraintSolver* theirs_ = nullptr;  ///< that stand_in_ was made for
  std::unique_ptr<StandIn> stand_in_;
  bool left_alone_ = false;
  bool stepping_ = false;
};

}  // namespace NONSMOOTH_BULLET_PRECISION
}  // namespace nonsmooth::bullet
