// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../capture/capture_info.h"

namespace nonsmooth {

/// `info` with version, and with producer, created and uuid where they are empty.
CaptureInfo Complete(CaptureInfo info);

/// A name beside `path` for a file that is not ready: ".NAME.PID-COUNT.suffix" in the same
/// directory, so that it can be renamed to `path`. Unique within and across processes.
std::string DraftName(const std::string& path, const char* suffix);

}  // namespace nonsmooth
