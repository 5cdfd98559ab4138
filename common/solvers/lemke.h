// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../formulations/free_elimination.h"
#include "../formulations/lcp.h"
#include "../solver/solver.h"
#include "lemke_basis.h"

namespace nonsmooth {

struct LemkeOptions {
  /// Use Glocker and Studer's form (planar_lcp.h) where the law allows it: one variable less per
  /// friction axis. Its matrix is not copositive for large μ, and the method may end on a ray.
  bool planar = false;
};

/// Lemke's method with the lexicographic rule on the LCP of pyramid_lcp.h (or planar_lcp.h): exact,
/// and no convergence theory is needed for friction, since that LCP is copositive (D. Stewart,
/// J. Trinkle, IJNME 39, 1996; M. Anitescu, F. Potra, Nonlinear Dynamics 14, 1997). Joints are
/// eliminated first (free_elimination.h). All variables are in √J, so that the unit covering vector
/// means the same in every row. The start plays no part.
///
/// A ray, which with exact arithmetic there is not, is answered by another run on M + ρ, ρ = 1e-8
/// and 1e-6 of the scaled diagonal (a fallback in the result), whose basis is then solved with M.
/// Rolling friction about two axes under `pyramid` is a disc and is replaced by a 16-gon.
class LemkeSolver final : public Solver {
 public:
  /// Beyond this many variables the dense basis takes gigabytes and hours.
  static constexpr int kMostVariables = 6000;

  OptionFields Options() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  LemkeOptions& options() { return options_; }

 private:
  bool Reduce();
  void Load(double* x);

  LemkeOptions options_;
  const FeasibleSet* set_ = nullptr;
  LcpMap map_;
  FreeElimination reduced_;
  bool has_disc_ = false;
  LemkeBasis basis_;
  std::vector<double> scale_;   ///< of the reduced variables
  std::vector<double> scaled_;  ///< z in √J
  std::vector<double> kept_, z_;
};

}  // namespace nonsmooth
