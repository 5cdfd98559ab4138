// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct libdeflate_compressor;

namespace nonsmooth {

/// Makes of a chunk's bytes what HDF5's filters shuffle and deflate would make: any HDF5 reads it.
/// libdeflate is two to three times as fast as zlib; and bytes that are noise, as the last digits
/// of most numbers are, are stored as they are, which the format of deflate allows block by block.
///
/// Belongs to one thread at a time; keeps its memory.
class ChunkCodec {
 public:
  /// `level` 1 to 9. Throws std::bad_alloc.
  explicit ChunkCodec(int level);

  /// Replaces `packed`, which is a little larger than the bytes where nothing is to be gained.
  void Pack(const std::uint8_t* bytes, std::size_t size, std::size_t value_size,
            std::vector<std::uint8_t>& packed);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::uint8_t> shuffled_;
};

/// HDF5's shuffle: all first bytes of the values, then all second ones, …; what is left of the last
/// value comes at the end, as it is.
void Shuffle(const std::uint8_t* bytes, std::size_t size, std::size_t value_size,
             std::uint8_t* shuffled);

/// Whether deflate at its fastest would find next to nothing in there: all values are about as
/// frequent, and next to no piece of four comes twice.
bool IsNoise(const std::uint8_t* bytes, std::size_t size);

}  // namespace nonsmooth
