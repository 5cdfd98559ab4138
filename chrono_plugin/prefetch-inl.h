// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace nonsmooth::chrono {

/// How far ahead memory is fetched, in rows and in variables. Chrono's objects lie anywhere: those
/// that point to others are fetched early enough for the others to be fetched in time.
inline constexpr std::size_t kFetchRow = 60, kFetchTuples = 30;
inline constexpr std::size_t kFetchVariables = 16, kFetchVectors = 8;

/// The first `size` bytes of an object.
inline void Fetch(const void* object, std::size_t size) {
  for (std::size_t offset = 0; offset < size; offset += 64) {
    __builtin_prefetch(static_cast<const char*>(object) + offset);
  }
}

}  // namespace nonsmooth::chrono
