// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "recorders/report/world_frame.h"

namespace nonsmooth {

/// What the page needs to show the world of one file: bodies, shapes, and columns over the frames
/// and over what is in them. Solvers are named in the order of the frames' solutions.
nlohmann::ordered_json WorldJson(const std::vector<WorldFrame>& frames,
                                 const std::vector<std::string>& solvers,
                                 const std::vector<BodyShape>& shapes, const BodyRegister& bodies);

}  // namespace nonsmooth
