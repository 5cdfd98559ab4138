// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace nonsmooth::hdf5 {

/// Room in a file for chunks that are still being filled. HDF5 gives it out, is told of it only to
/// have it in the dataset's index, and never gets it back in a file that may be read meanwhile;
/// without this each chunk would leave a hole of its full size once it is packed and stands
/// elsewhere.
///
/// A slot that is free again is given out only after others have been freed after it, kRest bytes
/// of them: a reader may have looked into the index just before.
class RawSlots {
 public:
  static constexpr std::uint64_t kRest = 8u << 20;

  /// HDF5's next write of raw data only says where the data are to be: it is not made.
  void Claim() { claiming_ = true; }
  std::uint64_t claimed() const { return claimed_; }

  /// Nothing in the file refers to the slot any more.
  void Release(std::uint64_t address, std::uint64_t size);

  /// All slots that were ever claimed, less those that are in use as something else [bytes].
  std::uint64_t bytes() const { return bytes_; }

  // Of the driver: a slot of exactly that size for HDF5 if there is one; and whether the write that
  // comes is the one to be left out.
  std::optional<std::uint64_t> Take(std::uint64_t size);
  bool TakeClaim(std::uint64_t address, std::uint64_t size);

 private:
  struct Slot {
    std::uint64_t address;
    std::uint64_t size;
  };
  std::deque<Slot> free_;  ///< in the order in which they became free
  std::uint64_t free_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t claimed_ = 0;
  bool claiming_ = false;
  bool reused_ = false;  ///< what HDF5 has got last is a slot
};

}  // namespace nonsmooth::hdf5
