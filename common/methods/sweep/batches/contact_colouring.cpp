// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/contact_colouring.h"

#include <algorithm>

namespace nonsmooth {
namespace {

int LowestBit(std::uint64_t mask) {
#if defined(__GNUC__)
  return __builtin_ctzll(mask);
#else
  int bit = 0;
  while ((mask >> bit & 1U) == 0) ++bit;
  return bit;
#endif
}

}  // namespace

void ContactColouring::Reset(int bodies) {
  taken_.assign(bodies, 0);
  batches_ = 0;
  for (OpenBatch& batch : open_) batch.size = 0;
}

void ContactColouring::Restart() {
  for (int slot = 0; slot < kOpen; ++slot) Close(slot);
  batches_ = 0;
}

ContactColouring::Place ContactColouring::Add(int body_a, int body_b) {
  std::uint64_t taken = 0;
  if (body_a >= 0) taken |= taken_[body_a];
  if (body_b >= 0) taken |= taken_[body_b];
  if (~taken == 0) {
    // A body with contacts in every open batch: make room by closing the fullest.
    const OpenBatch* fullest = std::max_element(
        open_, open_ + kOpen,
        [](const OpenBatch& left, const OpenBatch& right) { return left.size < right.size; });
    const int slot = static_cast<int>(fullest - open_);
    Close(slot);
    taken &= ~(std::uint64_t{1} << slot);
  }
  const int slot = LowestBit(~taken);
  const std::uint64_t bit = std::uint64_t{1} << slot;
  OpenBatch& open = open_[slot];
  if (open.size == 0) open.batch = batches_++;
  const Place place{open.batch, open.size};
  open.body[2 * open.size] = body_a;
  open.body[2 * open.size + 1] = body_b;
  ++open.size;
  if (body_a >= 0) taken_[body_a] |= bit;
  if (body_b >= 0) taken_[body_b] |= bit;
  if (open.size == kBatch) Close(slot);
  return place;
}

void ContactColouring::Close(int slot) {
  OpenBatch& open = open_[slot];
  const std::uint64_t others = ~(std::uint64_t{1} << slot);
  for (int i = 0; i < 2 * open.size; ++i) {
    if (open.body[i] >= 0) taken_[open.body[i]] &= others;
  }
  open.size = 0;
}

}  // namespace nonsmooth
