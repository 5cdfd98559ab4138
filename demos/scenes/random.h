// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>

#include "common/problem/problem_builder.h"

namespace nonsmooth {

/// Random numbers that are the same everywhere: the standard fixes std::mt19937 but not what the
/// distributions make of it.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  /// In [low, high).
  double Uniform(double low, double high);

  /// In 0 … count − 1.
  int Index(int count);

  /// Evenly over the sphere.
  Vector3 UnitVector();

 private:
  std::mt19937 engine_;
};

}  // namespace nonsmooth
