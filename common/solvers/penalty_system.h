// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../problem/problem.h"

namespace nonsmooth {

/// A + ρ D, factorised, D = diag(weights) > 0; rows of weight 0, which are inert, count as 1.
///
/// On packed bodies A is not formed: with A = Ĵ Ĵᵀ + C, Ĵ = J M^-½ and R = (C + ρ D)⁻¹,
///
///     (A + ρ D)⁻¹ = R − R Ĵ (1 + Ĵᵀ R Ĵ)⁻¹ Ĵᵀ R        (Woodbury),
///
/// six unknowns a body, as sparse as the graph of who touches whom. Otherwise the assembled A is
/// factorised: densely where it is small or nearly full, else sparsely; by Cholesky, or by LU if it
/// is not symmetric.
class PenaltySystem {
 public:
  PenaltySystem();
  ~PenaltySystem();

  /// Reads the problem; nothing is factorised yet.
  void Prepare(const Problem& problem, const std::vector<double>& weights);

  /// Factorises for this ρ > 0; the symbolic part is done once. False: not positive definite, or
  /// out of range.
  bool Factorise(double rho);

  /// x ← (A + ρ D)⁻¹ x.
  void Solve(std::vector<double>& x);

 private:
  struct Parts;
  bool FactoriseBodies();
  std::unique_ptr<Parts> parts_;
};

}  // namespace nonsmooth
