// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "option_field.h"

namespace nonsmooth {

/// What every solver understands: the law, and when to stop. A solve stops at whichever comes
/// first.
struct SolveOptions {
  /// The friction law to solve under; `native` is what the engine posed.
  Law law{LawKind::kNative, 0};

  /// [iterations] 1000 lets the first-order solvers reach 1e-8 on piles of a few thousand contacts.
  int max_iterations = 1000;

  /// [J] Converged below this energy error. 0: only the relative tolerance counts.
  double energy_tolerance = 0;

  /// [-] Converged below this multiple of the step's free energy: the same in a watch and in a
  /// bridge. 1e-8 of the energy is about 1e-4 of the velocity.
  double relative_tolerance = 1e-8;

  /// [s] Wall clock from the start of the solve, preparation included. Checked inside the
  /// iteration.
  double deadline = std::numeric_limits<double>::infinity();

  /// [iterations] The energy error is measured, and the best iterate kept, every so often and at
  /// the end. 1 makes the returned iterate the best of all; each measurement costs up to one
  /// sweep, so that real-time users choose 5 or 10. Methods that factorise measure all.
  int measure_every = 1;

  /// Return the measured iterate of least error, which for pivoting methods and whoever else is
  /// stopped on the way need not be the last (Enzenhöfer et al., Discussion). false: the last one
  /// measured, for seeing what that is worth.
  bool least_error = true;

  /// Stalled if this many iterations have not lowered the least error by a thousandth. 0: never.
  int stall_iterations = 0;

  /// Solve the parts of a problem that have nothing to do with each other one by one: each takes
  /// the iterations that it needs, and meets the tolerances by itself (energy_tolerance in
  /// proportion to its rows). false: the problem is iterated as a whole, as most engines do.
  bool islands = true;

  /// Islands are solved on so many threads at once; 0: as many as the machine has. The results are
  /// the same to the bit, unless a deadline cuts them short.
  int threads = 1;

  /// Keep one record per measured iteration.
  bool history = false;
};

OptionFields Fields(SolveOptions& options);

}  // namespace nonsmooth
