// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/scenes/random.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {

double Random::Uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_()) * 0x1p-32);
}

int Random::Index(int count) { return std::min(count - 1, static_cast<int>(Uniform(0, count))); }

Vector3 Random::UnitVector() {
  // From a cube into the ball by rejection: no transcendental functions, whose last bit differs
  // between C libraries.
  for (;;) {
    const Vector3 v{Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)};
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (square > 1 || square < 1e-4) continue;
    const double length = std::sqrt(square);
    return {v[0] / length, v[1] / length, v[2] / length};
  }
}

}  // namespace nonsmooth
