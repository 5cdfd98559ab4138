// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../hdf5/dataset.h"
#include "schema.h"

namespace nonsmooth::schema {

inline constexpr std::size_t kSolverNameSize = 64;

// Range too: where a row has them, they are not aligned.
#pragma pack(push, 1)
struct Range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// One row of /steps, byte for byte as it stands in the file.
struct StepRow {
  std::int64_t step = 0;
  std::int32_t island = 0;
  std::int32_t solve = 0;
  double time = 0;
  double h = 0;
  double gravity[3] = {};
  char solver[kSolverNameSize] = {};
  std::int32_t iterations = 0;
  std::uint8_t form = 0;
  double seconds = 0;
  double energy_error = 0;
  double total_error = 0;
  double normal_error = 0;
  double friction_error = 0;
  Range pools[kPoolCount] = {};
  std::uint64_t problem_checksum = 0;
  std::uint64_t data_checksum = 0;
  std::uint64_t shape_checksum = 0;
  std::uint64_t row_checksum = 0;
};
#pragma pack(pop)

/// One field of the row; `size` bytes at `offset` of StepRow.
struct StepField {
  const char* name;
  std::size_t offset;
  std::size_t size;
  enum class Kind { kInteger, kUnsigned, kFloat, kText } kind;
  std::size_t values;  ///< more than one: an array
  const char* units;
  const char* meaning;
  int since = 0;  ///< minor version that brought it
};

const std::vector<StepField>& StepFields();

/// The HDF5 type of StepRow.
hdf5::Handle StepRowType();

/// Where the fields of StepRow stand in the rows of a file, found by name: rows written by a later
/// minor version have more.
class StepRowMap {
 public:
  StepRowMap() = default;

  /// Throws FileError naming the field if one that the file's minor version has is missing, or one
  /// is of another type.
  StepRowMap(const hdf5::Dataset& steps, int minor);

  std::size_t row_size() const { return size_; }

  /// Fields that the file does not have become 0. False if the row's checksum does not hold: it was
  /// never committed, or it is damaged.
  bool Unpack(const std::uint8_t* bytes, StepRow* row) const;

 private:
  std::size_t size_ = 0;
  std::vector<std::size_t> offsets_;  ///< of StepFields()
};

/// Over the bytes of a row before and after its field `row_checksum`; never 0, so that a row of
/// zeros, as HDF5 shows for what was not written, does not pass.
std::uint64_t RowChecksum(const std::uint8_t* row, std::size_t size, std::size_t checksum_offset);

}  // namespace nonsmooth::schema
