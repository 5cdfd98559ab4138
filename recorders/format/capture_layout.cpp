// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/capture_layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace nonsmooth {
namespace {

using hdf5::Handle;

constexpr std::size_t kChunkBytes = 128u << 10;
constexpr hsize_t kPageBytes = 4096;

hid_t FileType(schema::Type type, ScalarType scalar) {
  switch (type) {
    case schema::Type::kScalar:
      return scalar == ScalarType::kFloat32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    case schema::Type::kInt32:
      return H5T_STD_I32LE;
    case schema::Type::kInt64:
      return H5T_STD_I64LE;
    case schema::Type::kUInt8:
      return H5T_STD_U8LE;
    case schema::Type::kUInt64:
      return H5T_STD_U64LE;
  }
  return H5I_INVALID_HID;
}

hdf5::File CreateFile(const std::string& path, bool growing) {
  const hdf5::Session session;
  const hdf5::Object where(Handle(), path, "");
  const Handle creation = where.CheckHandle(H5Pcreate(H5P_FILE_CREATE), "no property list");
  const Handle access = where.CheckHandle(H5Pcreate(H5P_FILE_ACCESS), "no property list");
  where.Check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
              "cannot choose the file format");
  if (growing) {
    where.Check(H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE,
                                           /*persist=*/false, /*threshold=*/1),
                "cannot choose pages");
    where.Check(H5Pset_file_space_page_size(creation.get(), kPageBytes), "cannot choose pages");
  }
  return hdf5::File::Create(path, creation.get(), access.get());
}

/// Whole pages: the places of chunks are used again, see RawSlots, and HDF5 keeps a book of the
/// rest of each last page.
hsize_t ChunkEntries(std::size_t entry_size) {
  const hsize_t pages = kPageBytes / std::gcd<hsize_t>(entry_size, kPageBytes);
  const hsize_t most = kChunkBytes / entry_size;
  return std::max<hsize_t>(1, most >= pages ? most / pages * pages : most);
}

hdf5::Dataset CreateDataset(const hdf5::Group& parent, const std::string& name, hid_t type,
                            int width, std::size_t entry_size, const std::uint64_t* size,
                            int level) {
  const std::string path = parent.path() == "/" ? "/" + name : parent.path() + "/" + name;
  const hdf5::Object where(Handle(), parent.file(), path);
  const int rank = width == 1 ? 1 : 2;
  const hsize_t count = size == nullptr ? 0 : *size;
  hsize_t chunk_entries = ChunkEntries(entry_size);
  // A finished dataset of one chunk needs no index.
  if (size != nullptr && count > 0) chunk_entries = std::min(chunk_entries, count);
  const hsize_t dims[2] = {count, static_cast<hsize_t>(width)};
  const hsize_t most[2] = {size == nullptr || count == 0 ? H5S_UNLIMITED : count,
                           static_cast<hsize_t>(width)};
  const hsize_t chunk[2] = {chunk_entries, static_cast<hsize_t>(width)};
  const Handle space = where.CheckHandle(H5Screate_simple(rank, dims, most), "no dataspace");
  const Handle creation = where.CheckHandle(H5Pcreate(H5P_DATASET_CREATE), "no property list");
  where.Check(H5Pset_chunk(creation.get(), rank, chunk), "cannot set chunks");
  const Handle access = where.CheckHandle(H5Pcreate(H5P_DATASET_ACCESS), "no property list");
  if (size == nullptr) {
    where.Check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "cannot set filling");
    where.Check(H5Pset_chunk_cache(access.get(), 1, 0, 1.0), "cannot set the cache");
  }
  if (level > 0 && (size == nullptr || count > 0)) {
    where.Check(H5Pset_shuffle(creation.get()), "cannot set filters");
    where.Check(H5Pset_deflate(creation.get(), static_cast<unsigned>(level)), "cannot set filters");
  }
  hdf5::Dataset dataset(Handle(H5Dcreate2(parent.id(), name.c_str(), type, space.get(), H5P_DEFAULT,
                                          creation.get(), access.get())),
                        parent.file(), path);
  if (!dataset) dataset.Fail("cannot be created");
  return dataset;
}

