// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "common/problem/problem.h"

namespace nonsmooth::benchmark {

/// Siconos' solvers of 3D contact problems that the comparison runs.
enum class SiconosMethod { kNsgs, kNsnAc, kNsnFb, kAdmm };

/// How Siconos holds the matrix; which one suits depends on the solver and the size.
enum class SiconosStorage { kDense, kSparse, kBlocks };

const char* ToString(SiconosMethod method);

struct SiconosRun {
  bool converged = false;  ///< it says so
  double seconds = 0;      ///< of the driver alone: matrix and options are made beforehand
  std::vector<double> reactions;
};

/// True if every row belongs to a contact with two tangents, spinning and rolling left out.
bool SiconosTakes(const Problem& problem);

/// Solves w = A x + b as Siconos' local problem from zero, `repetitions` times or until
/// `seconds_budget` is used up, to its error `tolerance`. Conversions that it keeps with the matrix
/// are paid for in the first run only.
std::vector<SiconosRun> SolveWithSiconos(const Problem& problem, SiconosMethod method,
                                         SiconosStorage storage, double tolerance, int repetitions,
                                         double seconds_budget);

}  // namespace nonsmooth::benchmark
