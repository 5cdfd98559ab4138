// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonsmooth {

/// Yann Collet's XXH64, after its specification: fast, and to be had in every language, so that
/// anybody can check a capture. It guards against damage, not against malice.
std::uint64_t XxHash64(const void* data, std::size_t size, std::uint64_t seed);

}  // namespace nonsmooth
