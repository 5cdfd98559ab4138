// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nonsmooth {

/// Some of the numbers below a size, numbered anew from 0 in the order in which they are added.
/// Starting anew takes no time: what `part` says of numbers that were added before is seen to be
/// wrong by looking back (P. Briggs, L. Torczon, "An efficient representation for sparse sets",
/// ACM LOPLAS 2, 1993).
struct Renumbering {
  std::vector<int> whole;  ///< the old number of each new one
  std::vector<int> part;   ///< the new number of an old one; valid where Holds()

  void Reset(int size) {
    whole.clear();
    part.resize(std::max(part.size(), static_cast<std::size_t>(size)));
  }
  bool Holds(int i) const {
    const auto at = static_cast<std::size_t>(part[i]);
    return at < whole.size() && whole[at] == i;
  }
  int Add(int i) {
    part[i] = static_cast<int>(whole.size());
    whole.push_back(i);
    return part[i];
  }
  int size() const { return static_cast<int>(whole.size()); }
};

}  // namespace nonsmooth
