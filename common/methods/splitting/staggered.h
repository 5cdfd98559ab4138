// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "../krylov/projected_krylov.h"

namespace nonsmooth {

/// See docs/tuning.md.
struct StaggeredTuning {
  /// [-] Gradient steps between two Krylov phases.
  int search_steps = 3;

  /// [-] A face is left where its residual has fallen to this fraction.
  double face_reduction = 0.1;
};

struct StaggeredOptions {
  /// [-] A projection ends where its own energy error is this fraction of the step's: solving it
  /// further is undone by the next one.
  double stage_fraction = 0.1;

  /// [iterations] Most products with A in one projection.
  int stage_iterations = 200;

  /// [iterations] Steps of MINRES between two looks at which impulses are at their bounds.
  int face_iterations = 20;
};

/// Staggered projections: D. Kaufman, S. Sueda, D. James, D. Pai, "Staggered projections for
/// frictional contact in multibody systems", ACM Trans. Graph. 27 (5), 2008, Algorithm 1. In turn,
///
///     x_n ← argmin ½ xᵀA x + bᵀx over x_n ≥ 0, friction as it is,
///     x_t ← argmin ½ xᵀA x + bᵀx over x_t within what the normals allow,
///
/// two convex problems whose common fixed points satisfy Coulomb's law exactly, without De Saxcé's
/// term. There need not be such a point and the turns need not find it.
///
/// Deviations: joints take part in both projections, instead of being eliminated beforehand; a
/// projection is solved only until its own error is a fraction of the step's, by gradient
/// projection and MINRES (ProjectedKrylov) instead of an active-set QP solver. Law `ccp` has other
/// solutions and is not handled.
class StaggeredSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  StaggeredOptions& options() { return options_; }

 private:
  bool Project(StageKind kind, Monitor& monitor);

  StaggeredOptions options_;
  StaggeredTuning tuning_;
  ProjectedKrylov krylov_;
};

}  // namespace nonsmooth
