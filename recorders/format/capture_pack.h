// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// Rewrites a closed capture with shuffle + deflate beside the first one and renames it into its
/// place: at every moment one of the two is there, whole. Throws FileError and leaves the file as
/// it was if that fails.
void PackCapture(const std::string& path, int level);

}  // namespace nonsmooth
