// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// A text as RFC 4180 wants it: quotes around what has commas, quotes or line ends; quotes doubled.
std::string CsvField(const std::string& text);

/// Shortest digits that read back to the same bits; empty where there is no finite number.
std::string CsvNumber(double value);

}  // namespace nonsmooth
