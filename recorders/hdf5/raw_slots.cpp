// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/raw_slots.h"

#include <algorithm>
#include <utility>

namespace nonsmooth::hdf5 {

void RawSlots::Release(std::uint64_t address, std::uint64_t size) {
  free_.push_back({address, size});
  free_bytes_ += size;
}

std::optional<std::uint64_t> RawSlots::Take(std::uint64_t size) {
  reused_ = false;
  if (!claiming_ || free_bytes_ < kRest + size) return std::nullopt;
  const auto found = std::find_if(free_.begin(), free_.end(),
                                  [size](const Slot& slot) { return slot.size == size; });
  if (found == free_.end()) return std::nullopt;
  const std::uint64_t address = found->address;
  free_.erase(found);
  free_bytes_ -= size;
  reused_ = true;
  return address;
}

bool RawSlots::TakeClaim(std::uint64_t address, std::uint64_t size) {
  if (!std::exchange(claiming_, false)) return false;
  claimed_ = address;
  if (!reused_) bytes_ += size;
  return true;
}

}  // namespace nonsmooth::hdf5
