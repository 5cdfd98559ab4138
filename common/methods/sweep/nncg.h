// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../../solver/solver.h"
#include "../../util/thread_team.h"
#include "gauss_seidel.h"

namespace nonsmooth {

/// Fitted on the captured walls, docs/tuning.md.
struct NncgTuning {
  /// [-] A plain sweep that leaves less than this of the error needs no help. Only where
  /// plain_sweeps is not 0.
  double fast = 0.7;
};

struct NncgOptions {
  /// Forward and backward sweep in one iteration, twice the cost: the sweep is then its own
  /// adjoint on the rows that stick, which conjugate directions presuppose.
  bool symmetric = false;

  /// [iterations] Plain sweeps before the first conjugate direction, and, where it is not 0, until
  /// they become slow: the first directions often raise the error, which a budget of a few
  /// iterations does not make up for.
  int plain_sweeps = 0;
};

/// Nonlinear conjugate gradients on the fixed-point residual of a projected Gauss–Seidel sweep:
/// M. Silcowitz-Hansen, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient method for
/// interactive contact force problems", The Visual Computer 26, 2010, Algorithm 1: Fletcher–Reeves
/// with a restart where β > 1.
///
/// Deviations: norms are weighted by the effective masses, so that β does not depend on units; a
/// direction that has raised the energy error is dropped, without which walls and towers take ten
/// times as many iterations; the impulses that an extrapolation has carried out of their bounds
/// are projected by the sweep that follows, and the result of a sweep is what is measured and
/// returned.
class NncgSolver final : public Solver {
 public:
  OptionFields Options() override;
  void UseThreads(int count) override { threads_ = count; }
  OptionFields Tuning() override;
  bool Smooths() const override { return true; }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  NncgOptions& options() { return options_; }

 private:
  template <class Job>
  void ForStretches(std::size_t size, const Job& job);
  double SquaredStep(const GaussSeidel::State& state);
  void Save(const GaussSeidel::State& state);

  int threads_ = 1;
  ThreadTeam team_;
  NncgOptions options_;
  NncgTuning tuning_;
  std::unique_ptr<GaussSeidel> sweep_;
  std::vector<double> before_;     ///< x and its image before the sweep
  std::vector<double> direction_;  ///< p, and its image
  std::vector<double> sums_;       ///< of stretches
};

}  // namespace nonsmooth
