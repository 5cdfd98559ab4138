// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "../law/feasible_set.h"

namespace nonsmooth {

/// What a stage of `auto` does with its iterations.
enum class AutoStageKind {
  kSweeps,   ///< an iteration is a sweep, with the cost of one
  kExact,    ///< few dear iterations whose cost is predicted
  kBackstop  ///< for what the exact one does not solve
};

struct AutoStage {
  std::string_view solver;
  AutoStageKind kind = AutoStageKind::kSweeps;
};

/// Who takes part, in the order of their turns; the last one has what is left.
struct AutoPolicy {
  std::string_view name;
  std::array<AutoStage, 5> stages;
};

/// The policy for a problem under the laws of `set`.
const AutoPolicy& PolicyFor(const FeasibleSet& set);

}  // namespace nonsmooth
