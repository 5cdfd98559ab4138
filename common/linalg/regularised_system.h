// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "../problem/problem.h"
#include "block_factor.h"
#include "velocity_schur.h"

namespace nonsmooth {

/// Solves (Â + D) z = r with Â = S A S, S a positive diagonal, and D block-diagonal with one block
/// per group of rows: the linear system of interior-point, Newton and penalty methods. Three
/// forms:
///
/// - kVelocities, where A = R Rᵀ + C is known by its factor: the Schur complement on the velocities
///   (velocity_schur.h). It is what is left of the augmented system [M Jᵀ; J −E] (Mangoni and
///   Tasora, Eqs. 20 and 39) after its rows have been eliminated first, scaled by a root of M so
///   that fixed bodies and axes need no mention;
/// - kDense: Cholesky or LU of the assembled Â + D where that has few rows or few zeros;
/// - kRows: sparse blocks of Â + D otherwise.
///
/// The choice is made by Prepare() from size and fill alone. The analysis of the pattern is kept
/// from one problem to the next if the pattern is the same.
class RegularisedSystem {
 public:
  enum class Form { kDense, kRows, kVelocities };

  RegularisedSystem();
  ~RegularisedSystem();

  /// `scale` has rows() entries, S. The problem outlives the use of this object.
  void Prepare(const Problem& problem, const double* scale);

  Form form() const { return form_; }

  /// Multiplications of a factorisation, about: for whoever has to know how long it takes.
  double work() const;

  /// FactoriseInverse() is to be preferred: in the form kVelocities.
  bool prefers_inverse() const { return form_ == Form::kVelocities; }

  /// A itself is symmetric to rounding.
  bool symmetric() const { return symmetric_; }

  /// Where the block of group g stands, row-major size × size, and how many numbers all have.
  int block_start(int g) const { return block_start_[g]; }
  int block_values() const { return block_start_.back(); }

  /// D by its blocks. False if a pivot is singular or not finite, or in the form kVelocities if a
  /// block is.
  bool Factorise(const double* blocks, bool symmetric);

  /// A symmetric matrix that was factorised last is positive definite. In the form kVelocities it
  /// is wherever D is.
  bool definite() const;

  /// D⁻¹ = left · right by their blocks, in the form kVelocities. Given in two factors, it may have
  /// eigenvalues of any size, and zeros for rows that are held; `right` is null for leftᵀ.
  bool FactoriseInverse(const double* left, const double* right);

  /// z ← (Â + D)⁻¹ r; may be the same array.
  void Solve(const double* r, double* z);

 private:
  struct Dense;

  void PrepareDense();
  void PrepareRows(int block);

  const Problem* problem_ = nullptr;
  Form form_ = Form::kDense;
  bool symmetric_ = true;
  std::vector<double> scale_;
  std::vector<int> block_start_;

  BlockFactor factor_;
  std::vector<int> start_, index_;  ///< pattern of factor_
  std::vector<double> values_;      ///< of factor_
  std::vector<double> constant_;    ///< kRows: Â on that pattern
  std::vector<int> diagonal_;       ///< kRows: where entry (row, row of the same group) begins
  std::unique_ptr<Dense> dense_;

  VelocitySchur velocities_;
  std::vector<double> z_;
};

}  // namespace nonsmooth
