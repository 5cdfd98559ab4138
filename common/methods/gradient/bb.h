// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "../../solver/solver.h"
#include "convexified_problem.h"

namespace nonsmooth {

struct BbOptions {
  /// M [steps], 1 to 32. The objective may rise above its last value but not above its largest of
  /// the last M: Barzilai–Borwein steps live from this freedom. 10 is Birgin et al.'s choice.
  int memory = 10;

  /// γ [-] A step must gain this fraction of what the slope promises.
  double sufficient_decrease = 1e-4;

  /// Take the long step ‖s‖²/sᵀy and the short one sᵀy/‖y‖² in turn instead of always the long one.
  bool alternate = true;

  /// [-] The friction law is frozen anew once the convex problem's energy error is this fraction of
  /// the true one. Unused for `ccp` and `box`.
  double renewal_fraction = 0.3;
};

/// Spectral projected gradient with Barzilai–Borwein steps: E. Birgin, J. Martínez, M. Raydan,
/// "Nonmonotone spectral projected gradient methods on convex sets", SIAM J. Optim. 10 (2000),
/// Algorithm SPG2; for contact problems T. Heyn et al., "Using Krylov subspace and spectral methods
/// for solving complementarity problems in many-body contact dynamics simulation", IJNME 95 (2013).
///
/// Deviations:
/// - all in the metric of the effective masses, which preconditions by the diagonal;
/// - the objective is not evaluated but summed up along the path, λ gᵀd + ½ λ² dᵀA d per step,
///   relative to the present iterate: no digits are lost near the solution, and A need not be
///   symmetric;
/// - along d the objective is a parabola, so that the first λ that would pass is known without
///   trials: 1, or the parabola's minimum.
class BbSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  BbOptions& options() { return options_; }

  static constexpr int kMostMemory = 32;

 private:
  /// x ← Π_K(x): the line search moves inside K, which a start from outside, or bounds that have
  /// just been renewed, would break.
  bool MakeFeasible(std::vector<double>& x, Monitor& monitor);
  bool Step(std::vector<double>& x, Monitor& monitor);
  void ForgetPath();

  BbOptions options_;
  ConvexifiedProblem problem_;
  const Dynamics* dynamics_ = nullptr;
  OperatorWorkspace workspace_;
  double step_ = 1;
  int steps_ = 0;                           ///< since the path was forgotten
  std::array<double, kMostMemory> path_{};  ///< objective of the last M iterates above the present
  std::vector<double> w_;                   ///< at x
  std::vector<double> d_, ad_;              ///< direction, A d
};

}  // namespace nonsmooth
