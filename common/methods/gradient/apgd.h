// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "convexified_problem.h"

namespace nonsmooth {

/// See docs/tuning.md.
struct ApgdTuning {
  /// [-] Rise of the energy error over its least at which the method goes back.
  double tolerable_rise = 1e4;
};

struct ApgdOptions {
  /// [-] What the estimate L of the Lipschitz constant is multiplied with after every step, 0 < .
  /// ≤ 1. Below 1 the estimate follows the active contacts down, at the price of a rejected step
  /// now and then.
  double lipschitz_decay = 0.98;

  /// Drop the momentum when it points uphill (O'Donoghue–Candès). Without it the error oscillates.
  bool restart = true;

  /// [-] The friction law is frozen anew once the convex problem's energy error is this fraction of
  /// the true one. Unused for `ccp` and `box`.
  double renewal_fraction = 0.1;
};

/// Accelerated projected gradient descent: H. Mazhar, T. Heyn, D. Negrut, A. Tasora, "Using
/// Nesterov's method to accelerate multibody dynamics with friction and contact", ACM TOG 34
/// (2015), Algorithm 1; restart by the gradient scheme of B. O'Donoghue, E. Candès, "Adaptive
/// restart for accelerated gradient schemes", FoCM 15 (2015), Sect. 3.2.
///
/// Deviations:
/// - all in the metric of the effective masses, which preconditions by the diagonal;
/// - backtracking tests ‖A d‖_{D⁻¹} ≤ L ‖d‖_D, d the step, instead of the objective: it holds for
///   A that are not symmetric (imported problems), loses no digits near the solution, and the
///   measured quotient is the next L;
/// - w at the extrapolated point is extrapolated too, so that an accepted step costs one product;
/// - if the error grows ten-thousandfold over the least, the method goes back to that iterate with
///   twice the L (a fallback in the result): it cannot diverge, whatever A is.
class ApgdSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  ApgdOptions& options() { return options_; }

 private:
  bool Step(std::vector<double>& x, Monitor& monitor);
  void DropMomentum(const std::vector<double>& x);

  ApgdOptions options_;
  ApgdTuning tuning_;
  ConvexifiedProblem problem_;
  const Dynamics* dynamics_ = nullptr;
  OperatorWorkspace workspace_;
  double lipschitz_ = 1;
  double lipschitz_floor_ = 0;  ///< raised by fallbacks
  double theta_ = 1;
  double product_seconds_ = 0;   ///< of a product with A
  std::vector<double> w_;        ///< at x
  std::vector<double> y_, w_y_;  ///< extrapolated point
  std::vector<double> trial_, w_trial_;
  std::vector<double> safe_, w_safe_;  ///< where a fallback goes
};

}  // namespace nonsmooth
