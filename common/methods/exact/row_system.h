// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "../../linalg/supernodal_factor.h"
#include "row_pattern.h"
#include "unit_system.h"

namespace nonsmooth {

/// UnitSystem where only A and b are known: I + D Â is factorised itself, by L U in blocks of whole
/// groups. Symmetric or not, A is taken as it is.
class RowSystem final : public UnitSystem {
 public:
  static bool Applies(const Dynamics& dynamics);

  const std::vector<std::uint64_t>& Keys(const FeasibleSet& set) override;
  void Prepare(const UnitLayout& layout) override;
  bool Factorise(const double* matrix, bool symmetric) override;
  void Solve(const double* y, double* delta, double* q) override;
  void Multiply(const double* x, double* q) override;
  double Work(bool symmetric) const override;

 private:
  /// An entry of Â with its place in the layout, and where its products with a column of D go: the
  /// one with row r of the unit to `target` + r-th member · `stride`.
  struct Entry {
    double value = 0;
    int column = 0;
    bool lower = false;
    std::ptrdiff_t target = 0;
    int stride = 0;
  };

  void FindEntries();
  void AddEntries(const UnitFamily& family, int i, const double* matrix);

  RowPattern pattern_;
  const UnitLayout* layout_ = nullptr;
  SupernodalFactor factor_;
  std::vector<int> index_of_;       ///< of a row of the problem in the layout; −1: held
  std::vector<int> start_;          ///< of a row of the layout, into entries_
  std::vector<Entry> entries_;      ///< of Â, row by row of the layout
  std::vector<std::ptrdiff_t> at_;  ///< of a row of the layout in v_; −1: filling
  std::vector<int> member_of_;      ///< of a row of the layout in its block
  AlignedVector v_;
};

}  // namespace nonsmooth
