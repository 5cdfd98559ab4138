// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth {

/// Problems of packed bodies as one problem, whose islands are at least theirs: bodies and groups
/// one problem after the other.
Problem SideBySide(const std::vector<Problem>& problems);

}  // namespace nonsmooth
