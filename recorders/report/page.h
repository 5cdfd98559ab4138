// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// The page that shows `json`, with viewer and data in one text. Nothing in the data can end the
/// element they stand in: every < is escaped.
std::string MakePage(const std::string& json);

}  // namespace nonsmooth
