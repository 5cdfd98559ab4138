// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../hdf5/dataset.h"
#include "../hdf5/output_file.h"
#include "chunk_packer.h"

namespace nonsmooth {

/// A dataset that is packed while it grows, in a file that may be read, and killed, at any moment.
///
/// The chunk that is being filled stands in the file as it is: HDF5 keeps with each chunk which of
/// the filters it has gone through, and this one says none. Entries are written to its place
/// directly, so that what was committed is never written again. A chunk that is full is packed by
/// somebody else meanwhile, written beside, and the dataset's index turned to it; its place is
/// given to a later chunk.
class GrowingDataset {
 public:
  GrowingDataset() = default;

  /// `dataset` is empty and has the filters shuffle and deflate; `number` is its name with
  /// `packer`.
  GrowingDataset(hdf5::Dataset dataset, std::size_t number, std::size_t entry_size,
                 std::shared_ptr<hdf5::OutputFile> output);

  /// Writes entries at the end; full chunks go to the packer. Throws FileError.
  void Append(const std::uint8_t* bytes, std::uint64_t entries, ChunkPacker& packer);

  /// Writes what the packer has made of one of this dataset's chunks. True: once the index is in
  /// the file, nothing refers to the chunk's former place.
  bool Replace(const PackedChunk& chunk);

  /// Gives the packer the chunk that is not full yet; nothing can be appended any more.
  void PackRest(ChunkPacker& packer);

  const hdf5::Dataset& dataset() const { return dataset_; }
  bool Close() { return dataset_.Close(); }

 private:
  void Begin(ChunkPacker& packer);
  void PushChunk(ChunkPacker& packer);

  hdf5::Dataset dataset_;
  std::shared_ptr<hdf5::OutputFile> output_;
  std::size_t number_ = 0;
  std::size_t entry_size_ = 1;
  std::size_t value_size_ = 1;
  std::uint64_t chunk_entries_ = 1;
  std::uint64_t entries_ = 0;
  std::vector<std::uint8_t> chunk_;  ///< the last one, if it is not full
  std::uint64_t address_ = 0;        ///< of that one in the file
};

}  // namespace nonsmooth
