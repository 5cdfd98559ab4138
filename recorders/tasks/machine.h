// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// What times depend on, beside the program.
struct MachineState {
  std::string name;
  double load = 0;       ///< processes that want to run, mean over a minute; NaN: not known
  double clock_mhz = 0;  ///< of the core this thread is on; NaN: not known
};

/// Load and clock are looked up once a second at most: a short task shall not pay for it.
MachineState LookAtMachine();

/// Physical cores that this process may use, at least 1. Two threads on one core share its
/// floating-point units, and their times say little.
int PhysicalCores();

}  // namespace nonsmooth
