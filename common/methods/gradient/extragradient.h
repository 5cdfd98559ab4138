// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"

namespace nonsmooth {

struct ExtragradientOptions {
  /// [-] 0 < ν < 1. A step is accepted where τ ‖F(x) − F(x̄)‖ ≤ ν ‖x − x̄‖.
  double accept = 0.9;

  /// [-] Below this ratio the next step is longer.
  double lengthen = 0.3;

  /// [-] What a step is multiplied or divided with.
  double factor = 2.0 / 3;
};

/// Korpelevich's extragradient method with the step rule of Khobotov: G. Korpelevich, "The
/// extragradient method for finding saddle points and other problems", Matecon 12 (1976);
/// E. Khobotov, USSR Comput. Math. Math. Phys. 27 (1987); for contact V. Acary, M. Brémond, O.
/// Huber, INRIA RR-9118 (2018), Algorithm 1, FP-EG-UPK. With F(x) = ŵ(A x + b), in the metric D of
/// the effective masses,
///
///     x̄ = Π_K(x − τ D⁻¹ F(x)),   x ← Π_K(x − τ D⁻¹ F(x̄)).
///
/// Converges wherever F is monotone, symmetric or not, singular or not; De Saxcé's term spoils the
/// proof, yet divergence has not been seen. Slow: the one to fall back on.
class ExtragradientSolver final : public Solver {
 public:
  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

 private:
  bool Project(const std::vector<double>& from, const std::vector<double>& force, Monitor& monitor,
               std::vector<double>& to) const;
  void Force(const std::vector<double>& x, std::vector<double>& w, std::vector<double>& force);

  ExtragradientOptions options_;
  const FeasibleSet* set_ = nullptr;
  OperatorWorkspace workspace_;
  double step_ = 1;  ///< τ
  std::vector<double> w_;
  std::vector<double> force_;  ///< F(x)
  std::vector<double> trial_;  ///< x̄
  std::vector<double> trial_force_;
};

}  // namespace nonsmooth
