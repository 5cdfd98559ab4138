// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "monitor.h"
#include "option_field.h"

namespace nonsmooth {

/// A method that improves x step by step. One object keeps its workspace between solves: a second
/// solve of equal size allocates nothing. It is only called by the driver, which has validated
/// everything and catches what numerics may throw.
class Solver {
 public:
  virtual ~Solver() = default;

  /// The solver's own options, listed once; the pointers reach into this object.
  virtual OptionFields Options() = 0;

  /// How many threads may be used for one problem from the next Prepare() on; results must not
  /// depend on it. Solvers that cannot use them need not listen.
  virtual void UseThreads(int /*count*/) {}

  /// The numbers in this solver that were fitted to problems rather than chosen, with the defaults
  /// that docs/tuning.md reports on; for measuring what they are worth, not for users.
  virtual OptionFields Tuning() { return {}; }

  /// True if the first iterations take the roughness out of a start: the error of last step's
  /// impulses is mostly that of contacts against their neighbours, which a sweep evens out, and the
  /// load that they carry is kept. Such a solver is given every start, others only one that is
  /// better than zero.
  virtual bool Smooths() const { return false; }

  /// Lays out what the iteration needs. `set` outlives the solve.
  virtual void Prepare(const FeasibleSet& set) = 0;

  /// Iterates from x, which holds the starting point, until `monitor` says stop. What is left in x
  /// does not matter: the monitor has kept the best iterate.
  virtual void Run(std::vector<double>& x, Monitor& monitor) = 0;
};

}  // namespace nonsmooth
