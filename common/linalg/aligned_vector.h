// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace nonsmooth {

/// Memory on the boundaries that the widest vector registers are loaded from.
template <class T>
struct VectorAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  VectorAllocator() = default;
  template <class U>
  explicit VectorAllocator(const VectorAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, kAlignment); }
  friend bool operator==(VectorAllocator, VectorAllocator) { return true; }
  friend bool operator!=(VectorAllocator, VectorAllocator) { return false; }
};

using AlignedVector = std::vector<double, VectorAllocator<double>>;

}  // namespace nonsmooth
