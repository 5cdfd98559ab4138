// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"
#include "../../solver/monitor.h"
#include "../krylov/convex_stage.h"

namespace nonsmooth {

/// A ConvexStage that gradient methods walk on, renewed while they do. Where the law is convex
/// there is nothing to renew.
///
/// Deviation from Acary et al.: the convex problems are not solved to the end but only until their
/// own error is a fraction of the true one.
///
/// All steps and norms are in the metric D = diag(a) of the set's weights, ‖x‖² = Σ a_i x_i², which
/// measures in joules, makes a step of length one right for a single row, and is the metric that
/// the projections are taken in.
class ConvexifiedProblem {
 public:
  /// Lays out what a solve needs; `set` outlives it. Reuses memory.
  void Prepare(const FeasibleSet& set);

  int rows() const { return stage_.rows(); }
  const std::vector<double>& weights() const { return set_->weights(); }

  /// Makes K and s what the law is at (x, w), w = A x + b.
  void Renew(const double* x, const double* w);

  /// Reports the iterate to the monitor. Every so often, whether the monitor measures or not, it is
  /// checked, and K and s are renewed if the convex problem's error is at most `fraction` of the
  /// true one. True: go on.
  bool Continue(const double* x, const double* w, double fraction, Monitor& monitor);

  /// The last Continue() has renewed the problem: memory of earlier steps is void.
  bool renewed() const { return renewed_; }

  /// The energy error [J] that the last Continue() found, if it has checked the iterate.
  double energy() const { return energy_; }
  bool checked() const { return checked_; }

  /// to ← Π_K(x − step · D⁻¹ (w + s)). False if the deadline passed on the way.
  bool ProjectedStep(const double* x, const double* w, double step, Monitor& monitor,
                     double* to) const;

  /// (w + s)ᵀ d.
  double Slope(const double* w, const double* d) const;

 private:
  const FeasibleSet* set_ = nullptr;
  ConvexStage stage_;
  bool convex_ = true;  ///< the law is: nothing to freeze, nothing to renew
  bool renewed_ = false;
  bool checked_ = false;
  double energy_ = 0;
  int since_check_ = 0;
};

}  // namespace nonsmooth
