// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "chunk_codec.h"

namespace nonsmooth {

/// A chunk on its way from one form to the other.
struct PackedChunk {
  std::size_t dataset = 0;     ///< whose it is, in the caller's own numbers
  std::uint64_t number = 0;    ///< of that dataset's chunks
  std::uint64_t address = 0;   ///< where the caller keeps it meanwhile
  std::size_t value_size = 1;  ///< [bytes]
  std::vector<std::uint8_t> raw;
  std::vector<std::uint8_t> packed;  ///< empty: there was no memory for it
};

/// Packs chunks in threads of its own, which call nothing but the codec. Where no thread can be
/// started, the caller's does it. Used by one thread at a time.
class ChunkPacker {
 public:
  /// `threads` 0: as many as half of the processors, 1 at the least and 4 at the most.
  ChunkPacker(int level, int threads);
  ~ChunkPacker();  ///< drops what was not begun
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;

  /// Takes dataset, number, address, value_size and raw. Waits if kMost are on their way already.
  /// Throws std::bad_alloc, the chunk is lost then.
  void Push(PackedChunk chunk);

  /// All that are ready; with `wait` all that were pushed.
  std::vector<PackedChunk> Take(bool wait);

  /// An empty buffer, used before if there is one.
  std::vector<std::uint8_t> Buffer();
  void GiveBack(PackedChunk chunk);

 private:
  /// [chunks] 16 MB: a second of a simulation that is worth recording, and no burden to it.
  static constexpr std::size_t kMost = 128;

  void Loop();
  void PackOne(std::optional<ChunkCodec>& codec, PackedChunk& chunk) const noexcept;

  const int level_;
  std::vector<std::vector<std::uint8_t>> buffers_;  ///< of the caller's thread
  std::mutex mutex_;                                // guards all that follows
  std::condition_variable work_;
  std::condition_variable done_;
  std::deque<PackedChunk> waiting_;
  std::vector<PackedChunk> ready_;
  std::size_t underway_ = 0;  ///< pushed and not ready
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace nonsmooth
