// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstring>
#include <fstream>

#include "recorders/collection/collection_source.h"
#include "recorders/format/capture_layout.h"
#include "recorders/format/xxhash64.h"
#include "recorders/hdf5/file.h"
#include "recorders/tasks/file_look-inl.h"

namespace nonsmooth {
namespace {

void SumBytes(const std::string& path, FileLook* look) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "", std::strerror(errno));
  std::vector<char> buffer(1 << 20);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const auto read = static_cast<std::size_t>(file.gcount());
    if (read == 0) break;
    look->checksum = XxHash64(buffer.data(), read, look->checksum);
    look->bytes += read;
  }
  if (file.bad()) throw FileError(path, "", "cannot be read");
}

/// False where it is something else than a finished capture, or one that is not as it should be:
/// whoever reads it says so better.
bool LookAtHead(const std::string& path, FileLook* look) {
  const hdf5::Session session;
  const hdf5::File file = hdf5::File::Open(path);
  if (!file.HasAttribute("format") || file.live() || !file.HasDataset("steps")) return false;
  if (file.ReadTextAttribute("format") == kCollectionFormat) return false;
  look->info = ReadCaptureInfo(file);
  const hdf5::Dimensions dimensions = file.OpenGrowingDataset("steps").dimensions();
  if (dimensions.size() != 1) return false;
  look->steps = static_cast<std::int64_t>(dimensions[0]);
  return true;
}

}  // namespace

FileLook LookAt(const std::string& path) {
  FileLook look;
  if (!LookAtHead(path, &look)) {
    const std::unique_ptr<ProblemSource> source = OpenSource(path);
    look.format = source->format();
    look.info = source->info();
    look.steps = source->steps();
    look.summaries = source->Summaries(0, look.steps);
  }
  if (look.summaries.empty()) SumBytes(path, &look);
  return look;
}

}  // namespace nonsmooth
