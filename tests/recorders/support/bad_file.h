// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <string>
#include <vector>

#include "recorders/capture/captured_step.h"
#include "recorders/format/step_row.h"

namespace nonsmooth {

using Bytes = std::vector<unsigned char>;

Bytes LoadBytes(const std::string& path);
void SaveBytes(const std::string& path, const Bytes& bytes);

/// What a lost write, a bad sector and a bad copy leave.
enum class Overwrite { kZeros, kNoise, kOtherPart };

/// `good` with up to `size` bytes at `to` overwritten; `from`: where the other part is.
Bytes WithBlockOverwritten(const Bytes& good, std::size_t to, std::size_t from, std::size_t size,
                           Overwrite with, std::mt19937& random);

/// What became of a file that was read by every function of the reader.
struct Reading {
  bool opened = false;
  int steps_read = 0;
  std::int64_t uncommitted = 0;
  std::vector<std::string> errors;  ///< texts of the FileErrors, each naming the file
};

/// Opens the file, lists, reads and validates it. Fails the test if anything but a FileError is
/// thrown, if an error does not name the file, or if a step that is read differs from the one of
/// the same index in `expected` (unless that is null). Ends the process if it takes a minute.
Reading ReadAll(const std::string& path, const std::vector<CapturedStep>* expected);

/// Row `index` of /steps of a closed file is changed by `edit` and gets a checksum that holds, and
/// so do the data of a file with one step if `data_too`.
template <class Edit>
void EditRow(const std::string& path, int index, bool data_too, const Edit& edit);

schema::StepRow LoadRow(const std::string& path, int index);
void StoreRow(const std::string& path, int index, schema::StepRow row, bool data_too);

template <class Edit>
void EditRow(const std::string& path, int index, bool data_too, const Edit& edit) {
  schema::StepRow row = LoadRow(path, index);
  edit(row);
  StoreRow(path, index, row, data_too);
}

}  // namespace nonsmooth
