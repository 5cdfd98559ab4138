// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>

namespace nonsmooth {

/// How long a part of a solve takes, learnt from the solves before, for each power of two of rows
/// by itself: what a problem of ten rows takes says nothing about one of a thousand.
class LearntDuration {
 public:
  /// [s]; 0 if no problem of about this size was seen yet.
  double Expected(int rows) const { return of_[Size(rows)].per_row * rows; }

  /// That of the first solve of a size is left out where `first_counts` is false: it pays for
  /// memory, too.
  void Learn(double seconds, int rows, bool first_counts) {
    Entry& entry = of_[Size(rows)];
    if (++entry.seen == 1 && !first_counts) return;
    const double latest = seconds / rows;
    // An outlier counts as twice the usual time at most.
    entry.per_row = entry.per_row == 0
                        ? latest
                        : entry.per_row + kWeightOfLatest *
                                              (std::min(latest, 2 * entry.per_row) - entry.per_row);
  }

 private:
  struct Entry {
    double per_row = 0;  ///< [s]
    int seen = 0;
  };
  static int Size(int rows) {
    int size = 0;
    while (rows > 1 && size < kSizes - 1) {
      rows >>= 1;
      ++size;
    }
    return size;
  }

  static constexpr double kWeightOfLatest = 0.25;
  static constexpr int kSizes = 31;
  std::array<Entry, kSizes> of_;
};

}  // namespace nonsmooth
