// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// What somebody writes who has the include folders right and Chrono's flags wrong.
#include "chrono_plugin/solver.h"

int main() { return static_cast<int>(nonsmooth::chrono::Solver().solves()); }
