// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// The one claim that does not hold here: velocities alone save nothing.
inline constexpr char kPartialSaves[] = "partial warm start saves iterations";

/// D. Mangoni, A. Tasora, "Solving unilateral contact problems in multibody dynamics using a
/// primal-dual interior point method": Tables 1 and 2, both starting points, redundant contacts,
/// odd mass ratios and the compliance block, with `ip`.
void ReproduceMangoni(PaperOutput& output);

}  // namespace nonsmooth::papers
