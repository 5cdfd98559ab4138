// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../problem/csr_matrix.h"

namespace nonsmooth {

/// L Lᵀ of a principal submatrix A_FF whose rows come and go one by one: each change and each solve
/// costs |F|² operations instead of a factorisation's |F|³/3 (Gill, Golub, Murray, Saunders,
/// "Methods for modifying matrix factorizations", Math. Comp. 28, 1974). Dense: n² numbers.
class PrincipalFactor {
 public:
  /// Half a gigabyte.
  static constexpr int kMostRows = 8000;

  /// Starts with F empty, for a symmetric matrix that outlives the factor. Reuses memory.
  void Reset(const CsrMatrix& matrix);

  int size() const { return static_cast<int>(rows_.size()); }

  /// The rows of F in the order of the factor.
  const std::vector<int>& rows() const { return rows_; }
  bool Has(int row) const { return place_[row] >= 0; }

  /// F ← F ∪ {row}. False, and nothing changes, if A_FF would not be positive definite.
  bool Add(int row);

  /// F ← F \ {row}.
  void Remove(int row);

  /// y ← A_FF⁻¹ y for the entries of `y` (one per row of A) that belong to F; others are left.
  void Solve(double* y);

 private:
  double* Row(int i) { return lower_.data() + static_cast<std::size_t>(i) * stride_; }

  const CsrMatrix* matrix_ = nullptr;
  std::size_t stride_ = 0;
  std::vector<double> lower_;  ///< row-major, stride n
  std::vector<int> rows_;
  std::vector<int> place_;  ///< of a row in the factor, −1: not in F
  std::vector<double> work_;
};

}  // namespace nonsmooth
