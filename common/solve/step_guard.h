// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../problem/problem.h"
#include "../solver/result.h"

namespace nonsmooth {

/// Why a solution is not to be applied to a world; empty: it may be.
///
/// Its error is above that of zero impulses; or it adds more kinetic energy than it can account
/// for. With v_free and v⁺ the velocities without and with the impulses that energy is
///
///     ΔT = ½ xᵀ J (v_free + v⁺),
///
/// and what may add any is the rows' own bias b₀: stabilisation, restitution, motors. Row by row
/// that is ½ b₀² / a; bounded rows, as of motors, may do −x b₀. A hundred thousand times the sum is
/// allowed for levers and masses behind a row, as of a ball of 100 kg on links of 0.1 kg. (A bridge
/// of Bullet's whose joints contradict each other gains 1e6 J when it is solved exactly; asked for
/// are a few.)
std::string_view Objection(const Problem& problem, const Solution& solution, const Result& result);

}  // namespace nonsmooth
