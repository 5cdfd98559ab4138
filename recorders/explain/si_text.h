// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace nonsmooth {

/// Three digits and an SI prefix: 3.42e-5 and "J" give "34.2 µJ". "-" if not known.
std::string SiText(double value, std::string_view unit);

}  // namespace nonsmooth
