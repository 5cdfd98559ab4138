// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "contact_kernel.h"

namespace nonsmooth {

/// Assigns contacts to batches of kBatch that share no movable body, greedily and in one pass:
/// each goes into the first of the open batches that has none of its bodies. 64 batches are open at
/// a time, one bit each in a mask per body, so that a batch takes contacts that were posed close to
/// each other and the bodies of neighbouring batches are in cache.
class ContactColouring {
 public:
  struct Place {
    int batch;  ///< counted from 0 in the order in which they are opened
    int lane;   ///< counted from 0; that of the contact that fills the batch is kBatch − 1
  };

  /// Bodies are 0 … bodies−1. Forgets all batches; reuses memory.
  void Reset(int bodies);

  /// Forgets all batches, for the same bodies; takes no time that grows with their number.
  void Restart();

  /// The place of a contact between two movable bodies, either of which may be −1: none.
  Place Add(int body_a, int body_b);

  int batches() const { return batches_; }

 private:
  struct OpenBatch {
    int batch;
    int size;
    int body[2 * kBatch];
  };
  void Close(int slot);

  static constexpr int kOpen = 64;
  OpenBatch open_[kOpen];
  std::vector<std::uint64_t> taken_;  ///< per body: the open batches that hold it
  int batches_ = 0;
};

}  // namespace nonsmooth
