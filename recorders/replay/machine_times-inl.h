// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "recorders/replay/comparison.h"

namespace nonsmooth {

/// The results with times that compare, or none where they do as they are. Throws
/// std::invalid_argument where they come from several machines and are not to be, or cannot be, put
/// into proportion. Says in `remarks` what was done.
std::vector<ReplayResults> OnOneMachine(const std::vector<ReplayResults>& results,
                                        SeveralMachines several, std::vector<std::string>* remarks);

}  // namespace nonsmooth
