// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "schema.h"

namespace nonsmooth {

/// The arrays of one step, byte for byte as they stand in the file. Kept between steps: a second
/// step of equal size allocates nothing.
struct StepBuffers {
  std::array<std::vector<std::uint8_t>, schema::kDataCount> bytes;
  std::array<std::uint64_t, schema::kPoolCount> count{};

  std::uint64_t size() const;
  void Clear();  ///< empty, with its memory
};

/// Which form `problem` has; throws std::invalid_argument for one that is not known here.
DynamicsForm FormOf(const Problem& problem);

/// Flattens a step. Throws std::invalid_argument as CaptureWriter::Append() says.
void EncodeStep(const CapturedStep& step, ScalarType scalar, StepBuffers& buffers);

/// The problem alone, for ProblemChecksum(); leaves the other pools empty.
void EncodeProblem(const Problem& problem, ScalarType scalar, StepBuffers& buffers);

/// Rebuilds problem, states, geometry and solution from what was read; `step.info` and
/// `step.measures` are left alone. The buffers hold what `count` says, nothing else is trusted.
/// Throws std::invalid_argument naming the rule that is violated.
void DecodeStep(const StepBuffers& buffers, DynamicsForm form, ScalarType scalar,
                CapturedStep& step);

/// XXH64 chain over the datasets of version 1.0 in the schema's order: the hash of one is the seed
/// of the next. What later versions add has checksums of its own, so that 1.0 reads their files.
std::uint64_t DataChecksum(const StepBuffers& buffers);

}  // namespace nonsmooth
