// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../capture/body_shape.h"
#include "../capture/capture_info.h"
#include "../capture/captured_step.h"
#include "../capture/file_error.h"

namespace nonsmooth {

/// The formats that problems come in; recognised by what is in a file, never by its name.
enum class FileFormat { kCapture, kFclibLocal, kFclibGlobal, kLu, kOde, kCollection };

/// `capture`, `fclib-local`, `fclib-global`, `lu` or `ode`, as in `nonsmooth convert --to`, or
/// `collection`.
std::string_view ToString(FileFormat format);

/// The inverse, of what problems can be converted to; throws std::invalid_argument naming what
/// there is.
FileFormat ParseFileFormat(std::string_view text);

/// A step of any file, and what its reader has to say about it (an unsymmetric W, tangents that
/// were chosen, a missing time step).
struct SourceStep {
  CapturedStep step;
  std::vector<std::string> remarks;
};

/// Problems in a file of any format, one by one. All functions throw FileError with file, object
/// and cause. One object may be used by several threads; they take turns.
class ProblemSource {
 public:
  virtual ~ProblemSource() = default;

  const std::string& path() const { return path_; }
  FileFormat format() const { return format_; }

  /// Engine, scene and so on, as far as the format tells.
  const CaptureInfo& info() const { return info_; }

  /// Number of steps, as of opening.
  virtual std::int64_t steps() const = 0;

  /// `index` from 0; throws std::invalid_argument if it is not below steps().
  virtual SourceStep Read(std::int64_t index) const = 0;

  /// Steps first … last−1 without their arrays; none where a format does not tell that quickly.
  virtual std::vector<StepSummary> Summaries(std::int64_t /*first*/, std::int64_t /*last*/) const {
    return {};
  }

  /// What bodies look like; only captures know it.
  virtual std::vector<BodyShape> Shapes() const { return {}; }

 protected:
  ProblemSource(std::string path, FileFormat format);
  std::string path_;
  FileFormat format_;
  CaptureInfo info_;
};

/// Opens a file of any format. Directories, pipes and devices are refused, not read.
std::unique_ptr<ProblemSource> OpenSource(const std::string& path);

}  // namespace nonsmooth
