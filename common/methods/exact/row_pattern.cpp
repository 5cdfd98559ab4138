// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/exact/row_pattern.h"

#include <algorithm>

#include "common/linalg/supernodal_kernel.h"
#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {

void RowPattern::Build(const Problem& problem) {
  const CsrMatrix& a = dynamic_cast<const MatrixDynamics&>(problem.dynamics()).matrix();
  block_of_.assign(a.rows, 0);
  member_of_.assign(a.rows, 0);
  members_.clear();
  keys_.clear();
  for (const RowGroup& group : problem.groups()) {
    if (members_.empty() || members_.back() + group.size > kBlockRows) members_.push_back(0);
    for (int row = group.first_row; row < group.first_row + group.size; ++row) {
      block_of_[row] = blocks() - 1;
      member_of_[row] = members_.back()++;
    }
    keys_.push_back(static_cast<std::uint64_t>(keys_.size()));
  }
  const auto pair = [](int p, int q) {
    return (static_cast<std::uint64_t>(p) << 32) + static_cast<std::uint64_t>(q);
  };
  pairs_.clear();
  for (int p = 0; p < blocks(); ++p) pairs_.push_back(pair(p, p));
  for (int i = 0; i < a.rows; ++i) {
    int last = block_of_[i];
    for (int k = a.row_start[i]; k < a.row_start[i + 1]; ++k) {
      const int q = block_of_[a.column[k]];
      if (q == last || q == block_of_[i]) continue;
      last = q;
      pairs_.push_back(pair(block_of_[i], q));
      pairs_.push_back(pair(q, block_of_[i]));
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  graph_.weight.assign(blocks(), kBlockRows);
  graph_.start.assign(1, 0);
  graph_.neighbour.clear();
  std::size_t next = 0;
  for (int p = 0; p < blocks(); ++p) {
    for (; next < pairs_.size() && pairs_[next] < pair(p + 1, 0); ++next) {
      graph_.neighbour.push_back(static_cast<int>(pairs_[next] & 0xffffffff));
    }
    graph_.start.push_back(static_cast<int>(next));
  }
}

}  // namespace nonsmooth
