// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "../recorders/capture/body_shape.h"
#include "../recorders/capture/captured_step.h"
#include "alignment.h"
#include "extractor.h"

namespace chrono {
class ChBody;
class ChSystem;
}  // namespace chrono

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// A subproblem of a Chrono system as a capture keeps it: the problem before the solve, the
/// solution after it, and the geometry of bodies and contacts.
///
/// Packed problems are turned into world axes, as all captures have them, and velocities are taken
/// out of Chrono's f = M v + h F: the same A and b up to rounding. The sparse form is kept as
/// Chrono posed it. Changes nothing in the system.
class StepSnapshot {
 public:
  /// `system` outlives this.
  explicit StepSnapshot(::chrono::ChSystem& system) : system_(&system) {}

  /// Time, step and gravity of what is about to be solved.
  StepInfo Info() const;

  /// Before the solve. Throws as Extractor::Read() does.
  void Before(::chrono::ChSystemDescriptor& descriptor);

  /// The shapes of bodies that were not in the system at the call before.
  std::vector<BodyShape> NewShapes();

  /// After it: fills all of `step` but its info and measures.
  void After(CapturedStep& step);

 private:
  void FindBodies();
  void ReadStates();
  void ReadContacts();
  void PoseInWorldAxes();

  ::chrono::ChSystem* system_;
  Extractor extractor_;
  std::vector<::chrono::ChBody*> body_of_;  ///< by packed index; null: not a body of the system
  std::vector<::chrono::ChBody*> active_;
  Problem problem_;
  std::vector<BodyState> states_;
  std::vector<ContactGeometry> contacts_;
  std::set<int> shaped_;             ///< bodies whose shapes were handed out
  std::vector<std::uint64_t> keys_;  ///< of contact groups, in their order
};

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
