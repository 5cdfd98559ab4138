// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// A file that is written beside its final place and moved there when it is complete, so that
/// nobody ever finds half of it. Not committed, it disappears.
class ReplacementFile {
 public:
  /// Makes the temporary file, empty. Throws FileError if that cannot be done.
  explicit ReplacementFile(std::string path);
  ~ReplacementFile();
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  const std::string& temporary_path() const { return temporary_path_; }

  /// Throws FileError if the file cannot be moved.
  void Commit();

 private:
  std::string path_;
  std::string temporary_path_;
  bool committed_ = false;
};

}  // namespace nonsmooth
