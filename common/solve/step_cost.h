// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "../problem/problem.h"

namespace nonsmooth {

/// What the solvers cost on a step, in seconds of a nominal core: counted from the pattern of the
/// problem, never measured, so that the same problem costs the same on every machine. A real core
/// may be twice as fast or slow; the ratios hold.
struct StepCost {
  double sweep = 0;            ///< of `psor`: an iteration over all rows
  double exact_setup = 0;      ///< of `exact`: layout, ordering, result
  double exact_iteration = 0;  ///< of `exact`: a factorisation with what goes with it

  /// What a step takes that `exact` solves to 1e-8, as a rule.
  double exact() const { return exact_setup + kExactIterations * exact_iteration; }

  /// The median over the walls, piles and machines of tests/data.
  static constexpr double kExactIterations = 20;
};

/// Predicts the cost of steps. The symbolic factorisation is kept while the pattern stays: then a
/// prediction takes about as long as a sweep.
class StepCostPredictor {
 public:
  StepCostPredictor();
  ~StepCostPredictor();
  StepCostPredictor(StepCostPredictor&&) noexcept;
  StepCostPredictor& operator=(StepCostPredictor&&) noexcept;

  StepCost Predict(const Problem& problem);

  /// The cost of a sweep alone, which needs no ordering.
  double Sweep(const Problem& problem);

  /// What an exact solution costs at the least, however its pattern is: for skipping the ordering
  /// where even that is too much.
  static double LeastOfExact(const Problem& problem);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace nonsmooth