void WriteRootAttributes(const hdf5::File& file, const CaptureInfo& info) {
  file.WriteAttribute(schema::kFormatAttribute, std::string(schema::kFormat));
  file.WriteAttribute(schema::kVersionAttribute, info.version);
  file.WriteAttribute(schema::kEngineAttribute, info.engine);
  file.WriteAttribute(schema::kEngineVersionAttribute, info.engine_version);
  file.WriteAttribute(schema::kScalarAttribute, std::string(ToString(info.scalar)));
  file.WriteAttribute(schema::kProducerAttribute, info.producer);
  file.WriteAttribute(schema::kCreatedAttribute, info.created);
  file.WriteAttribute(schema::kUuidAttribute, info.uuid);
  file.WriteAttribute(schema::kSceneAttribute, info.scene);
  file.WriteAttribute(schema::kSchemaAttribute, schema::SchemaJson());
}

void CheckShape(const hdf5::Dataset& dataset, const schema::DatasetSpec& spec, ScalarType scalar) {
  const Handle type = dataset.CheckHandle(H5Dget_type(dataset.id()), "has no type");
  if (H5Tequal(type.get(), FileType(spec.type, scalar)) <= 0) {
    dataset.Fail("is of another type than the format says");
  }
  const hdf5::Dimensions& dims = dataset.dimensions();
  const bool fits = spec.width == 1
                        ? dims.size() == 1
                        : dims.size() == 2 && dims[1] == static_cast<std::uint64_t>(spec.width);
  if (!fits) dataset.Fail("is of another shape than the format says");
}

/// Both memory and file selection of a range of entries.
struct Selection {
  Handle memory;
  Handle file;
  Handle type;
};

Selection Select(const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count) {
  Selection selection;
  selection.type = dataset.CheckHandle(H5Dget_type(dataset.id()), "has no type");
  selection.file = dataset.CheckHandle(H5Dget_space(dataset.id()), "has no size");
  hsize_t dims[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(selection.file.get());
  if (rank < 1 || rank > 2) dataset.Fail("is of another shape than the format says");
  dataset.Check(H5Sget_simple_extent_dims(selection.file.get(), dims, nullptr), "has no size");
  const hsize_t start[2] = {first, 0};
  const hsize_t size[2] = {count, dims[1]};
  dataset.Check(
      H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, start, nullptr, size, nullptr),
      "cannot select");
  selection.memory =
      dataset.CheckHandle(H5Screate_simple(rank, size, nullptr), "cannot make a dataspace");
  return selection;
}

}  // namespace

hdf5::File CreateGrowingFile(const std::string& path) { return CreateFile(path, true); }
hdf5::File CreateFinishedFile(const std::string& path) { return CreateFile(path, false); }

CaptureDatasets CreateLayout(const hdf5::File& file, const CaptureInfo& info,
                             const LayoutOptions& options) {
  const hdf5::Session session;
  WriteRootAttributes(file, info);
  CaptureDatasets datasets;
  const std::uint64_t* steps = options.sizes == nullptr ? nullptr : &options.steps;
  datasets.steps = CreateDataset(file, schema::kStepsPath, schema::StepRowType().get(), 1,
                                 sizeof(schema::StepRow), steps,
                                 steps == nullptr ? 0 : options.compression_level);
  std::set<std::string> made;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    const schema::DatasetSpec& spec = schema::kDatasets[i];
    const hdf5::Group group =
        made.insert(spec.group).second ? file.CreateGroup(spec.group) : file.OpenGroup(spec.group);
    datasets.data[i] = CreateDataset(group, spec.name, FileType(spec.type, info.scalar), spec.width,
                                     schema::EntrySize(spec, info.scalar),
                                     options.sizes == nullptr ? nullptr : &(*options.sizes)[i],
                                     options.compression_level);
    datasets.data[i].WriteAttribute(schema::kUnitsAttribute, std::string(spec.units));
    datasets.data[i].WriteAttribute(schema::kFrameAttribute, std::string(spec.frame));
  }
  return datasets;
}

