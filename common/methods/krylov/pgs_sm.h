// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../solver/solver.h"
#include "../sweep/gauss_seidel.h"
#include "projected_krylov.h"

namespace nonsmooth {

struct PgsSmOptions {
  /// [iterations] Sweeps between two minimisations: they find which impulses are at their bounds.
  int sweeps = 5;

  /// [iterations] Most steps of a minimisation; a small one spares work on faces that change.
  int subspace_iterations = 30;

  /// [-] A minimisation ends where its residual has fallen to this fraction.
  double subspace_reduction = 0.01;
};

/// Projected Gauss–Seidel with subspace minimisation: J. Morales, J. Nocedal, M. Smelyanskiy, "An
/// algorithm for the fast solution of symmetric linear complementarity problems", Numer. Math. 111,
/// 2008, Algorithm 3.1; for contacts M. Silcowitz-Hansen, S. Niebe, K. Erleben, "Projected
/// Gauss–Seidel subspace minimization method for interactive rigid body dynamics", 2010. Sweeps
/// find the active set, a Krylov method minimises over the rest, the result is projected.
///
/// Deviations: the active set is the face of the law's cone (ConvexFace), with De Saxcé's term
/// frozen; MINRES instead of conjugate gradients or a factorisation, since A may be singular; a
/// minimisation whose result is worse than what the sweeps had made is dropped, and the next ones
/// wait for twice as many sweeps, until one succeeds.
class PgsSmSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override { return krylov_.Tuning(); }
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  PgsSmOptions& options() { return options_; }

 private:
  PgsSmOptions options_;
  std::unique_ptr<GaussSeidel> sweep_;
  ProjectedKrylov krylov_;
};

}  // namespace nonsmooth
