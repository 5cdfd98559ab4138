// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../capture/file_error.h"
#include "lu_frame.h"

namespace nonsmooth {

namespace hdf5 {
class File;
}

/// Reads a file of Lu et al.'s interface, one group a frame, in either dialect. Missing modules and
/// the time steps that ODE's writer forgets are taken as they are. Throws FileError with file,
/// object and cause.
class LuFile {
 public:
  explicit LuFile(const std::string& path);
  ~LuFile();

  LuDialect dialect() const { return dialect_; }
  std::int64_t frames() const { return static_cast<std::int64_t>(names_.size()); }

  /// Written by this project; then the order of z is known.
  bool own() const { return own_; }

  LuFrame Read(std::int64_t index) const;

  /// The time step of the nearest frame that has one, first looking back; NaN if none has.
  double StepNear(std::int64_t index) const;

  /// True if a root group looks like a frame of either dialect.
  static bool Recognise(const hdf5::File& file);

 private:
  std::unique_ptr<hdf5::File> file_;
  LuDialect dialect_ = LuDialect::kPaper;
  bool own_ = false;
  std::vector<std::string> names_;  ///< of the frames' groups, in order
};

/// Writes frames, all of one dialect, into a new file whose root attribute `dialect` names it.
/// Groups are numbered from 1. Throws FileError.
void WriteLu(const std::string& path, LuDialect dialect, const std::vector<LuFrame>& frames);

}  // namespace nonsmooth
