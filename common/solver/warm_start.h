// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "../problem/problem.h"

namespace nonsmooth {

/// Carries impulses from one step to the next.
///
/// Groups with a key are matched by key, kind and shape; several with one key in the order in which
/// they stand. Equality and box groups without a key are matched by their order among themselves,
/// provided that as many of them, of the same kinds and sizes, are there again: joints stay,
/// contacts come and go. Everything else starts at zero.
///
/// Impulses are carried over as they stand. Whoever lets tangents turn between steps, or changes
/// the length of the step, converts them before or after.
class WarmStart {
 public:
  /// Keeps `x`, a solution of `problem`; forgets what was kept before. Reuses memory.
  void Store(const Problem& problem, const std::vector<double>& x);

  /// x0 ← the starting point for `problem`, rows() entries. Returns the number of groups that were
  /// found again.
  int Load(const Problem& problem, std::vector<double>& x0);

  void Clear();

 private:
  struct Entry {
    std::uint64_t key = 0;
    int order = 0;  ///< among the groups of this key
    int first_row = 0;
    RowGroup shape;
  };

  static void Collect(const Problem& problem, std::vector<Entry>& keyed,
                      std::vector<Entry>& anonymous);
  static bool SameShape(const RowGroup& a, const RowGroup& b);

  std::vector<double> x_;
  std::vector<Entry> keyed_;      ///< by key, then order
  std::vector<Entry> anonymous_;  ///< equality and box groups without a key
  std::vector<Entry> wanted_;
  std::vector<Entry> wanted_anonymous_;
};

}  // namespace nonsmooth
