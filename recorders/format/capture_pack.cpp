// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/capture_pack.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "recorders/format/capture_identity.h"
#include "recorders/format/capture_layout.h"
#include "recorders/packing/chunk_packer.h"

namespace nonsmooth {
namespace {

constexpr std::uint32_t kNoFilters = 3;  // bits of those left out, shuffle and deflate

/// A dataset on its way from one file to the other, by chunks.
struct Copy {
  const hdf5::Dataset* from;
  const hdf5::Dataset* to;
  std::uint64_t entries;
  std::size_t entry_size;
  std::size_t value_size = 1;
  std::uint64_t chunk = 1;  ///< entries of one
  bool same_chunks = false;
  bool filtered = false;

  std::uint64_t chunks() const { return (entries + chunk - 1) / chunk; }
};

std::uint64_t ChunkOf(const hdf5::Dataset& dataset, bool* filtered = nullptr) {
  const hdf5::Handle plist =
      dataset.CheckHandle(H5Dget_create_plist(dataset.id()), "has no layout");
  hsize_t chunk[2] = {1, 1};
  dataset.Check(H5Pget_chunk(plist.get(), 2, chunk), "has no chunks");
  if (filtered != nullptr) *filtered = H5Pget_nfilters(plist.get()) > 0;
  return chunk[0];
}

Copy MakeCopy(const hdf5::Dataset& from, const hdf5::Dataset& to, std::uint64_t entries,
              std::size_t entry_size) {
  Copy copy{&from, &to, entries, entry_size};
  const hdf5::Handle type = from.CheckHandle(H5Dget_type(from.id()), "has no type");
  copy.value_size = H5Tget_size(type.get());
  copy.chunk = ChunkOf(to);
  copy.same_chunks = ChunkOf(from, &copy.filtered) == copy.chunk;
  return copy;
}

/// False: the chunk is not packed yet.
bool CopyPacked(const Copy& copy, std::uint64_t number, std::vector<std::uint8_t>& bytes) {
  if (!copy.filtered || !copy.same_chunks) return false;
  const hsize_t offset[2] = {number * copy.chunk, 0};
  hsize_t size = 0;
  copy.from->Check(H5Dget_chunk_storage_size(copy.from->id(), offset, &size), "has lost a chunk");
  bytes.resize(size);
  std::uint32_t left_out = 0;
  // One that is not packed has its full size, and goes the other way.
  if (size == 0 || size >= copy.chunk * copy.entry_size) return false;
  copy.from->Check(H5Dread_chunk(copy.from->id(), H5P_DEFAULT, offset, &left_out, bytes.data()),
                   "cannot be read");
  if (left_out != 0) return false;
  copy.to->Check(H5Dwrite_chunk(copy.to->id(), H5P_DEFAULT, 0, offset, size, bytes.data()),
                 "cannot be written");
  return true;
}

void PushChunk(const Copy& copy, std::size_t index, std::uint64_t number, ChunkPacker& packer) {
  PackedChunk chunk;
  chunk.dataset = index;
  chunk.number = number;
  chunk.value_size = copy.value_size;
  chunk.raw = packer.Buffer();
  chunk.raw.assign(copy.chunk * copy.entry_size, 0);
  const std::uint64_t first = number * copy.chunk;
  ReadEntries(*copy.from, first, std::min(copy.chunk, copy.entries - first), chunk.raw.data());
  packer.Push(std::move(chunk));
}

void WritePacked(const std::vector<Copy>& copies, bool all, ChunkPacker& packer) {
  for (PackedChunk& chunk : packer.Take(all)) {
    const Copy& copy = copies[chunk.dataset];
    const bool packed = !chunk.packed.empty();
    const std::vector<std::uint8_t>& bytes = packed ? chunk.packed : chunk.raw;
    const hsize_t offset[2] = {chunk.number * copy.chunk, 0};
    copy.to->Check(H5Dwrite_chunk(copy.to->id(), H5P_DEFAULT, packed ? 0 : kNoFilters, offset,
                                  bytes.size(), bytes.data()),
                   "cannot be written");
    packer.GiveBack(std::move(chunk));
  }
}

void CopyDatasets(const std::vector<Copy>& copies, const hdf5::File& target, int level) {
  ChunkPacker packer(level, 0);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    for (std::uint64_t number = 0; number < copies[i].chunks(); ++number) {
      if (!CopyPacked(copies[i], number, bytes)) PushChunk(copies[i], i, number, packer);
      WritePacked(copies, false, packer);
    }
    target.CheckWritten();
  }
  WritePacked(copies, true, packer);
}

void CopyCapture(const std::string& path, const std::string& draft, int level) {
  const hdf5::File source = hdf5::File::Open(path);
  const CaptureInfo info = ReadCaptureInfo(source);
  const CaptureDatasets from = OpenLayout(source, info);
  std::array<std::uint64_t, schema::kDataCount> sizes{};
  for (std::size_t i = 0; i < schema::kDataCount; ++i) sizes[i] = from.data[i].dimensions()[0];

  hdf5::File target = CreateFinishedFile(draft);
  LayoutOptions options;
  options.sizes = &sizes;
  options.steps = from.steps.dimensions()[0];
  options.compression_level = level;
  CaptureDatasets to = CreateLayout(target, info, options);
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    if (sizes[i] == 0) continue;
    copies.push_back(MakeCopy(from.data[i], to.data[i], sizes[i],
                              schema::EntrySize(schema::kDatasets[i], info.scalar)));
  }
  copies.push_back(MakeCopy(from.steps, to.steps, options.steps, sizeof(schema::StepRow)));
  CopyDatasets(copies, target, level);
  bool closed = to.steps.Close();
  for (hdf5::Dataset& dataset : to.data) closed &= dataset.Close();
  if (!closed) target.Fail("cannot be closed properly");
  target.Finish(draft);
}

/// Throws FileError in the name of `path` if that is not possible.
void SynchroniseFile(const std::string& path, const std::string& file, int flags) {
  const int descriptor = ::open(file.c_str(), flags | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!done) throw FileError(path, "", std::strerror(error));
}

}  // namespace

void PackCapture(const std::string& path, int level, bool synchronise) {
  const hdf5::Session session;
  const std::string draft = DraftName(path, "pack");
  try {
    CopyCapture(path, draft, level);
    // A name that reached the device before what it stands for would lose, at a power failure, what
    // the first file had there.
    if (synchronise) SynchroniseFile(path, draft, O_RDONLY);
    if (std::rename(draft.c_str(), path.c_str()) != 0) {
      throw FileError(path, "", std::strerror(errno));
    }
  } catch (const FileError& error) {
    ::unlink(draft.c_str());
    throw FileError(path, error.object(), "cannot be compressed: " + error.cause());
  } catch (...) {  // no memory
    ::unlink(draft.c_str());
    throw;
  }
  if (!synchronise) return;
  const std::size_t slash = path.rfind('/');
  SynchroniseFile(path, slash == std::string::npos ? "." : path.substr(0, slash + 1), O_DIRECTORY);
}

}  // namespace nonsmooth
