// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../law/feasible_set.h"
#include "../../solver/monitor.h"

namespace nonsmooth {

/// The problem as methods for convex problems see it,
///
///     find x ∈ K:  (A x + b + s)ᵀ (y − x) ≥ 0  for all y ∈ K,
///
/// with K convex and s constant. Laws `ccp` and `box` are of this form with s = 0. For the others K
/// and s are what the law is at some x, and are renewed from time to time: De Saxcé's term of `ncp`
/// and `pyramid` is frozen as s (the fixed point of Acary, Cadoux, Lemaréchal, Malick, "A
/// formulation of the linear discrete Coulomb friction problem via convex optimization", ZAMM 2011,
/// Sect. 3.3), the bounds of `coupled_box` at the normal impulses.
///
/// Deviation: the convex problems are not solved to the end but only until their own error is a
/// fraction of the true one.
///
/// All steps and norms are in the metric D = diag(a) of the set's weights, ‖x‖² = Σ a_i x_i², which
/// measures in joules, makes a step of length one right for a single row, and is the metric that
/// the projections are taken in.
class ConvexifiedProblem {
 public:
  /// Lays out what a solve needs; `set` outlives it. Reuses memory.
  void Prepare(const FeasibleSet& set);

  int rows() const { return static_cast<int>(shift_.size()); }
  const std::vector<double>& weights() const { return set_->weights(); }

  /// Makes K and s what the law is at (x, w), w = A x + b.
  void Renew(const double* x, const double* w);

  /// Reports the iterate to the monitor, and renews K and s if the convex problem's error is at
  /// most `fraction` of the true one. True: go on.
  bool Continue(const double* x, const double* w, double fraction, Monitor& monitor);

  /// The last Continue() has renewed the problem: memory of earlier steps is void.
  bool renewed() const { return renewed_; }

  /// The energy error [J] that the last Continue() measured, and whether it did.
  double energy() const { return energy_; }
  bool measured() const { return measured_; }

  /// to ← Π_K(x − step · D⁻¹ (w + s)). False if the deadline passed on the way.
  bool ProjectedStep(const double* x, const double* w, double step, Monitor& monitor,
                     double* to) const;

  /// (w + s)ᵀ d.
  double Slope(const double* w, const double* d) const;

 private:
  double ConvexEnergy(const double* x, const double* w);

  const FeasibleSet* set_ = nullptr;
  FeasibleSet frozen_;
  bool convex_ = true;  ///< the law is: nothing to freeze, nothing to renew
  bool renewed_ = false;
  bool measured_ = false;
  double energy_ = 0;
  int since_check_ = 0;
  std::vector<double> shift_;
};

}  // namespace nonsmooth
