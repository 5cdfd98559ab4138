// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solver/solve_options.h"

namespace nonsmooth {

OptionFields Fields(SolveOptions& options) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kMostIterations = 1e9;
  constexpr double kMostThreads = 1024;
  return {
      {"law", "-", "friction law; native is what the engine posed", &options.law},
      {"max_iterations", "iterations", "limit of the iteration", &options.max_iterations, 0,
       kMostIterations},
      {"energy_tolerance", "J",
       "converged below this energy error; 0 leaves it to the relative one",
       &options.energy_tolerance, 0, kInfinity},
      {"relative_tolerance", "-", "converged below this multiple of the step's free energy",
       &options.relative_tolerance, 0, kInfinity},
      {"deadline", "s", "wall clock for the whole solve, checked inside the iteration",
       &options.deadline, 0, kInfinity},
      {"measure_every", "iterations", "how often the error is measured and the best iterate kept",
       &options.measure_every, 1, kMostIterations},
      {"least_error", "-", "return the iterate of least error instead of the last one measured",
       &options.least_error},
      {"stall_iterations", "iterations",
       "stalled if so many have not lowered the least error by a thousandth; 0: never",
       &options.stall_iterations, 0, kMostIterations},
      {"islands", "-", "solve what has nothing to do with each other by itself", &options.islands},
      {"threads", "threads", "for islands; 0: as many as the machine has", &options.threads, 0,
       kMostThreads},
      {"history", "-", "keep a record of every measured iteration", &options.history},
  };
}

}  // namespace nonsmooth
