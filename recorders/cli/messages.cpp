// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include "recorders/cli/commands-inl.h"

namespace nonsmooth::cli {

void PrintError(const std::string& message) {
  std::fprintf(stderr, "nonsmooth: error: %s\n", message.c_str());
}

void PrintWarning(const std::string& message) {
  std::fprintf(stderr, "nonsmooth: warning: %s\n", message.c_str());
}

}  // namespace nonsmooth::cli
