// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../recorders/capture/body_shape.h"
#include "alignment.h"

namespace chrono {
class ChBody;
}

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {

/// The collision shapes of a body as a capture keeps them; its visual shapes if it has none of
/// those; empty if it has neither. A fixed body gets them where it stands.
std::vector<BodyShape> ShapesOf(const ::chrono::ChBody& body);

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
