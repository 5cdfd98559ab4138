// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../../common/solve/driver.h"

namespace nonsmooth {

/// A solve that is the same on every machine, so that times from several can be put into
/// proportion: eight sweeps of `psor` over a row of sixteen spheres pressed together, which
/// fits into the first-level cache. A machine with slow memory is flattered by it.
class Calibration {
 public:
  Calibration();

  /// [s] The least of several repetitions, since whatever disturbs a solve makes it longer: one at
  /// least, and no more than fit into `budget` [s].
  double Measure(double budget);

 private:
  Problem problem_;
  Driver driver_;
  SolveOptions options_;
  Solution solution_;
  Result result_;
};

}  // namespace nonsmooth
