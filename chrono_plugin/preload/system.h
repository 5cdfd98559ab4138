// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "../../recorders/run/run.h"
#include "../options.h"
#include "chrono/physics/ChSystem.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

class Solver;

/// A system of a program that knows nothing of us. While it steps, a solver of ours stands in the
/// place of its own, with that one to fall back on; or one that only records; or both. Between
/// steps the system has the solver that the program gave it.
class PreloadedSystem : public Run::Entry {
 public:
  PreloadedSystem(int number, ::chrono::ChSystem& system);
  ~PreloadedSystem() override;

  /// Calls `step(call)`, which advances the system. Throws what that throws, and nothing else.
  int Step(int (*step)(void*), void* call);

 private:
  std::shared_ptr<::chrono::ChSolver> StandInFor(const std::shared_ptr<::chrono::ChSolver>& theirs);
  std::shared_ptr<::chrono::ChSolver> Make(const std::shared_ptr<::chrono::ChSolver>& theirs);
  Options SolverOptions(const RunSettings& settings);
  std::string Report() const;

  ::chrono::ChSystem& system_;
  RunWorld run_;
  std::shared_ptr<::chrono::ChSolver> theirs_;  ///< that stand_in_ was made for
  std::shared_ptr<::chrono::ChSolver> stand_in_;
  std::shared_ptr<Solver> solver_;  ///< ours, if there is one
  bool left_alone_ = false;
  bool stepping_ = false;
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
