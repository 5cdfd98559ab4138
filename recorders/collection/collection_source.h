// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../interchange/problem_source.h"

namespace nonsmooth {

/// Root attribute `format` of a collection of links; one of copies is a capture.
inline constexpr char kCollectionFormat[] = "nonsmooth-collection";

/// Problems of a collection of links, read from where they lie. A source is opened when a problem
/// of it is asked for, and checked to be the problem that was collected.
std::unique_ptr<ProblemSource> OpenCollection(const std::string& path);

}  // namespace nonsmooth
