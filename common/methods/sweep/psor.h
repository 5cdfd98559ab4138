// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../solver/solver.h"
#include "../../util/thread_team.h"
#include "gauss_seidel.h"

namespace nonsmooth {

/// Of the momentum. Fitted on FCLIB's files and the captured walls, docs/tuning.md.
struct PsorTuning {
  /// [sweeps] How often momentum is judged by the energy error, at half a sweep each. From 5 to 20
  /// makes no difference on captured steps.
  int judge_every = 20;

  /// [-] Where the error has grown momentum is multiplied by the first, where it has fallen the
  /// second is the share of what is missing that it regains: lost faster than regained, so that
  /// iterates that would go round in circles come down to plain sweeps.
  double keep = 0.5;
  double regain = 0.2;
};

struct PsorOptions {
  /// ω [-], 0 < ω < 2. 1 is plain Gauss–Seidel; above 1 helps long stacks and harms friction.
  double relaxation = 1.0;

  /// β [-], 0 ≤ β ≤ 0.99: every sweep starts from x + β (x − x of the sweep before), as in
  /// Nesterov's method with a constant factor. 0 is PSOR as published; errors that die slowly die
  /// 1/(1 − β) times as fast. Dropped for one sweep, and halved, where the error has grown;
  /// regained where it falls. The method measures that itself, however often the monitor does.
  double momentum = 0.7;

  /// Alternate forward and backward sweeps: information travels a stack both ways in two sweeps,
  /// and results do not favour the order in which contacts were found.
  bool symmetric = false;

  /// Relax the groups one by one in the problem's order, on the assembled A. Several times slower;
  /// for comparing iterates with those of an engine that goes in this order.
  bool in_order = false;
};

/// Projected successive over-relaxation: A. Tasora, "An iterative fixed-point method for solving
/// large complementarity problems in multibody systems", Algorithm 4.1. Matrix-free on packed
/// bodies.
///
/// Deviations: ω/g multiplies the whole residual and the velocities are updated with Δγ (the
/// paper's Eq. 6 and algorithm have slips there); contacts take one step for their rows together
/// and are projected onto the cone of their law, with a safe step size (gauss_seidel.h); sweeps
/// gain momentum unless told not to.
class PsorSolver final : public Solver {
 public:
  OptionFields Options() override;
  void UseThreads(int count) override { threads_ = count; }
  OptionFields Tuning() override;
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  PsorOptions& options() { return options_; }

 private:
  int threads_ = 1;
  ThreadTeam team_;
  PsorOptions options_;
  PsorTuning tuning_;
  std::unique_ptr<GaussSeidel> sweep_;
  std::vector<double> before_;  ///< x of the last sweep but one, and its image
};

}  // namespace nonsmooth
