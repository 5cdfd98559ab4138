// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// Rewrites a closed capture without gaps and with all of its chunks packed, beside the first one,
/// and renames it into its place: at every moment one of the two is there, whole. Chunks that are
/// packed already are copied as they are. `synchronise`: the new one has reached the device before
/// it takes the place of the other. Throws FileError and leaves the file as it was if that fails.
void PackCapture(const std::string& path, int level, bool synchronise);

}  // namespace nonsmooth
