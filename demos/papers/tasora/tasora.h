// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// A. Tasora, "An iterative fixed-point method for solving large complementarity problems in
/// multibody systems": the shaker of Fig. 2, time against the number of constraints beside
/// Lemke's method, warm start, and Algorithm 4.1 itself.
void ReproduceTasora(PaperOutput& output);

}  // namespace nonsmooth::papers
