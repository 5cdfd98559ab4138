// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/contact_colouring.h"

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
  members_.clear();
  for (OpenBatch& batch : open_) batch.size = 0;
}

void ContactColouring::Add(int contact, int body_a, int body_b) {
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
  OpenBatch& batch = open_[slot];
  batch.contact[batch.size] = contact;
  batch.body[2 * batch.size] = body_a;
  batch.body[2 * batch.size + 1] = body_b;
  ++batch.size;
  if (body_a >= 0) taken_[body_a] |= bit;
  if (body_b >= 0) taken_[body_b] |= bit;
  if (batch.size == kBatch) Close(slot);
}

void ContactColouring::Close(int slot) {
  OpenBatch& batch = open_[slot];
  if (batch.size == 0) return;
  const std::uint64_t others = ~(std::uint64_t{1} << slot);
  for (int i = 0; i < kBatch; ++i) members_.push_back(i < batch.size ? batch.contact[i] : -1);
  for (int i = 0; i < 2 * batch.size; ++i) {
    if (batch.body[i] >= 0) taken_[batch.body[i]] &= others;
  }
  batch.size = 0;
}

void ContactColouring::Finish() {
  for (int slot = 0; slot < kOpen; ++slot) Close(slot);
}

}  // namespace nonsmooth
