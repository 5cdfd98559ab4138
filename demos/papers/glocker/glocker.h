// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// Ch. Glocker, C. Studer, "Formulation and preparation for numerical evaluation of linear
/// complementarity systems in dynamics", Multibody System Dynamics 13 (2005): the woodpecker toy,
/// Figs. 4 to 6.
void ReproduceGlocker(PaperOutput& output);

}  // namespace nonsmooth::papers
