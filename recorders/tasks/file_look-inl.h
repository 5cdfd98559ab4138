// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorders/capture/capture_info.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth {

/// What planning has to know of a file, found out without reading a problem.
struct FileLook {
  FileFormat format = FileFormat::kCapture;
  CaptureInfo info;
  std::int64_t steps = 0;
  std::vector<StepSummary> summaries;  ///< where checksums of the steps are known; else empty, and
  std::uint64_t checksum = 0;          ///< … of all bytes of the file
  std::uint64_t bytes = 0;
};

/// Throws what opening the file throws. Of a finished capture, the bytes are summed and nothing but
/// its head is read, which takes a tenth of opening it for its steps; of one that is being written
/// they change, so that its steps are looked up.
FileLook LookAt(const std::string& path);

}  // namespace nonsmooth
