// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "aligned_vector.h"
#include "front_tree.h"
#include "supernodal_kernel.h"

namespace nonsmooth {

/// What a factorisation takes, by its pattern.
struct SupernodalWork {
  double blocks = 0;  ///< of L
  double flops = 0;   ///< multiplications and additions of L D Lᵀ; of L U twice as many
};

SupernodalWork WorkOf(const FrontTree& tree);

/// Sparse L D Lᵀ or L U of a matrix of 6×6 blocks with a symmetric pattern, by supernodes, right
/// looking, without pivoting across blocks: the matrices are M + Jᵀ D J, whose symmetric part is
/// positive definite or nearly so. (E. Ng, B. Peyton, "Block sparse Cholesky algorithms on advanced
/// uniprocessor computers", SIAM J. Sci. Comput. 14, 1993.) Products go to their targets directly,
/// whose places are found once per pattern; nothing is allocated by a factorisation.
class SupernodalFactor {
 public:
  /// Orders and lays out; keeps what it has if the graph has not changed.
  void Analyse(const GroupGraph& graph);

  int blocks() const { return static_cast<int>(place_.size()); }
  int place(int block) const { return place_[block]; }
  int block(int place) const { return tree_.order()[place]; }

  /// Index of the block at these two places, first ≤ second, which is in the pattern.
  int Find(int first, int second) const;

  /// U(first, second) and L(second, first)ᵀ by that index, kBlockSize numbers each; the second is
  /// not read on the diagonal, nor of a symmetric matrix. To be filled after Clear().
  double* upper(int index) { return upper_.data() + std::size_t{kBlockSize} * index; }
  double* lower(int index) { return lower_.data() + std::size_t{kBlockSize} * index; }

  void Clear(bool symmetric);

  /// False if a pivot is singular or not finite.
  bool Factorise(bool symmetric);

  /// v ← A⁻¹ v, kPadded numbers per place of which the last two are zero.
  void Solve(double* v) const;

  /// Multiplications and additions of a factorisation, and of a solve.
  double factor_work(bool symmetric) const { return symmetric ? work_ : 2 * work_; }
  double solve_work() const { return 4.0 * kBlockRows * kBlockRows * total_; }
  double bytes() const {
    return 16.0 * kBlockSize * total_ + 4.0 * static_cast<double>(targets_.size());
  }

 private:
  void LayOut();
  void FindTargets();

  FrontTree tree_;
  GroupGraph graph_;
  std::vector<int> place_;
  std::vector<Supernode> nodes_;
  std::vector<int> node_of_;      ///< by place
  std::vector<int> first_block_;  ///< of a node's panel
  std::vector<int> places_;       ///< of all rows below
  std::vector<int> targets_;
  AlignedVector upper_, lower_;
  int total_ = 0;
  double work_ = 0;
};

}  // namespace nonsmooth
