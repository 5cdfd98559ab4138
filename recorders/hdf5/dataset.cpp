// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/dataset.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace nonsmooth::hdf5 {
namespace {

constexpr std::uint64_t kMostChunkBytes = 64u << 20;

/// Deflate cannot shrink anything by more than a factor of 1032.
constexpr std::uint64_t kMostExpansion = 1100;

void CheckChunks(const Dataset& dataset, hid_t plist, std::size_t value_size) {
  hsize_t chunk[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(plist, H5S_MAX_RANK, chunk);
  dataset.Check(rank, "has unreadable chunk sizes");
  std::uint64_t bytes = value_size;
  for (int k = 0; k < rank; ++k) {
    if (chunk[k] == 0 || bytes > kMostChunkBytes / chunk[k]) {
      dataset.Fail("has chunks of more than " + std::to_string(kMostChunkBytes) + " bytes");
    }
    bytes *= chunk[k];
  }
}

bool HasFilters(const Dataset& dataset, hid_t plist) {
  const int filters = dataset.Check(H5Pget_nfilters(plist), "has unreadable filters");
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(plist, static_cast<unsigned>(k), &flags, &values,
                                               nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
        filter != H5Z_FILTER_FLETCHER32) {
      dataset.Fail("needs filter " + std::to_string(filter) +
                   "; only shuffle, deflate and fletcher32 are read");
    }
  }
  return filters > 0;
}

/// What is on the disk, not what the file says of itself.
std::uint64_t FileBytes(const Dataset& dataset) {
  const Handle file = dataset.CheckHandle(H5Iget_file_id(dataset.id()), "belongs to no file");
  void* descriptor = nullptr;
  struct stat status {};
  dataset.Check(H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &descriptor), "belongs to no file");
  dataset.Check(::fstat(*static_cast<int*>(descriptor), &status), "belongs to no file");
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

void Dataset::Inspect() {
  const Session session;
  const Handle type = CheckHandle(H5Dget_type(id()), "has no type");
  const Handle space = CheckHandle(H5Dget_space(id()), "has no size");
  const Handle plist = CheckHandle(H5Dget_create_plist(id()), "has no layout");
  value_size_ = H5Tget_size(type.get());
  if (value_size_ == 0 || value_size_ > kMostChunkBytes) Fail("has values of absurd size");
  const int rank = Check(H5Sget_simple_extent_ndims(space.get()), "has no size");
  dimensions_.assign(static_cast<std::size_t>(rank), 0);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank) + 1);
  Check(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), "has no size");
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  values_ = H5Sget_simple_extent_type(space.get()) == H5S_NULL ? 0 : 1;
  for (std::size_t k = 0; k < dimensions_.size(); ++k) {
    dimensions_[k] = sizes[k];
    if (sizes[k] != 0 && values_ > most / value_size_ / sizes[k]) Fail("claims an absurd size");
    values_ *= sizes[k];
  }

  const H5D_layout_t layout = H5Pget_layout(plist.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(plist.get()) > 0) {
    Fail("keeps its data in other files, which is not supported");
  }
  most_bytes_ = std::min<std::uint64_t>(H5Dget_storage_size(id()), FileBytes(*this));
  if (layout == H5D_CHUNKED) {
    CheckChunks(*this, plist.get(), value_size_);
    if (HasFilters(*this, plist.get())) {
      most_bytes_ = most_bytes_ > most / kMostExpansion ? most : most_bytes_ * kMostExpansion;
    }
  } else if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) {
    Fail("has an unreadable layout");
  }
}

void Dataset::RequireStored() const {
  const std::uint64_t claimed = values_ * value_size_;
  if (claimed > most_bytes_) {
    Fail("claims " + std::to_string(claimed) + " bytes, but the file cannot hold more than " +
         std::to_string(most_bytes_) + " of them");
  }
}

bool Dataset::is_integer() const {
  const Session session;
  const Handle type(H5Dget_type(id()));
  return H5Tget_class(type.get()) == H5T_INTEGER;
}

bool Dataset::is_float() const {
  const Session session;
  const Handle type(H5Dget_type(id()));
  return H5Tget_class(type.get()) == H5T_FLOAT;
}

bool Dataset::is_text() const {
  const Session session;
  const Handle type(H5Dget_type(id()));
  return H5Tget_class(type.get()) == H5T_STRING;
}

template <class T>
std::vector<T> Dataset::Read() const {
  const Session session;
  if (std::is_floating_point_v<T> ? !is_float() : !is_integer()) {
    Fail(std::is_floating_point_v<T> ? "does not hold floating-point numbers"
                                     : "does not hold integers");
  }
  std::vector<T> values(values_);
  if (values.empty()) return values;
  if constexpr (std::is_integral_v<T>) {
    // HDF5 clamps silently what does not fit, so that wide integers are read wide.
    if (value_size_ > sizeof(T)) {
      std::vector<std::int64_t> wide(values_);
      Check(H5Dread(id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()),
            "cannot be read");
      for (std::size_t i = 0; i < wide.size(); ++i) {
        values[i] = static_cast<T>(wide[i]);
        if (static_cast<std::int64_t>(values[i]) != wide[i]) {
          Fail("entry " + std::to_string(i) + " = " + std::to_string(wide[i]) + " is too large");
        }
      }
      return values;
    }
  }
  Check(H5Dread(id(), NativeType<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "cannot be read");
  return values;
}

template std::vector<float> Dataset::Read<float>() const;
template std::vector<double> Dataset::Read<double>() const;
template std::vector<std::int32_t> Dataset::Read<std::int32_t>() const;
template std::vector<std::int64_t> Dataset::Read<std::int64_t>() const;
template std::vector<std::uint8_t> Dataset::Read<std::uint8_t>() const;
template std::vector<std::uint32_t> Dataset::Read<std::uint32_t>() const;
template std::vector<std::uint64_t> Dataset::Read<std::uint64_t>() const;

std::string Dataset::ReadText() const {
  const Session session;
  const Handle type = CheckHandle(H5Dget_type(id()), "has no type");
  if (H5Tget_class(type.get()) != H5T_STRING || values_ != 1) Fail("is not one text");
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    Check(H5Dread(id(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text), "cannot be read");
    std::string result = text == nullptr ? "" : TrimText(text, std::strlen(text));
    H5free_memory(text);
    return result;
  }
  std::string buffer(value_size_, '\0');
  Check(H5Dread(id(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()), "cannot be read");
  return TrimText(buffer.data(), buffer.size());
}

}  // namespace nonsmooth::hdf5
