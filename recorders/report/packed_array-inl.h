// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace nonsmooth {

/// Columns of numbers inside a page's JSON: {"type", "count", "data"}, data being base64 of the
/// deflated bytes, all first bytes before all second ones: bytes that are alike stand together.

/// float32 rounded to so many significant bits, at most 16, without its last byte; NaN and
/// infinities stay what they are. Three digits are shown, and 12 bits are right to 1.2e-4.
nlohmann::ordered_json PackFloat24(const std::vector<float>& values, int bits = 16);

nlohmann::ordered_json PackFloat32(const std::vector<float>& values);

/// One, two or four bytes, as the largest needs.
nlohmann::ordered_json PackUnsigned(const std::vector<std::uint32_t>& values);

/// Components of unit vectors: −1 … 1 in 16 bits. What is not finite becomes 0.
nlohmann::ordered_json PackUnit(const std::vector<float>& values);

}  // namespace nonsmooth
