// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/anderson.h"
#include "../../linalg/regularised_system.h"
#include "../../solver/solver.h"

namespace nonsmooth {

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
/// ρ D makes any A regular: redundant contacts and joints need no care. Measured is x, whose
/// w = ρ D (y − u − x) − s costs nothing.
///
/// Deviations: Anderson mixing over z; ρ is balanced after B. Stellato et al., "OSQP", 2020, Eq.
/// 28, and at ever longer intervals, so that it settles.
class AdmmSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

 private:
  bool FactoriseWithPenalty();
  bool Factorise(Monitor& monitor);
  bool Step(std::vector<double>& x, Monitor& monitor);
  void Balance(const std::vector<double>& x, Monitor& monitor);

  AdmmOptions options_;
  const FeasibleSet* set_ = nullptr;
  RegularisedSystem system_;
  std::vector<double> blocks_;  ///< ρ D
  Anderson anderson_;
  OperatorWorkspace workspace_;
  double rho_ = 1;
  int next_balance_ = 0;  ///< iteration
  int interval_ = 0;
  bool balancing_ = false;  ///< the last step was a plain one, so that residuals can be compared
  std::vector<double> w_;
  std::vector<double> y_;
  std::vector<double> last_y_;
  std::vector<double> z_;
  std::vector<double> image_;  ///< of z under one iteration
};

}  // namespace nonsmooth
