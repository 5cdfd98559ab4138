// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nonsmooth {

/// Sparse L D U of a matrix of dense blocks whose pattern of blocks is symmetric; L and U with unit
/// diagonal, no pivoting between blocks, U = Lᵀ where the values are symmetric. For matrices that
/// are definite or nearly so, such as those of bodies (blocks of 6) and contacts (blocks of 3).
///
/// Up-looking, T. Davis, "Direct methods for sparse linear systems", Sect. 4.8, with blocks in
/// place of numbers and minimum-degree ordering (AMD). The analysis is kept while the pattern is
/// the same.
class BlockFactor {
 public:
  /// Rows 0 … n−1 of blocks; those of row i are index[start[i]] … in ascending order, its diagonal
  /// among them. `block` is 1, 3 or 6. A second call with equal arguments does nothing.
  void Analyse(int block, const std::vector<int>& start, const std::vector<int>& index);

  /// `values` has block × block numbers, row-major, for every entry of the pattern. False if a
  /// pivot is singular or not finite; where `symmetric`, the upper triangle alone is read.
  bool Factorise(const double* values, bool symmetric);

  /// The matrix factorised last, taken as symmetric, is positive definite: all pivots are.
  bool definite() const;

  /// x ← M⁻¹ x, block · n entries.
  void Solve(double* x) const;

  int rows() const { return n_; }
  int block() const { return block_; }

  /// Multiplications of a factorisation, about.
  double work() const;

  /// Blocks of L below the diagonal.
  int fill() const { return column_.empty() ? 0 : column_.back(); }

 private:
  void Order();
  void BuildTree();
  template <int B>
  bool FactoriseBlocks(const double* values, bool symmetric);
  template <int B>
  bool DefiniteBlocks() const;
  template <int B>
  void SolveBlocks(double* x) const;

  int block_ = 0;
  int n_ = 0;
  bool symmetric_ = true;
  std::vector<int> start_, index_;  ///< the pattern as given
  std::vector<int> order_, place_;  ///< of the k-th pivot; of a row among the pivots
  std::vector<int> parent_;         ///< elimination tree
  std::vector<int> column_;         ///< n + 1 offsets into row_
  std::vector<int> row_;            ///< of the blocks of L, column by column
  std::vector<int> filled_, mark_, path_, stack_;
  std::vector<double> l_, u_, pivot_;  ///< L, Uᵀ's blocks in U's own orientation, D⁻¹
  std::vector<double> above_, left_;   ///< workspace: column and row of the pivot at work
  mutable std::vector<double> scratch_;
};

}  // namespace nonsmooth
