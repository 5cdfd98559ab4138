// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth::cli {

/// Shows a file in the user's browser; false where there is none, or no screen to show it on.
bool OpenInBrowser(const std::string& path);

/// A new file for a page, in a folder of its own below the one for temporary files.
std::string TemporaryPage(const std::string& name);

}  // namespace nonsmooth::cli
