// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "contact_kernel.h"

namespace nonsmooth {

/// Sorts contacts into batches of kBatch that share no movable body, greedily and in one pass: each
/// goes into the first of the open batches that has none of its bodies. 64 batches are open at a
/// time, one bit each in a mask per body, so that a batch takes contacts that were posed close to
/// each other and the bodies of neighbouring batches are in cache.
class ContactColouring {
 public:
  /// Bodies are 0 … bodies−1. Forgets all batches; reuses memory.
  void Reset(int bodies);

  /// Adds contact `contact` between two movable bodies, either of which may be −1: none.
  void Add(int contact, int body_a, int body_b);

  /// Closes the open batches.
  void Finish();

  int batches() const { return static_cast<int>(members_.size()) / kBatch; }

  /// The kBatch contacts of batch k, −1 for an unused lane.
  const int* members(int k) const { return members_.data() + kBatch * k; }

 private:
  struct OpenBatch {
    int size = 0;
    int contact[kBatch];
    int body[2 * kBatch];
  };
  void Close(int slot);

  static constexpr int kOpen = 64;
  OpenBatch open_[kOpen];
  std::vector<std::uint64_t> taken_;  ///< per body: the open batches that hold it
  std::vector<int> members_;
};

}  // namespace nonsmooth
