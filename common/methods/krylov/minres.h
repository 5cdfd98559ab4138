// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../solver/solver.h"
#include "projected_krylov.h"

namespace nonsmooth {

struct MinresOptions {
  /// [iterations] Most steps on one face before x is projected and another face is looked for.
  /// Joints alone have one face only and are not interrupted.
  int face_iterations = 30;

  /// [-] A face is left where its residual has fallen to this fraction.
  double face_reduction = 0.1;

  /// [iterations] Most projected gradient steps in search of a face; fewer where it does not
  /// change any more.
  int search_iterations = 5;

  /// [-] The law is frozen anew where the frozen problem's energy error is this fraction of the
  /// true one.
  double renewal_fraction = 0.1;
};

/// Projected MINRES: T. Heyn, M. Anitescu, A. Tasora, D. Negrut, "Using Krylov subspace and
/// spectral methods for solving complementarity problems in many-body contact dynamics simulation",
/// Int. J. Numer. Meth. Engng. 95, 2013. Gradient projection finds which contacts are open, stick
/// or slide; MINRES solves for the impulses that are free then. Without contacts and bounds this is
/// MINRES itself, whose residual never rises, on redundant joints too.
///
/// Deviations: faces of cones beside those of bounds (ConvexFace), a preconditioner (the effective
/// masses), and the laws frozen and renewed as in ConvexifiedProblem.
class MinresSolver final : public Solver {
 public:
  OptionFields Options() override;
  OptionFields Tuning() override { return krylov_.Tuning(); }
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  MinresOptions& options() { return options_; }

 private:
  MinresOptions options_;
  ProjectedKrylov krylov_;
  bool linear_ = false;  ///< equality rows alone
};

}  // namespace nonsmooth
