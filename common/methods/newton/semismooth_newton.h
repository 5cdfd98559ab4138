// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../solver/solver.h"
#include "../../solver/timed_work.h"
#include "../sweep/gauss_seidel.h"
#include "newton_map.h"
#include "newton_system.h"

namespace nonsmooth {

/// Fitted on the captured walls and FCLIB's files, docs/tuning.md.
struct NewtonTuning {
  /// [-] What ρ is multiplied with after a full step.
  double rho_fall = 0.2;

  /// [-] And after a refused one.
  double rho_rise = 10;

  /// [-] Steps below are half-way to being refused.
  double short_step = 0.2;

  /// [sweeps] From the best iterate, the first time that no κ helps.
  int fallback_sweeps = 20;

  /// [sweeps] The same later: out of a local minimum the error rises first.
  int more_fallback_sweeps = 200;

  /// [iterations] In which a κ has to lower the merit.
  int phase_length = 25;

  /// [-] To this share, or the next κ is tried.
  double phase_fall = 0.1;
};

struct NewtonOptions {
  /// Gauss–Seidel sweeps before the first Newton step: they tell which contacts hold and which
  /// way the others slide, for far less than one factorisation.
  int sweeps = 5;

  /// Regularise by a proximal term ρ: without it a rank-deficient A makes the systems singular.
  bool proximal = true;

  /// ρ of the first step [-], as a multiple of the effective masses' inverses. It falls with every
  /// full step and rises where steps are refused.
  double proximal_start = 1e-3;

  /// Halve steps that do not lower the merit ½‖F‖²; otherwise every step is taken in full.
  bool line_search = true;

  /// [iterations] The merit must fall below the largest of so many before it. With 1 the methods
  /// creep where contacts change between sticking and sliding: there the merit of good steps
  /// rises at first.
  int memory = 5;
};

/// Semismooth Newton iteration F(x, A x + b) = 0 on one of the maps of NewtonMap, the engine of
/// `alart_curnier`, `fischer_newton` and `minmap_newton`:
///
///     dx from  F'(x) (A + ρD) dx = −F(x),   x ← x + α dx,
///
/// with α by a non-monotone line search (L. Grippo, F. Lampariello, S. Lucidi, "A nonmonotone line
/// search technique for Newton's method", SIAM J. Numer. Anal. 23, 1986). ρ makes each step one of
/// the proximal-point method (R.T. Rockafellar, SIAM J. Control Optim. 14, 1976), centred at x and
/// with a single Newton step per centre: V. Acary, M. Brémond, O. Huber, "On solving contact
/// problems with Coulomb friction", 2018, Sect. 4.5 solve each one to a tolerance. ρ → 0 as the
/// iteration converges, so that convergence is superlinear, and on the null space of A, where
/// impulses are not unique, x just stays.
///
/// Where the merit does not fall to a tenth in some dozen iterations, or no step is accepted at any
/// ρ, κ of y = x − κ w is changed; where no κ helps, Gauss–Seidel sweeps from the best iterate
/// stand in. Each such occasion is counted as a fallback.
class SemismoothNewton {
 public:
  static void AddFields(NewtonOptions& options, OptionFields& fields);
  OptionFields Tuning();

  void Prepare(const FeasibleSet& set, NewtonMapKind kind);
  void Run(const NewtonOptions& options, std::vector<double>& x, Monitor& monitor);

 private:
  double Merit(const std::vector<double>& x, const std::vector<double>& w, double kappa) const;
  bool Report(Monitor& monitor);
  void Accept();
  void Sweep(int count, Monitor& monitor);
  bool Step(const NewtonOptions& options, Monitor& monitor);
  bool FallBack(const NewtonOptions& options, Monitor& monitor);

  const FeasibleSet* set_ = nullptr;
  NewtonTuning tuning_;
  NewtonMap map_;
  NewtonSystem system_;
  TimedWork factorisation_;
  std::unique_ptr<GaussSeidel> gauss_seidel_;
  double rho_ = 0;
  int phase_ = 0;  ///< index of κ
  double kappa_ = 1;
  int phase_iterations_ = 0;
  double phase_merit_ = 0;  ///< least merit when the phase began
  int idle_phases_ = 0;     ///< that have not lowered it by half
  double best_merit_ = 0;   ///< at κ = 1
  std::vector<double> recent_;
  int recent_next_ = 0;
  std::vector<double> x_, w_, dx_, dw_, trial_, w_trial_, best_;  ///< scaled
  std::vector<double> rows_, w_rows_;                             ///< x and w in row units
};

}  // namespace nonsmooth
