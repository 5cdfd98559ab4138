// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/hdf5/replacement_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "recorders/capture/file_error.h"

namespace nonsmooth {

ReplacementFile::ReplacementFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path_, ignored);
  if (std::filesystem::is_directory(status)) throw FileError(path_, "", "is a directory");
  // Moving a file there would take the place of a device such as /dev/null.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw FileError(path_, "", "is not a regular file");
  }
  temporary_path_ = path_ + "." + std::to_string(::getpid()) + ".part";
  std::FILE* file = std::fopen(temporary_path_.c_str(), "wb");
  if (file == nullptr)
    throw FileError(path_, "", std::string("cannot be written: ") + std::strerror(errno));
  std::fclose(file);
}

ReplacementFile::~ReplacementFile() {
  if (!committed_) std::remove(temporary_path_.c_str());
}

void ReplacementFile::Commit() {
  std::error_code error;
  std::filesystem::rename(temporary_path_, path_, error);
  if (error) throw FileError(path_, "", "cannot be written: " + error.message());
  committed_ = true;
}

}  // namespace nonsmooth
