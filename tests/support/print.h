// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "common/solve/solver_registry.h"

namespace nonsmooth {

/// What GoogleTest shows of a parameter, and CTest of a test, instead of bytes and addresses.
inline void PrintTo(const Law& law, std::ostream* out) { *out << ToString(law); }

inline void PrintTo(const SolverInfo* solver, std::ostream* out) { *out << solver->name; }

}  // namespace nonsmooth
