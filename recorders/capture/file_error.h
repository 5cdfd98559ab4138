// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace nonsmooth {

/// Something is wrong with a file: `what()` reads "file: object: cause". Whatever reads or writes
/// files here throws this and nothing else about them; a caller's mistake stays a
/// std::invalid_argument.
class FileError : public std::runtime_error {
 public:
  FileError(std::string file, std::string object, std::string cause)
      : std::runtime_error(file + ": " + (object.empty() ? "" : object + ": ") + cause),
        file_(std::move(file)),
        object_(std::move(object)),
        cause_(std::move(cause)) {}

  const std::string& file() const { return file_; }
  const std::string& object() const { return object_; }  ///< path inside the file; may be empty
  const std::string& cause() const { return cause_; }

 private:
  std::string file_;
  std::string object_;
  std::string cause_;
};

using CaptureError = FileError;

}  // namespace nonsmooth
