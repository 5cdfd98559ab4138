// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../formulations/free_elimination.h"
#include "../../formulations/lcp.h"
#include "../../solver/solver.h"
#include "coupled_path.h"
#include "lemke_basis.h"

namespace nonsmooth {

/// See docs/tuning.md.
struct LemkeTuning {
  /// [-] After which rounding is to blame.
  int pivots_per_variable = 2;
};

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
/// A ray, or more pivots than are plausible, which with exact arithmetic there are not, is answered
/// by the proximal point method. Under `coupled_box` the way goes on from the best iterate, in the
/// impulses alone and on A + ρ diag(A) with ρ as large as it must be: coupled_path.h, the same
/// method with another start and covering vector. Otherwise, and where that does not end, by runs
/// from nothing on M + ρ around the last z, ρ = 1e-11, 1e-8, then 1e-5, of the scaled diagonal
/// (fallbacks in the result). Rolling friction about two axes under `pyramid` is a disc and is
/// replaced by a 16-gon.
class LemkeSolver final : public Solver {
 public:
  /// Beyond this many variables the dense basis takes gigabytes and hours.
  static constexpr int kMostVariables = 6000;

  OptionFields Options() override;
  OptionFields Tuning() override;
  void Prepare(const FeasibleSet& set) override;
  void Run(std::vector<double>& x, Monitor& monitor) override;

  LemkeOptions& options() { return options_; }

 private:
  enum class Outcome { kStopped, kDone, kGaveUp };
  bool Reduce();

  /// One run of the method on M + ρ and q − ρ z_k.
  Outcome PivotToEnd(double regularisation, int most_pivots, std::vector<double>& x,
                     Monitor& monitor);
  void Load(double* x);

  LemkeOptions options_;
  LemkeTuning tuning_;
  const FeasibleSet* set_ = nullptr;
  LcpMap map_;
  FreeElimination reduced_;
  bool has_disc_ = false;
  LemkeBasis basis_;
  CoupledPath path_;
  std::vector<double> scale_;   ///< of the reduced variables
  std::vector<double> scaled_;  ///< z in √J
  std::vector<double> centre_;  ///< z_k
  std::vector<double> shifted_, kept_, z_;
};

}  // namespace nonsmooth
