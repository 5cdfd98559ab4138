// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/packing/growing_dataset.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nonsmooth {
namespace {

constexpr std::uint32_t kNoFilters = 3;  // bits of those left out, shuffle and deflate

}  // namespace

GrowingDataset::GrowingDataset(hdf5::Dataset dataset, std::size_t number, std::size_t entry_size,
                               std::shared_ptr<hdf5::OutputFile> output)
    : dataset_(std::move(dataset)),
      output_(std::move(output)),
      number_(number),
      entry_size_(entry_size) {
  const hdf5::Handle creation =
      dataset_.CheckHandle(H5Dget_create_plist(dataset_.id()), "has no layout");
  hsize_t chunk[2] = {1, 1};
  dataset_.Check(H5Pget_chunk(creation.get(), 2, chunk), "has no chunks");
  chunk_entries_ = chunk[0];
  const hdf5::Handle type = dataset_.CheckHandle(H5Dget_type(dataset_.id()), "has no type");
  value_size_ = H5Tget_size(type.get());
}

/// Puts a chunk into the index, where it is nothing but room.
void GrowingDataset::Begin(ChunkPacker& packer) {
  chunk_ = packer.Buffer();
  chunk_.assign(chunk_entries_ * entry_size_, 0);
  hdf5::RawSlots& slots = output_->slots();
  slots.Claim();
  const hsize_t offset[2] = {entries_, 0};
  dataset_.Check(
      H5Dwrite_chunk(dataset_.id(), H5P_DEFAULT, kNoFilters, offset, chunk_.size(), chunk_.data()),
      "cannot grow");
  address_ = slots.claimed();
}

void GrowingDataset::PushChunk(ChunkPacker& packer) {
  PackedChunk chunk;
  chunk.dataset = number_;
  chunk.number = (entries_ - 1) / chunk_entries_;
  chunk.address = address_;
  chunk.value_size = value_size_;
  chunk.raw = std::exchange(chunk_, {});
  packer.Push(std::move(chunk));
}

void GrowingDataset::Append(const std::uint8_t* bytes, std::uint64_t entries, ChunkPacker& packer) {
  hsize_t size[2] = {0, 1};
  const hdf5::Handle space = dataset_.CheckHandle(H5Dget_space(dataset_.id()), "has no size");
  dataset_.Check(H5Sget_simple_extent_dims(space.get(), size, nullptr), "has no size");
  size[0] = entries_ + entries;
  dataset_.Check(H5Dset_extent(dataset_.id(), size), "cannot grow");
  while (entries > 0) {
    const std::uint64_t within = entries_ % chunk_entries_;
    if (within == 0) Begin(packer);
    const std::uint64_t count = std::min(entries, chunk_entries_ - within);
    const std::size_t count_bytes = count * entry_size_;
    std::memcpy(chunk_.data() + within * entry_size_, bytes, count_bytes);
    output_->Write(address_ + within * entry_size_, bytes, count_bytes);
    bytes += count_bytes;
    entries -= count;
    entries_ += count;
    if (entries_ % chunk_entries_ == 0) PushChunk(packer);
  }
}

bool GrowingDataset::Replace(const PackedChunk& chunk) {
  if (chunk.packed.empty() || chunk.packed.size() >= chunk.raw.size()) return false;
  const hsize_t offset[2] = {chunk.number * chunk_entries_, 0};
  dataset_.Check(H5Dwrite_chunk(dataset_.id(), H5P_DEFAULT, 0, offset, chunk.packed.size(),
                                chunk.packed.data()),
                 "cannot be packed");
  return true;
}

void GrowingDataset::PackRest(ChunkPacker& packer) {
  if (entries_ % chunk_entries_ != 0) PushChunk(packer);
}

}  // namespace nonsmooth
