// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../law/feasible_set.h"
#include "fischer_burmeister.h"

namespace nonsmooth {

/// The measures other people use, docs/error_measures.md Eqs. (5)–(11). Their values add impulses
/// to velocities, so they depend on the units chosen; the energy error does not.
///
/// One value per constraint: a constraint is a row where every row has bounds of its own (equality,
/// box, and contacts under `box` and `coupled_box`) and a whole contact otherwise; its value then
/// stands at the contact's normal row.
struct ConstraintError {
  double sum = 0;    ///< ℓ₁ norm of the constraints' values, Enzenhöfer et al., Eqs. 7 and 10
  double max = 0;    ///< the largest
  int max_row = -1;  ///< its row; −1 if all are zero
};

/// Natural residual x − Π_K(x − ŵ) in the plain metric: row by row Enzenhöfer's Eqs. 8–10, for a
/// whole contact its ℓ₂ norm. `per_row`, if not null, gets rows() values that add up to `sum`.
ConstraintError MeasureNaturalResidual(const FeasibleSet& set, const double* x, const double* w,
                                       double* per_row = nullptr);

/// Fischer–Burmeister, penalised with λ < 1: row by row Enzenhöfer's Eqs. 5–7, and for a whole
/// contact the ℓ₂ norm of
///
/// - a single friction disc with μ > 0 (`ccp`, `ncp`): the function on the second-order cone of
///   (μ x_n, x_t) and (ŵ_n, μ w_t);
/// - `pyramid`: the scalar functions of Lu et al., Eq. 19, in (x_n, α, s), where α and s are found
///   from x_t and w_t: the least α with x_t = Dα, and the least s with Dᵀw_t + s e ≥ 0;
/// - spinning and rolling friction, and μ = 0: with s_k = ‖w_k‖ and ν = ŵ_n − Σ c_k s_k, the row
///   form of 0 ≤ x_n ⊥ ν ≥ 0 and per part k the cone function of (c_k x_n, x_k) and (s_k, w_k).
ConstraintError MeasureFischerBurmeister(const FeasibleSet& set, const double* x, const double* w,
                                         double lambda = 1, double* per_row = nullptr);

/// The values of group `g` alone; `x` and `w` point at its first row, `value` has one entry a row.
void GroupFischerBurmeister(const FeasibleSet& set, int g, const double* x, const double* w,
                            double lambda, double* value);

/// ν = ŵ_n − Σ c_k s_k, what is complementary to x_n: w_n itself under Coulomb's law, and what is
/// left of it beside the sliding speeds under `ccp`.
double NormalSlack(const FeasibleSet& set, int g, const double* w);

}  // namespace nonsmooth
