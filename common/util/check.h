// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace nonsmooth {

/// Caller's mistakes become std::invalid_argument with all the parts in one sentence. The parts are
/// only put together when the check fails, so a check costs one branch.
template <class... Parts>
void Require(bool holds, const Parts&... parts) {
  if (holds) return;
  std::ostringstream message;
  (message << ... << parts);
  throw std::invalid_argument(message.str());
}

inline void RequireSize(const char* where, const char* field, std::size_t actual,
                        std::size_t expected) {
  Require(actual == expected, where, ": ", field, " has ", actual, " entries, expected ", expected);
}

}  // namespace nonsmooth
