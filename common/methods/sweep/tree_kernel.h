// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../law/feasible_set.h"

namespace nonsmooth {

/// Entries of z that are taken together.
inline constexpr int kTreeBlock = 4;

/// What one row of a problem needs besides Ĵ.
struct TreeRow {
  double bias;
  double compliance;
  double inverse_weight;  ///< 1 / a; 0: inert
  double lower;           ///< of rows that are relaxed one by one; times the normal's impulse …
  double upper;
  int normal;  ///< … of this row, unless that is −1
};

/// How the rows of a group are relaxed.
enum class TreeSet {
  kRows,     ///< one by one, each within bounds of its own
  kCoulomb,  ///< Coulomb's law on two tangents: the normal, then both tangents onto the disc it
             ///< gives
  kOther,    ///< all at once, onto their set
};

/// A group: its rows have entries in the same blocks of z.
struct TreeGroup {
  int first_row;
  int rows;
  int first_block;  ///< in TreeSweepView::block
  int blocks;
  int first_value;  ///< `kTreeBlock · blocks` of each row, one row after the other
  TreeSet set;
  double step;      ///< 1 / κ, see gauss_seidel.h; of the tangents alone for kCoulomb
  double friction;  ///< μ of kCoulomb
};

/// All that a sweep reads and writes. The memory belongs to TreeSweep.
struct TreeView {
  const FeasibleSet* set;
  const TreeGroup* groups;
  const TreeRow* rows;
  const int* block;     ///< offsets into z
  const double* value;  ///< Ĵ, in blocks
  double* x;
  double* z;  ///< Ĵᵀ x
};

/// Relaxes `count` groups, one after the other, from `first` on in steps of `stride` (±1).
void RelaxTrees(const TreeView& view, int first, int count, int stride, double relaxation);

/// w ← Ĵ z + b + C x for all groups.
void TreeVelocities(const TreeView& view, int groups, double* w);

/// z ← Ĵᵀ x, on top of what z is.
void AddTreeImpulses(const TreeView& view, int groups);

}  // namespace nonsmooth
