// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replacement_file.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "recorders/file_error.h"

namespace nonsmooth {

ReplacementFile::ReplacementFile(std::string path) : path_(std::move(path)) {
  if (std::filesystem::is_directory(path_)) throw FileError(path_, "", "is a directory");
  temporary_path_ = path_ + "." + std::to_string(::getpid()) + ".part";
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
