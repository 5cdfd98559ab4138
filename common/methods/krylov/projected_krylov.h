// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/monitor.h"
#include "convex_stage.h"

namespace nonsmooth {

/// How the turns of the frozen law are relaxed. Fitted on the captured walls, docs/tuning.md.
struct KrylovTuning {
  /// [-] Of the error from turn to turn, without which turns get shorter.
  double gain = 0.9;

  /// [-] What a turn is then shortened by.
  double shrink = 0.7;

  /// [-] What it is lengthened by otherwise.
  double grow = 1.1;

  /// [-] The shortest turn.
  double least_relaxation = 0.02;
};

/// Moves x towards the solution of a ConvexStage in two ways: projected gradient steps, which
/// change the face of K that x lies on, and MINRES on that face, which does not and is fast. The
/// alternation is that of J. Moré, G. Toraldo, "On the solution of large quadratic programming
/// problems with bound constraints", SIAM J. Optim. 1, 1991, with MINRES (C. Paige, M. Saunders,
/// "Solution of sparse indefinite systems of linear equations", SIAM J. Numer. Anal. 12, 1975) in
/// place of conjugate gradients: redundant constraints make A singular, and where b does not lie
/// in its range MINRES still has a least residual to go for.
///
/// All norms and the preconditioner are those of the weights, D = diag(a). Every product with A
/// that yields an iterate is an iteration of the monitor's.
class ProjectedKrylov {
 public:
  /// `set` outlives it. Reuses memory.
  void Prepare(const FeasibleSet& set);

  /// Goes on from x, in row order.
  void Load(const double* x);
  const std::vector<double>& x() const { return x_; }

  /// Replaces the law by a stage at the present x, and moves x into its K. Turns whose error does
  /// not fall are relaxed, see ConvexStage::Freeze().
  void Freeze(StageKind kind);

  /// The next turn is the first.
  void ForgetTurns();

  /// Reports x to the monitor. True: go on.
  bool Report(Monitor& monitor);

  /// The energy error [J] of the law itself at x.
  double Energy() const;

  /// One spectral projected gradient step (Barzilai–Borwein length, exact line search along the
  /// feasible direction), not reported.
  void GradientStep();

  /// True if x has not left its face since the last Krylov().
  bool SameFace();

  /// At most `most` steps of MINRES on the present face, or until the residual has fallen to
  /// `reduction` of what it was; then a search along the projected path for a lower objective.
  /// False: the monitor has ended the solve.
  bool Krylov(int most, double reduction, Monitor& monitor);

  /// Energy error [J] of the stage's own problem.
  double StageEnergy();

  OptionFields Tuning();

 private:
  void Multiply(const double* x, double* y);
  bool Minres(int most, double reduction, Monitor& monitor);
  bool SearchProjectedPath();

  const FeasibleSet* set_ = nullptr;
  const Dynamics* dynamics_ = nullptr;
  OperatorWorkspace workspace_;
  KrylovTuning tuning_;
  ConvexStage stage_;
  ConvexFace face_;
  ConvexFace last_face_;
  double relaxation_ = 1;
  double frozen_energy_ = 0;             ///< at the last turn [J]
  double step_ = 1;                      ///< Barzilai–Borwein
  std::vector<double> x_, w_;            ///< w = A x + b
  std::vector<double> start_, w_start_;  ///< before the Krylov phase
  std::vector<double> trial_, w_trial_;
  std::vector<double> p_, ap_;             ///< a direction and A times it
  std::vector<double> d_[3], ad_[3];       ///< MINRES' directions and A times them
  std::vector<double> lanczos_[3], z_[2];  ///< on the face
};

}  // namespace nonsmooth
