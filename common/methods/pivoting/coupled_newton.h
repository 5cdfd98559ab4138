// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../law/feasible_set.h"
#include "../../solver/timed_work.h"

namespace nonsmooth {

/// Fitted on Bullet's captured wall, docs/tuning.md.
struct CoupledNewtonTuning {
  /// [iterations] Steps without a lower error before it gives up.
  int patience = 4;

  /// [-] ρ of the first step.
  double regularisation = 1e-5;
};

/// Newton's method on the index sets of a problem under `coupled_box`: the sets are read off the
/// natural map at x, and then all equations solved together,
///
///     w_F = 0,   x = bound,   x_t = ± μ x_n where a row slides,
///
/// a linear system that is not symmetric because friction follows the normal impulse. Where the
/// sets are right one step solves the problem; it has no guarantee from afar. ρ diag(A) (x − x_k)
/// is added to the free rows, which keeps redundant contacts apart and is nothing at the solution.
class CoupledNewton {
 public:
  CoupledNewton();
  ~CoupledNewton();

  /// Steps from x until the monitor says stop (false) or the error has not fallen for a few steps
  /// (true); x is then anywhere. Every step is an iteration.
  bool Run(const FeasibleSet& set, std::vector<double>& x, Monitor& monitor);

  void AddTuning(OptionFields* fields);

 private:
  struct System;
  void ReadSets(const FeasibleSet& set, const std::vector<double>& x);
  bool Step(const FeasibleSet& set, double regularisation, std::vector<double>& x);

  std::unique_ptr<System> system_;
  TimedWork factorisation_;
  CoupledNewtonTuning tuning_;
  std::vector<double> w_;
  std::vector<int> place_;     ///< among the free rows, −1: not free
  std::vector<int> normal_;    ///< of a sliding row, −1: does not slide
  std::vector<double> slope_;  ///< ± μ of a sliding row
  std::vector<double> bound_;  ///< of the other rows that are not free
  OperatorWorkspace workspace_;
};

}  // namespace nonsmooth
