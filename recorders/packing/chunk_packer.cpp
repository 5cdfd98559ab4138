// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/packing/chunk_packer.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "recorders/packing/signals_blocked.h"

namespace nonsmooth {

ChunkPacker::ChunkPacker(int level, int threads) : level_(level) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int wanted = threads > 0 ? threads : std::clamp(cores / 2, 1, 4);
  const SignalsBlocked blocked;
  try {
    for (int i = 0; i < wanted; ++i) threads_.emplace_back(&ChunkPacker::Loop, this);
  } catch (const std::system_error&) {
    // As many as there are; without any the caller packs.
  }
}

ChunkPacker::~ChunkPacker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ChunkPacker::PackOne(std::optional<ChunkCodec>& codec, PackedChunk& chunk) const noexcept {
  try {
    if (!codec) codec.emplace(level_);
    codec->Pack(chunk.raw.data(), chunk.raw.size(), chunk.value_size, chunk.packed);
  } catch (const std::bad_alloc&) {
    chunk.packed.clear();  // as it is, it is as good to read
  }
}

void ChunkPacker::Loop() {
  std::optional<ChunkCodec> codec;
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    PackedChunk chunk = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    PackOne(codec, chunk);
    lock.lock();
    ready_.push_back(std::move(chunk));  // Push() has made room
    --underway_;
    done_.notify_one();
  }
}

void ChunkPacker::Push(PackedChunk chunk) {
  if (threads_.empty()) {
    std::optional<ChunkCodec> codec;
    PackOne(codec, chunk);
    ready_.push_back(std::move(chunk));
    return;
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return underway_ < kMost; });
  ready_.reserve(ready_.size() + underway_ + 1);
  waiting_.push_back(std::move(chunk));
  ++underway_;
  lock.unlock();
  work_.notify_one();
}

std::vector<PackedChunk> ChunkPacker::Take(bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) done_.wait(lock, [this] { return underway_ == 0; });
  std::vector<PackedChunk> taken;
  taken.reserve(underway_);  // before the swap: where it throws, those underway still find room
  taken.swap(ready_);
  return taken;
}

std::vector<std::uint8_t> ChunkPacker::Buffer() {
  if (buffers_.empty()) return {};
  std::vector<std::uint8_t> buffer = std::move(buffers_.back());
  buffers_.pop_back();
  return buffer;
}

void ChunkPacker::GiveBack(PackedChunk chunk) { buffers_.push_back(std::move(chunk.raw)); }

}  // namespace nonsmooth
