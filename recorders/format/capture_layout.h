// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "../hdf5/file.h"
#include "schema.h"
#include "step_row.h"

namespace nonsmooth {

/// The open datasets of a capture; null where the file's minor version does not have them.
struct CaptureDatasets {
  std::array<hdf5::Dataset, schema::kDataCount> data;
  hdf5::Dataset steps;
};

/// How the datasets of a new file are laid out.
struct LayoutOptions {
  /// Entries each dataset will have; without, datasets grow.
  const std::array<std::uint64_t, schema::kDataCount>* sizes = nullptr;
  std::uint64_t steps = 0;  ///< rows of /steps, if `sizes` is given

  /// 0: none. With a level, datasets have the filters shuffle and deflate, which whoever writes has
  /// gone through already; /steps only in a finished file: its rows are too few to be packed
  /// meanwhile.
  int compression_level = 0;
};

/// A new HDF5 1.10 file that is safe to be read while it is written, and to be killed: its metadata
/// never straddles a page of memory, so that one write of it is never torn.
hdf5::File CreateGrowingFile(const std::string& path);

/// A new HDF5 1.10 file, compact.
hdf5::File CreateFinishedFile(const std::string& path);

/// Makes root attributes, groups and datasets. A growing dataset has no chunk cache: what is
/// written goes to the file at once, and only that.
CaptureDatasets CreateLayout(const hdf5::File& file, const CaptureInfo& info,
                             const LayoutOptions& options);

/// Reads and checks root attributes: format, version, scalar.
CaptureInfo ReadCaptureInfo(const hdf5::File& file);

/// Of a version that ReadCaptureInfo() has let pass.
int MinorVersion(const CaptureInfo& info);

/// Opens all datasets that the file's version has and checks types and shapes.
CaptureDatasets OpenLayout(const hdf5::File& file, const CaptureInfo& info);

/// Bytes of rows first … first+count−1 of `dataset`, whose entries have `entry_size` bytes; written
/// and read as stored, without conversion.
void WriteEntries(const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count,
                  const void* bytes);
void ReadEntries(const hdf5::Dataset& dataset, std::uint64_t first, std::uint64_t count,
                 void* bytes);

}  // namespace nonsmooth