CaptureInfo ReadCaptureInfo(const hdf5::File& file) {
  if (!file.HasAttribute(schema::kFormatAttribute) ||
      file.ReadTextAttribute(schema::kFormatAttribute) != schema::kFormat) {
    throw FileError(
        file.file(), "/",
        std::string("is not a capture: attribute 'format' is not '") + schema::kFormat + "'");
  }
  CaptureInfo info;
  info.version = file.ReadTextAttribute(schema::kVersionAttribute);
  const std::string ours = std::to_string(schema::kMajor) + "." + std::to_string(schema::kMinor);
  char* end = nullptr;
  const long major = std::strtol(info.version.c_str(), &end, 10);
  if (end == info.version.c_str() || *end != '.' || major != schema::kMajor) {
    throw FileError(file.file(), "/@version",
                    "the file has version '" + info.version + "', this program reads version " +
                        ours + " and others with the same major number");
  }
  const std::string scalar = file.ReadTextAttribute(schema::kScalarAttribute);
  if (scalar != ToString(ScalarType::kFloat32) && scalar != ToString(ScalarType::kFloat64)) {
    throw FileError(file.file(), "/@scalar", "is '" + scalar + "', expected float32 or float64");
  }
  info.scalar =
      scalar == ToString(ScalarType::kFloat32) ? ScalarType::kFloat32 : ScalarType::kFloat64;
  info.engine = file.ReadTextAttribute(schema::kEngineAttribute);
  info.engine_version = file.ReadTextAttribute(schema::kEngineVersionAttribute);
  info.producer = file.ReadTextAttribute(schema::kProducerAttribute);
  info.created = file.ReadTextAttribute(schema::kCreatedAttribute);
  info.uuid = file.ReadTextAttribute(schema::kUuidAttribute);
  info.scene = file.ReadTextAttribute(schema::kSceneAttribute);
  return info;
}

int MinorVersion(const CaptureInfo& info) {
  const std::size_t dot = info.version.find('.');
  const long minor = std::strtol(info.version.c_str() + dot + 1, nullptr, 10);
  return static_cast<int>(std::clamp(minor, 0L, 1000000L));
}

CaptureDatasets OpenLayout(const hdf5::File& file, const CaptureInfo& info) {
  const hdf5::Session session;
  CaptureDatasets datasets;
  // In a live file /steps is opened first: what it points at was complete before.
  const auto open = [&file](const hdf5::Group& group, const char* name) {
    return file.live() ? group.OpenGrowingDataset(name) : group.OpenDataset(name);
  };
  datasets.steps = open(file, schema::kStepsPath);
  if (datasets.steps.dimensions().size() != 1) datasets.steps.Fail("is not a table");
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    const schema::DatasetSpec& spec = schema::kDatasets[i];
    if (schema::Since(spec) > MinorVersion(info)) continue;
    datasets.data[i] = open(file.OpenGroup(spec.group), spec.name);
    CheckShape(datasets.data[i], spec, info.scalar);
  }
  return datasets;
}

void WriteEntries(const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count,
                  const void* bytes) {
  if (count == 0) return;
  const hdf5::Session session;
  const Selection selection = Select(dataset, first, count);
  dataset.Check(H5Dwrite(dataset.id(), selection.type.get(), selection.memory.get(),
                         selection.file.get(), H5P_DEFAULT, bytes),
                "cannot be written");
}

void ReadEntries(const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count,
                 void* bytes) {
  if (count == 0) return;
  const hdf5::Session session;
  const Selection selection = Select(dataset, first, count);
  dataset.Check(H5Dread(dataset.id(), selection.type.get(), selection.memory.get(),
                        selection.file.get(), H5P_DEFAULT, bytes),
                "cannot be read");
}

}  // namespace nonsmooth
