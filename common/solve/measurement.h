// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../error/energy_error.h"
#include "../solver/result.h"
#include "../util/thread_team.h"

namespace nonsmooth {

/// What belongs to an x, and how wrong it is; on several threads where a problem is large. The sums
/// are made in the same order for any number of them.
class Measurement {
 public:
  void UseThreads(int count) { threads_ = count; }

  /// w ← A x + b and v ← v_free + M⁻¹ Jᵀ x.
  void Evaluate(const Problem& problem, Solution& solution);

  /// The energy error of all groups.
  EnergyError Measure(const FeasibleSet& set, double free_energy, const Solution& solution);

  /// The error of x = 0.
  double FreeEnergyOf(const FeasibleSet& set);

  /// The same of every island, group by group as they stand in memory. Scales stay as they are in
  /// `errors`.
  void FreeEnergies(const FeasibleSet& set, const Islands& islands,
                    std::vector<EnergyError>& errors);
  void Measure(const FeasibleSet& set, const Islands& islands, const Solution& solution,
               std::vector<EnergyError>& errors);

 private:
  IndexRange Stretch(std::size_t first, std::size_t last) const {
    return {groups_.data() + first, groups_.data() + last};
  }
  void CountGroups(const Problem& problem);

  int threads_ = 1;
  ThreadTeam team_;
  OperatorWorkspace workspace_;
  std::vector<int> groups_;  ///< 0, 1, 2 …
  std::vector<EnergyError> parts_;
};

}  // namespace nonsmooth
