// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace nonsmooth::cli {

/// Steps first, first + stride … below last of a file.
struct StepRange {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  std::int64_t stride = 1;
};

/// "A:B", "A:", ":B", "A:B:K" for every K-th of them, or "A" alone for one step; throws UsageError
/// otherwise.
StepRange ParseStepRange(const std::string& text);

}  // namespace nonsmooth::cli
