// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/capture_pack.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "recorders/format/capture_identity.h"
#include "recorders/format/capture_layout.h"

namespace nonsmooth {
namespace {

constexpr std::uint64_t kBlockBytes = 4u << 20;

void CopyEntries(const hdf5::Dataset& from, const hdf5::File& target, const hdf5::Dataset& to,
                 std::uint64_t entries, std::uint64_t entry_size) {
  std::uint64_t block = std::max<std::uint64_t>(1, kBlockBytes / entry_size);
  // Whole chunks only, so that each is compressed once.
  const hdf5::Handle plist(H5Dget_create_plist(to.id()));
  hsize_t chunk[2] = {1, 1};
  to.Check(H5Pget_chunk(plist.get(), 2, chunk), "has no chunks");
  block = std::max<std::uint64_t>(1, block / chunk[0]) * chunk[0];
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t first = 0; first < entries; first += block) {
    const std::uint64_t count = std::min(block, entries - first);
    bytes.resize(count * entry_size);
    ReadEntries(from, first, count, bytes.data());
    WriteEntries(to, first, count, bytes.data());
    target.CheckWritten();
  }
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
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    CopyEntries(from.data[i], target, to.data[i], sizes[i],
                schema::EntrySize(schema::kDatasets[i], info.scalar));
  }
  CopyEntries(from.steps, target, to.steps, options.steps, sizeof(schema::StepRow));
  bool closed = to.steps.Close();
  for (hdf5::Dataset& dataset : to.data) closed &= dataset.Close();
  if (!closed) target.Fail("cannot be closed properly");
  target.Finish(draft);
}

}  // namespace

void PackCapture(const std::string& path, int level) {
  const hdf5::Session session;
  const std::string draft = DraftName(path, "pack");
  try {
    CopyCapture(path, draft, level);
  } catch (const FileError& error) {
    ::unlink(draft.c_str());
    throw FileError(path, error.object(), "cannot be compressed: " + error.cause());
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(draft.c_str());
    throw FileError(path, "", "cannot be compressed: " + why);
  }
}

}  // namespace nonsmooth
