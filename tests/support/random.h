// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace nonsmooth::test {

/// Numbers that are the same on every machine: the standard's distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [low, high).
  double Uniform(double low, double high) {
    const double unit = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low + (high - low) * unit;
  }

  /// Uniform in 0 … count − 1.
  int Index(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

  std::vector<double> Vector(int size, double low, double high) {
    std::vector<double> values(size);
    for (double& value : values) value = Uniform(low, high);
    return values;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace nonsmooth::test
