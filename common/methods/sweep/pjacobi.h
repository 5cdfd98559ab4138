// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"

namespace nonsmooth {

struct PjacobiOptions {
  /// ω [-], 0 < ω < 2. At 1 the objective of a convex law falls in every iteration; what is gained
  /// above 1 depends on how far the scales s_g overestimate.
  double relaxation = 1.0;
};

/// Projected Jacobi: all groups at once,
///
///     x_g ← Π_K(x_g − (ω / s_g) D_g⁻¹ ŵ_g),   D = diag(a),
///
/// in the metric of the weights. Plain Jacobi (s_g = 1) diverges as soon as several contacts share
/// a body. The s_g here make diag(s) D − A positive semidefinite for symmetric A ≥ 0, so that ω = 1
/// always converges for convex laws:
///
/// - packed bodies: mass splitting (R. Tonge, F. Benevolenski, A. Voroshilov, "Mass splitting for
///   jitter-free parallel rigid body simulation", ACM TOG 31, 2012, Sect. 4): each of the n_b
///   groups on a body is given an n_b-th of it, Σ_b J_b M_b⁻¹ J_bᵀ ≤ blockdiag(Σ_b n_b J_g,b M_b⁻¹
///   J_g,bᵀ). Deviation: s_g is then the largest row sum of that block in the metric D, so that
///   coupled rows of one contact are safe too;
/// - otherwise: the largest row sum of |D^-½ A D^-½| over the rows of the group (ℓ1 scaling,
///   A. Baker, R. Falgout, T. Kolev, U. Yang, SIAM J. Sci. Comput. 33, 2011, Eq. 6.1).
class PjacobiSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  PjacobiOptions& options() { return options_; }

  /// s_g of the problem that was prepared last.
  const std::vector<double>& scales() const { return scale_; }

 private:
  void Sweep(std::vector<double>& x, Monitor& monitor) const;

  PjacobiOptions options_;
  const FeasibleSet* set_ = nullptr;
  std::vector<double> scale_;
  std::vector<int> groups_on_body_;
  std::vector<double> w_;
  OperatorWorkspace workspace_;
};

}  // namespace nonsmooth
