// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../capture/body_shape.h"
#include "step_codec.h"

namespace nonsmooth {

/// Fills the pools of /shapes, which belong to the file as a whole: a step's ranges are those that
/// were committed with it. Leaves the others alone. In float32 numbers are rounded.
void EncodeShapes(const std::vector<BodyShape>& shapes, ScalarType scalar, StepBuffers& buffers);

/// Appends the shapes that were read. Throws std::invalid_argument naming the rule that is
/// violated: counts that do not add up, or what CheckShape() says.
void DecodeShapes(const StepBuffers& buffers, ScalarType scalar, std::vector<BodyShape>& shapes);

/// As DataChecksum(), over the datasets of /shapes.
std::uint64_t ShapeChecksum(const StepBuffers& buffers);

}  // namespace nonsmooth
