// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/body_blocks.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace nonsmooth {
namespace {

/// Of the contacts: so many may be between blocks that are no neighbours, and go one by one.
constexpr double kMostElsewhere = 0.05;

}  // namespace

void BodyBlocks::Cut(const std::vector<BodyPair>& pairs, int bodies) {
  weight_.assign(bodies, 0);
  contacts_ = 0;
  for (const BodyPair& pair : pairs) {
    for (const int body : {pair.a, pair.b}) {
      if (body < 0) continue;
      ++weight_[body];
      ++contacts_;
    }
  }
  order_.resize(bodies);
  std::iota(order_.begin(), order_.end(), 0);
  if (CutInOrder(pairs)) return;
  Search(pairs);
  CutInOrder(pairs);
}

/// Stretches of equal numbers of contacts, as many as will do. False: too much is elsewhere even
/// with the fewest.
bool BodyBlocks::CutInOrder(const std::vector<BodyPair>& pairs) {
  block_.resize(order_.size());
  const double most = kMostElsewhere * static_cast<double>(pairs.size());
  for (int blocks = kMostBlocks; blocks >= kFewestBlocks; blocks /= 2) {
    std::int64_t sum = 0;
    for (const int body : order_) {
      const std::int64_t block = sum * blocks / std::max<std::int64_t>(contacts_, 1);
      block_[body] = static_cast<int>(std::min<std::int64_t>(block, blocks - 1));
      sum += weight_[body];
    }
    const auto elsewhere = std::count_if(pairs.begin(), pairs.end(), [this](const BodyPair& pair) {
      return PartOf(pair).phase == kElsewhere;
    });
    if (static_cast<double>(elsewhere) <= most) return true;
  }
  return false;
}

/// order_ ← breadth-first from the first body of every component.
void BodyBlocks::Search(const std::vector<BodyPair>& pairs) {
  const int bodies = static_cast<int>(weight_.size());
  start_.assign(bodies + 1, 0);
  for (const BodyPair& pair : pairs) {
    if (pair.a < 0 || pair.b < 0) continue;
    ++start_[pair.a + 1];
    ++start_[pair.b + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  neighbour_.resize(start_.back());
  for (const BodyPair& pair : pairs) {
    if (pair.a < 0 || pair.b < 0) continue;
    neighbour_[start_[pair.a]++] = pair.b;
    neighbour_[start_[pair.b]++] = pair.a;
  }
  // start_[body] is now where the body's list ends.
  seen_.assign(bodies, 0);
  order_.clear();
  for (int first = 0; first < bodies; ++first) {
    if (seen_[first] != 0) continue;
    seen_[first] = 1;
    order_.push_back(first);
    for (std::size_t next = order_.size() - 1; next < order_.size(); ++next) {
      const int body = order_[next];
      for (int k = body > 0 ? start_[body - 1] : 0; k < start_[body]; ++k) {
        if (seen_[neighbour_[k]] != 0) continue;
        seen_[neighbour_[k]] = 1;
        order_.push_back(neighbour_[k]);
      }
    }
  }
}

BodyBlocks::Part BodyBlocks::PartOf(const BodyPair& pair) const {
  if (pair.a < 0 && pair.b < 0) return {kElsewhere, 0};
  const int a = block_[pair.a >= 0 ? pair.a : pair.b];
  const int b = block_[pair.b >= 0 ? pair.b : pair.a];
  if (a == b) return {kInside, a};
  if (std::abs(a - b) > 1) return {kElsewhere, 0};
  const int lower = std::min(a, b);
  return {lower % 2 == 0 ? kEven : kOdd, lower / 2};
}

}  // namespace nonsmooth
