// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../linalg/principal_factor.h"
#include "boxed_pivoting.h"

namespace nonsmooth {

/// Principal pivoting by the least index: K. Murty, "Note on a Bard-type scheme for solving the
/// complementarity problem", Opsearch 11 (1974); with bounds on both sides J. Júdice, F. Pires,
/// "Basic-set algorithm for a generalized linear complementarity problem", JOTA 74 (1992).
///
/// With the rows of the free set solved for, the first row that violates its law changes sides.
/// Whatever the start, no set comes twice if the matrix is positive definite: it always ends. It
/// may take very many pivots to do so, and the error rises and falls on the way.
///
/// Loop around it, redundant rows and `coupled_box`: boxed_pivoting.h. One pivot costs |F|²
/// operations on a dense factor.
class MurtySolver final : public BoxedPivoting {
 protected:
  int most_rows() const override { return PrincipalFactor::kMostRows; }
  void Allocate(const Model& model) override;
  Outcome SolveModel(const Model& model, std::vector<double>& x, std::vector<RowState>& state,
                     Monitor& monitor) override;

 private:
  PrincipalFactor factor_;
  std::vector<double> w_;
};

}  // namespace nonsmooth
