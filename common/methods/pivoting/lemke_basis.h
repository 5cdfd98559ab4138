// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nonsmooth {

/// Lemke's complementary pivoting on a standard LCP 0 ≤ y = M z + q ⊥ z ≥ 0, one pivot at a time,
/// with the lexicographic rule: R. Cottle, J.-S. Pang, R. Stone, "The Linear Complementarity
/// Problem", Algorithms 4.4.5 and 4.9.1. The covering vector is all ones, so q and M should be
/// scaled alike.
///
/// With ties broken at will, the method can run into a secondary ray on degenerate problems that
/// have a solution, such as the woodpecker's; by the lexicographic order no basis comes twice, and
/// with M copositive-plus or strictly copositive it ends at a solution.
///
/// Keeps the inverse of the basis, dense by columns; zeros are skipped, so that early pivots are
/// cheap. One pivot costs at most 2 n² operations. Every kReinversion pivots the inverse is formed
/// afresh from the basis, without what rounding has gathered.
class LemkeBasis {
 public:
  static constexpr int kReinversion = 200;

  enum class Step {
    kPivoted,  ///< go on
    kSolved,   ///< the artificial variable has left, or was not needed
    kRay       ///< nothing blocks the entering variable: no solution on this path
  };

  /// `matrix` (row-major) and `vector` have passed by when this returns. Reuses memory.
  void Start(int size, const double* matrix, const double* vector);

  Step Pivot();

  /// z of the present basis; not a solution before kSolved, but the best there is.
  void Values(double* z) const;

  /// Solves afresh for the basic variables, without what rounding has gathered. False, and z is
  /// left alone, if the basis is singular to working precision.
  /// `regularisation` is taken off the diagonal and `vector`, if not null, stands in for q.
  bool Polish(double* z, double regularisation = 0, const double* vector = nullptr) const;

 private:
  int artificial() const { return 2 * size_; }
  const double* InverseColumn(int j) const {
    return inverse_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(size_);
  }
  double* InverseColumn(int j) {
    return inverse_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(size_);
  }
  void FormColumn(int variable);
  int LeavingRow();
  void LeastLexicographic();
  void Exchange(int row);
  bool Reinvert();

  int size_ = 0;
  std::vector<double> columns_;  ///< M by columns
  std::vector<double> vector_;
  std::vector<double> inverse_;  ///< B⁻¹ by columns
  std::vector<double> value_;    ///< of the basic variables
  std::vector<int> basic_;       ///< variable of every row: y_i = i, z_i = n + i, z₀ = 2n
  std::vector<double> direction_, row_;
  std::vector<int> ties_;
  int entering_ = 0;
  int pivots_ = 0;  ///< since the inverse was formed afresh
};

}  // namespace nonsmooth
