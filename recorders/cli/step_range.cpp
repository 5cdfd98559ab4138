// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/step_range.h"

#include <charconv>

#include "recorders/cli/commands-inl.h"

namespace nonsmooth::cli {

StepRange ParseStepRange(const std::string& text) {
  StepRange range;
  const std::size_t colon = text.find(':');
  const auto number = [&text](const std::string& part, std::int64_t* value) {
    if (part.empty()) return;
    const auto result = std::from_chars(part.data(), part.data() + part.size(), *value);
    if (result.ec != std::errc() || result.ptr != part.data() + part.size() || *value < 0) {
      throw UsageError("--steps '" + text + "' is not A:B, A:, :B, A:B:K or A, counted from 0");
    }
  };
  if (text.empty() || text == ":")
    throw UsageError("--steps is empty, expected A:B, A:, :B, A:B:K or A");
  number(text.substr(0, colon), &range.first);
  if (colon == std::string::npos) {
    range.last = range.first + 1;
  } else {
    const std::size_t second = text.find(':', colon + 1);
    number(text.substr(colon + 1, second == std::string::npos ? second : second - colon - 1),
           &range.last);
    if (second != std::string::npos) number(text.substr(second + 1), &range.stride);
  }
  if (range.last <= range.first) {
    throw UsageError("--steps '" + text + "' holds no step: B is exclusive and has to exceed A");
  }
  if (range.stride == 0) throw UsageError("--steps '" + text + "': a stride of 0 gets nowhere");
  return range;
}

}  // namespace nonsmooth::cli
