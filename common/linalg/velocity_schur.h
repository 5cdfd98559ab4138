// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../problem/problem.h"
#include "block_factor.h"

namespace nonsmooth {

/// Solves (S A S + D) z = r where A = R Rᵀ + C is known by its factor (packed bodies, sparse
/// systems with symmetric M), D block-diagonal with one block per group of rows: with R scaled by S
/// and E = D + S C S,
///
///     z = E⁻¹ (r − R y),   (I + Rᵀ E⁻¹ R) y = Rᵀ E⁻¹ r,
///
/// a sparse system with a block per body however many contacts there are. Part of
/// RegularisedSystem, where the blocks and their places are described.
class VelocitySchur {
 public:
  /// True if the dynamics has such a factor.
  static bool Applies(const Dynamics& dynamics);

  /// `block_start` has an offset per group and one more. Keeps the analysis of an equal pattern.
  void Prepare(const Problem& problem, const std::vector<double>& scale,
               const std::vector<int>& block_start);

  bool Factorise(const double* blocks, bool symmetric);
  bool FactoriseInverse(const double* left, const double* right);
  void Solve(const double* r, double* z);

  /// Multiplications of a factorisation, about.
  double work() const { return factor_.work() + 36.0 * static_cast<double>(pair_.size()); }

 private:
  void CollectBodies(const std::vector<double>& scale);
  void CollectScaled(const std::vector<double>& scale);
  void BuildPattern();
  bool InvertBlocks(const double* blocks);
  void AddCompliance();
  void Assemble();
  void TimesInverse(const double* r, double* z) const;

  const Problem* problem_ = nullptr;
  std::vector<int> block_start_;

  BlockFactor factor_;
  std::vector<int> start_, index_;  ///< pattern of factor_
  std::vector<double> values_;      ///< of factor_

  // S R by rows, in blocks of columns.
  std::vector<int> row_start_, row_block_;
  std::vector<double> row_value_;
  std::vector<int> group_start_;  ///< offsets into group_block_
  std::vector<int> group_block_;  ///< the blocks of columns that a group touches, ascending
  std::vector<int> pair_;         ///< entry of the pattern for each pair of those
  std::vector<int> pair_start_;
  std::vector<double> compliance_;
  std::vector<double> left_, right_;  ///< E⁻¹ = left · right
  std::vector<double> group_rows_, group_left_, group_right_;
  std::vector<double> y_, z_;
};

}  // namespace nonsmooth
