// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../solver/result.h"

namespace nonsmooth {

/// The result of a whole problem from those of its islands: energies, times and fallbacks are
/// added up, iterations are the most that any has done, and it has converged if all have; if not,
/// what happened to the gravest case. Remark, history and worst island are left to the caller.
void SumUp(const std::vector<Result>& islands, Result& whole);

/// The one of largest error among those that have not converged, or among all.
int WorstOf(const std::vector<Result>& islands);

/// The history of the whole as if all islands had been iterated at once: at each iteration the sum
/// of the errors that they had by then, and the latest time at which one of them was measured.
void MergeHistories(const std::vector<Result>& islands, std::vector<IterationRecord>& whole);

}  // namespace nonsmooth
