// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../law/feasible_set.h"
#include "../problem/islands.h"

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
  double free_energy = 0;  ///< the sum at x = 0, the free motion [J]
  double relative = 0;     ///< sum / free_energy; 0 where sum is 0
};

/// δe_i [J] of the rows of group `g`, all pointers at its first row: the one place that says what
/// an energy error is. `set` may be a frozen one, for the error of a convexified problem. (The
/// vector kernel of sweeps, contact_kernel.cpp, has scaled every a_i to 1.)
inline void GroupEnergy(const FeasibleSet& set, int g, const double* x, const double* w,
                        double* energy) {
  const RowGroup& group = set.problem().groups()[g];
  const double* a = set.weights().data() + group.first_row;
  double r[kMostGroupRows];
  set.NaturalMap(g, x, w, r);
  for (int i = 0; i < group.size; ++i) energy[i] = 0.5 * a[i] * r[i] * r[i];
}

/// The energy error of x = 0: what the step would have to change if every row stood alone, the
/// natural scale of its errors. Rows that the free motion does not violate, such as limits out of
/// reach and contacts across a gap, count nothing. Zero exactly where x = 0 is the solution.
double FreeEnergy(const FeasibleSet& set);

/// Below this energy [J] nothing is known to be wrong: kLeastMotion of the kinetic energy of the
/// free motion. Joints that hold, in flight, leave a free energy that is rounding and that no
/// impulse removes; tolerances are relative to this where it is larger. 0 where only A and b are
/// known.
double LeastScale(const Problem& problem);

/// A millionth of the velocities.
inline constexpr double kLeastMotion = 1e-12;

/// `relative` of an error: 0/0 is 0, so that a problem with nothing to do is solved by doing
/// nothing.
double RelativeEnergy(double sum, double free_energy);

/// Measures (x, w), w = A x + b. `per_row`, if not null, gets δe_i of every row.
EnergyError MeasureEnergy(const FeasibleSet& set, double free_energy, const double* x,
                          const double* w, double* per_row = nullptr);

/// The same of some of the groups.
double FreeEnergy(const FeasibleSet& set, IndexRange groups);
EnergyError MeasureEnergy(const FeasibleSet& set, IndexRange groups, double free_energy,
                          const double* x, const double* w);

}  // namespace nonsmooth
