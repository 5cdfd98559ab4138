// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "demos/harness/demo_options.h"

namespace nonsmooth::demo {

/// How an outcome is computed. What `options` leaves open is as engine and plugin have it by
/// default.
struct SolverChoice {
  std::string text;  ///< as it was asked for
  DemoOptions options;
  int substeps = 1;  ///< time steps of a frame
};

/// Reads NAME[:PART]…, NAME being `engine` or one of our solvers, and PART one of
///   NAME        of the engine's solvers, after `engine`
///   LAW         for ours: native, box, coupled_box, pyramid:K (as pyramidK), ccp, ncp
///   itN         iterations
///   subN        time steps of a frame
///   tolX        relative tolerance, for ours
///   dlX         deadline of a solve in ms, for ours
///   2d          both friction directions, in Bullet
/// Throws std::invalid_argument naming what it does not understand.
SolverChoice ParseSolverChoice(const std::string& text);

}  // namespace nonsmooth::demo
