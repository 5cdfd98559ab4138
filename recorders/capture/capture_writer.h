// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "body_shape.h"
#include "capture_info.h"
#include "file_error.h"

namespace nonsmooth {

struct CaptureWriterOptions {
  /// Chunks that are full are packed with shuffle + deflate while the file grows, in threads of the
  /// writer's. Without, the file is three to six times as large, which only a disk that is faster
  /// than packing makes good.
  bool compress = true;

  /// [1–9] 1 is within a few percent of 9 in size on contact data and several times as fast.
  int compression_level = 1;

  /// [threads] That pack, 0 to 64; 0: half of the processors, 1 at the least and 4 at the most.
  int packing_threads = 0;

  /// Wait until each commit has reached the device: a power failure loses no committed step. A
  /// killed process loses none either way.
  bool synchronise = false;

  /// Refuse to replace an existing file.
  bool keep_existing = false;
};

/// Writes a capture, docs/file_format.md. The file appears under its name complete and readable; a
/// step is committed when Append() returns, whatever happens to the process afterwards.
/// Not to be used by two threads at once.
class CaptureWriter {
 public:
  /// Throws FileError if the file cannot be made.
  CaptureWriter(const std::string& path, const CaptureInfo& info,
                const CaptureWriterOptions& options = {});

  /// Close() without throwing, if that was not called.
  ~CaptureWriter();
  CaptureWriter(CaptureWriter&&) noexcept;
  CaptureWriter& operator=(CaptureWriter&&) noexcept;

  /// As stored, with what the writer has filled in.
  const CaptureInfo& info() const;
  const std::string& path() const;

  /// Throws std::invalid_argument, and leaves the file as it was, if the step is inconsistent or a
  /// number is not exactly a float32 in a float32 file. Throws FileError if writing fails; the file
  /// then stays valid to the last commit, and the writer refuses further steps.
  void Append(const CapturedStep& step);

  /// Most steps that can be appended together.
  static constexpr std::size_t kMostStepsAtOnce = 16;

  /// The same for several steps at once, which is faster where they are small. Refuses all if it
  /// refuses one. A process that is killed meanwhile leaves none, or the first so many of them.
  void Append(const std::vector<const CapturedStep*>& steps);

  /// Shapes of bodies, committed with the next step; those of a body that has some already are left
  /// out. Rounded in a float32 file. Throws std::invalid_argument as CheckShape() says.
  void AddShapes(const std::vector<BodyShape>& shapes);

  std::int64_t steps() const;           ///< committed
  std::uint64_t bytes_written() const;  ///< of arrays, before compression

  /// Finishes the file. Throws FileError if that fails; what was committed stays readable.
  void Close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nonsmooth
