// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../error/energy_error.h"

namespace nonsmooth {

/// Why a solve ended. On every status but kNotRun the solution holds the iterate of least energy
/// error among those measured.
enum class Status {
  kNotRun,            ///< Solve was not called, or threw; the solution is untouched
  kConverged,         ///< an energy tolerance was met
  kStalled,           ///< no progress any more, see SolveOptions::stall_iterations
  kIterationLimit,    ///< max_iterations done
  kDeadline,          ///< the wall clock ran out
  kNumericalFailure,  ///< NaN, overflow or a failed factorisation
  kContradictory,     ///< no impulses meet the tolerance, see Result::bound; these come near it
};

std::string_view ToString(Status status);

/// x, w = A x + b and v⁺ in the order of the problem's rows and velocities.
struct Solution {
  std::vector<double> x;  ///< impulses [N s, N m s]
  std::vector<double> w;  ///< constraint velocities [m/s, rad/s]
  std::vector<double> v;  ///< velocities after the step; empty if only A and b are known
};

struct IterationRecord {
  int iteration = 0;   ///< 0 is the start
  double seconds = 0;  ///< since the start of the solve
  double energy = 0;   ///< energy error of this iterate [J]
};

struct PhaseTimes {
  double prepare = 0;  ///< [s] laws, weights, the solver's own layout
  double iterate = 0;  ///< [s]
  double finish = 0;   ///< [s] w, v and errors of what is returned
  double total() const { return prepare + iterate + finish; }
};

/// One island of a problem: what no impulse elsewhere in the problem has an effect on.
struct IslandResult {
  int first_group = -1;  ///< names it: the number of its first group in the problem; −1: none
  int rows = 0;
  Status status = Status::kNotRun;
  int iterations = 0;
  double energy = 0;  ///< its energy error [J]
};

struct Result {
  Status status = Status::kNotRun;
  int iterations = 0;      ///< done
  int best_iteration = 0;  ///< the one that was returned
  EnergyError energy;      ///< of the returned iterate, measured by the driver
  double bound = 0;        ///< [J] proven: no impulses have less error; 0 if nothing is known
  PhaseTimes seconds;
  int fallbacks = 0;   ///< how often something else than the method asked for had to stand in
  std::string remark;  ///< what the solver has to say about itself, and what stood in; may be empty
  std::vector<IterationRecord> history;

  /// Islands were solved by themselves, and the result is all of theirs: the iterations are those
  /// of the island that took most, the status is the worst. Of the worst island the rest is said
  /// here: the one of largest error among those that have not converged, or among all.
  int islands = 0;
  IslandResult worst;

  /// As if new, but for its memory.
  void Clear();

  bool converged() const { return status == Status::kConverged; }
};

}  // namespace nonsmooth
