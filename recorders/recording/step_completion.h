// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "recorder.h"

namespace nonsmooth {

/// Makes `bodies` from `poses` and `contacts` from `places`, where there are any, with what else
/// they hold from the rows of the problem, which is two-body.
void CompleteStep(RecordedStep& step);

}  // namespace nonsmooth
