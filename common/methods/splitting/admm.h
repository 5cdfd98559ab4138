// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/anderson.h"
#include "../../linalg/regularised_system.h"
#include "../../solver/solver.h"
#include "../../solver/timed_work.h"

namespace nonsmooth {

/// Fitted on FCLIB's files and towers of boxes, docs/tuning.md.
struct AdmmTuning {
  /// [iterations] Before ρ is balanced for the first time, and between two looks at the factors.
  int first_balance = 10;

  /// [-] What the interval to the next balance grows by, so that ρ settles.
  double interval_growth = 1.5;

  /// [-] Change of ρ below which a factorisation is not worth it.
  double least_change = 4;
};

struct AdmmOptions {
  /// [-] > 0. The first penalty ρ, in units of the effective masses: 1 makes a row that stands
  /// alone converge by halves. Rows that many contacts share prefer less.
  double penalty = 0.1;

  /// Change ρ where one residual outruns the other. Every change costs a factorisation.
  bool adaptive = true;

  /// [-] 1 ≤ α < 2. Over-relaxation; 1.6 is what most of the literature ends up with.
  double relaxation = 1.6;

  /// [iterates] Of Anderson's mixing; 0: none. Sixteen vectors twice, and a tenfold gain on
  /// stacks.
  int memory = 16;
};

/// The alternating direction method of multipliers on x = y, x free and y in K: S. Boyd et al.,
/// "Distributed optimization and statistical learning via ADMM", 2011, Sect. 3.1 and 3.4; for
/// contact A. Tasora, D. Mangoni, S. Benatti, R. Garziera, "Solving variational inequalities and
/// cone complementarity problems in nonsmooth dynamics using the alternating direction method of
/// multipliers", IJNME 122 (2021); with De Saxcé's term J. Carpentier, Q. Le Lidec, L. Montaut,
/// "From compliant to rigid contact simulation", RSS 2024, Algorithm 1. In the metric D of the
/// effective masses and with z = y + u, u the scaled multiplier, one iteration is
///
///     y = Π_K(z),  u = z − y,  s = De Saxcé's term at ŵ = −ρ D u,
///     (A + ρ D) x = ρ D (y − u) − b − s,      z ← z + α (x − y).
///
/// ρ D makes any A regular: redundant contacts need no care. Measured is x with its own w, at a
/// product with A: on joints that contradict each other the w of the linear system,
/// ρ D (y − u − x) − s, is worth nothing where ρ has become small. There ρ goes up again, a
/// fallback.
///
/// Deviations: Anderson mixing over z; ρ is balanced after B. Stellato et al., "OSQP", 2020, Eq.
/// 28, and at ever longer intervals, so that it settles.
class AdmmSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

 private:
  bool FactoriseWithPenalty();
  bool Factorise(Monitor& monitor);
  bool Step(std::vector<double>& x, Monitor& monitor);
  bool FactorsSuffice(const std::vector<double>& x, double tolerance);
  void Balance(const std::vector<double>& x, Monitor& monitor);
  void ChangePenalty(double rho, Monitor& monitor);

  AdmmOptions options_;
  AdmmTuning tuning_;
  const FeasibleSet* set_ = nullptr;
  RegularisedSystem system_;
  TimedWork factorisation_;
  std::vector<double> blocks_;  ///< ρ D
  Anderson anderson_;
  OperatorWorkspace workspace_;
  double rho_ = 1;
  double least_rho_ = 0;  ///< that the factors are exact enough for
  int next_balance_ = 0;  ///< iteration
  int interval_ = 0;
  bool balancing_ = false;  ///< the last step was a plain one, so that residuals can be compared
  std::vector<double> w_;   ///< as the linear system has it
  std::vector<double> true_w_;
  std::vector<double> y_;
  std::vector<double> last_y_;
  std::vector<double> z_;
  std::vector<double> image_;  ///< of z under one iteration
};

}  // namespace nonsmooth
