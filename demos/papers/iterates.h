// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/error/error_report.h"
#include "common/solve/driver.h"
#include "demos/harness/demo.h"
#include "recorders/capture/captured_step.h"

namespace nonsmooth::papers {

/// Runs `world` in Bullet with double precision, records every solve into `file` and reads back all
/// of them: what a replay of that capture would see. Throws what the demo or the reader throws.
std::vector<CapturedStep> Capture(const demo::World& world, const demo::DemoOptions& options,
                                  const std::string& file);

/// Called with the number of an iterate, the law's set, x and w = A x + b.
using SeeIterate =
    std::function<void(int iteration, const FeasibleSet& set, const double* x, const double* w)>;

/// Solves from zero and shows every iterate, the start included, whatever it is worth.
Result FollowIterates(Driver& driver, const Problem& problem, SolveOptions options,
                      const SeeIterate& see);

/// Makes `psor` what papers and engines call projected Gauss–Seidel: sweeps in the order of the
/// problem's rows, without momentum. What is left after a few sweeps depends on that order.
Driver GaussSeidelDriver();

/// Mean and standard deviation (of the sample, Enzenhöfer et al., Eqs. 24 and 25).
struct Spread {
  double mean = 0;
  double deviation = 0;
};
Spread SpreadOf(const std::vector<double>& values);

}  // namespace nonsmooth::papers
