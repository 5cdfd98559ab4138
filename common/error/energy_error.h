// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../law/feasible_set.h"

namespace nonsmooth {

/// The unit-consistent error of Enzenhöfer et al., docs/error_measures.md Eqs. (1)–(4):
///
///     δe_i = ½ a_i r_i²,   r = x − Π_K(x − ŵ/a),
///
/// which equals the paper's Eqs. 13–20 row by row and carries over to friction cones.
struct EnergyError {
  double sum = 0;          ///< Σ δe_i [J] (the paper's Eq. 21, summed to n)
  double max = 0;          ///< largest δe_i [J]
  int max_row = -1;        ///< its row; −1 if all are zero
  double free_energy = 0;  ///< ½ bᵀ diag(A)⁻¹ b [J]
  double relative = 0;     ///< sum / free_energy; 0 where sum is 0
};

/// ½ bᵀ diag(A)⁻¹ b over the rows that are not inert: what the step would have to change if every
/// row stood alone, the natural scale of its errors.
double FreeEnergy(const Problem& problem);

/// `relative` of an error: 0/0 is 0, so that a problem with nothing to do is solved by doing
/// nothing.
double RelativeEnergy(double sum, double free_energy);

/// Measures (x, w), w = A x + b. `per_row`, if not null, gets δe_i of every row.
EnergyError MeasureEnergy(const FeasibleSet& set, double free_energy, const double* x,
                          const double* w, double* per_row = nullptr);

}  // namespace nonsmooth
