// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "../../linalg/front_tree.h"
#include "newton_map.h"

namespace nonsmooth {

/// The linear system of a Newton step in the scaled coordinates of a NewtonMap,
///
///     (R (Â + ρ) T + S) z = d − R (Â + ρ) c,   dx = T z + c,
///
/// reduced to the unknowns that the law leaves open: a contact that takes off costs nothing, one
/// that slides two rows, one that sticks three. ρ is the proximal term.
///
/// Solved by multifrontal LU, since friction makes it unsymmetric; rows are exchanged within the
/// pivots of a front only, which ρ and the positive diagonal of Â make enough. The order of
/// elimination depends on which groups A couples and is kept while the active rows change.
class NewtonSystem {
 public:
  /// Scales A and finds the order. Reuses memory.
  void Prepare(const Problem& problem, const NewtonMap& map);

  /// y ← Â x.
  void Multiply(const double* x, double* y) const;

  /// w ← Â x + b̂.
  void Velocity(const double* x, double* w) const;

  /// Linearises at (x, w) with the `step` of NewtonMap and solves for dx. False: the factorisation
  /// failed.
  bool Solve(const NewtonMap& map, const double* x, const double* w, double step, double rho,
             double* dx);

  /// Multiplications of a factorisation, about and at the most.
  double work() const;

  /// Of the last system.
  int unknowns() const { return unknowns_; }

 private:
  /// What is kept of an eliminated front with p pivots and r rows below: LU of its pivots (p × p),
  /// L below (r × p), U beside (p × r), column by column.
  struct Factor {
    std::size_t first = 0;  ///< offset into factors_
    int pivots = 0;
    int rows = 0;
    int first_exchange = 0;
  };

  void FindPattern(const CsrMatrix& a, const NewtonMap& map);
  void Linearise(const NewtonMap& map, const double* x, const double* w, double step, double rho);
  void AddBlock(int g, int h, int edge, double* target, int leading) const;
  void Assemble(const FrontTree::Front& front, int size, double rho);
  void AddSchur(const FrontTree::Front& child, int size);
  void Eliminate(int pivots, int rows, Factor& factor);
  void GatherRows(const FrontTree::Front& front);
  void SolveFactors();

  GroupGraph graph_;
  FrontTree tree_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<int> mark_;
  std::vector<int> first_row_;      ///< of a group
  std::vector<std::size_t> panel_;  ///< of a group: its rows × all its columns, row by row
  std::vector<int> panel_columns_;  ///< of a group
  std::vector<int> block_column_;   ///< of a neighbour: its first column in the panel
  std::vector<int> mirror_;         ///< of a neighbour (g, h): that of (h, g)
  std::vector<double> value_;       ///< Â, panel by panel
  std::vector<double> bias_;

  std::vector<NewtonBlock> blocks_;
  std::vector<int> offset_;  ///< of a group in z, in the order of elimination
  std::vector<int> local_;   ///< of a group in the front that is being assembled
  std::vector<double> c_, ac_, z_, buffer_;
  std::vector<double> front_;  ///< column by column
  std::vector<double> schur_;  ///< what children have handed on, the last one on top
  std::size_t schur_end_ = 0;
  std::vector<int> waiting_;  ///< the fronts of which that is
  std::vector<double> factors_;
  std::size_t factors_end_ = 0;
  std::vector<Factor> factor_;
  std::vector<int> exchange_;  ///< of rows within the pivots
  std::vector<int> index_;
  int unknowns_ = 0;
};

}  // namespace nonsmooth
