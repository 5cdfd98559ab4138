// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "body_shape.h"
#include "capture_info.h"
#include "file_error.h"

namespace nonsmooth {

/// Reads a capture, docs/file_format.md: finished, still being written, or left behind by a process
/// that was killed. The file is never modified, and nothing is believed: sizes are checked before
/// memory is taken, and every step against its checksums.
///
/// All functions throw FileError with file, object and cause; an index out of range is a
/// std::invalid_argument. One object may be used by several threads; they take turns.
class CaptureReader {
 public:
  explicit CaptureReader(const std::string& path);
  ~CaptureReader();
  CaptureReader(CaptureReader&&) noexcept;
  CaptureReader& operator=(CaptureReader&&) noexcept;

  const std::string& path() const;
  const CaptureInfo& info() const;

  /// Committed steps; of a live file as of opening or the last Refresh().
  std::int64_t steps() const;

  /// The file was not closed by its writer: it is being written, or its writer was killed.
  bool live() const;

  /// Rows at the end of /steps that were never committed: a few after a kill, 0 in a closed file.
  std::int64_t uncommitted() const;

  /// Looks for steps that were committed since; returns how many there are now.
  std::int64_t Refresh();

  /// Metadata only.
  StepSummary Summary(std::int64_t index) const;

  /// Metadata of steps first … last−1, read in blocks.
  std::vector<StepSummary> Summaries(std::int64_t first, std::int64_t last) const;

  CapturedStep Read(std::int64_t index) const;

  /// The same into an existing object, reusing its memory.
  void Read(std::int64_t index, CapturedStep& step) const;

  /// Shapes of all bodies that have some; none in files of version 1.0.
  std::vector<BodyShape> Shapes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// True if the file has a capture's signature (root attribute `format`), false for anything else.
bool IsCapture(const std::string& path);

/// One thing that is wrong with a capture.
struct CaptureFinding {
  std::string object;      ///< path inside the file; empty: the file as a whole
  std::int64_t step = -1;  ///< index into /steps; −1: not a matter of one step
  std::string what;
};

/// Looks at everything: schema, checksums, every step, numbers that are not finite where that is
/// allowed but suspicious (a solution of NaN). Does not throw; stops after `most` findings.
std::vector<CaptureFinding> ValidateCapture(const std::string& path, int most = 100);

}  // namespace nonsmooth
