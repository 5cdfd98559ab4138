// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "csr_matrix.h"
#include "renumbering.h"

namespace nonsmooth {

/// A sparse positive definite M, factorised: P M Pᵀ = L D Lᵀ, or LU where M is not symmetric.
class MassFactor {
 public:
  /// Throws std::invalid_argument where M (its symmetric part) is not positive definite. M has
  /// passed Validate() and is square.
  explicit MassFactor(const CsrMatrix& mass);
  MassFactor();  ///< of a matrix without rows
  MassFactor& operator=(MassFactor&& other) noexcept;
  ~MassFactor();

  /// Becomes the factor of `mass`, the part of `whole`'s matrix with the variables of `variables`,
  /// which nothing couples to the others: what is in `whole` is taken over, unless it is an LU.
  /// `pivots` then says which columns of L these were, in order.
  void BecomePart(const MassFactor& whole, const CsrMatrix& mass, const Renumbering& variables,
                  Renumbering& pivots);

  bool symmetric() const { return lu_ == nullptr; }

  /// v ← M⁻¹ v. Allocates nothing but `scratch`, and that once, if M is symmetric.
  void Solve(double* v, std::vector<double>& scratch) const;

  /// Two matrices with J M⁻¹ Jᵀ = left · rightᵀ, a row of each per row of J. For symmetric M they
  /// are one, `right` is left empty and left = J Pᵀ L⁻ᵀ D^-½, which for bodies that hang together
  /// in small groups is as sparse as J: a row costs what it reaches in the elimination tree
  /// (T. Davis, "Direct methods for sparse linear systems", Sect. 3.2 and 4.1), not the size of M.
  void Split(const CsrMatrix& jacobian, CsrMatrix* left, CsrMatrix* right) const;

 private:
  class Unsymmetric;

  int size_ = 0;
  std::vector<int> place_;   ///< of a variable in the order of the factor
  std::vector<int> column_;  ///< size + 1 offsets: below the diagonal of L, column by column
  std::vector<int> row_;     ///< ascending within a column
  std::vector<double> value_;
  std::vector<double> diagonal_;  ///< D
  std::unique_ptr<Unsymmetric> lu_;
};

}  // namespace nonsmooth
