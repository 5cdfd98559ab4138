// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "../solver/solver.h"

namespace nonsmooth {

/// A solver as users see it in a list.
struct SolverInfo {
  std::string_view name;       ///< as in `--solver NAME`
  std::string_view summary;    ///< one line
  std::string_view reference;  ///< where the method comes from
  std::vector<LawKind> laws;   ///< that it can handle
  std::unique_ptr<Solver> (*make)();

  bool Handles(LawKind law) const;
};

/// All solvers, in the order of docs/solvers.md. Adding one is one line in solver_registry.cpp.
const std::vector<SolverInfo>& Solvers();

/// Throws std::invalid_argument with the names there are.
const SolverInfo& FindSolver(std::string_view name);

}  // namespace nonsmooth
