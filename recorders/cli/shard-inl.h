// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "recorders/cli/replay_flags-inl.h"

namespace nonsmooth::cli {

/// `replay --out-dir`: plans, does this shard's tasks that are not done yet, says what it did.
int RunShard(const ReplayArguments& arguments, const ReplayOptions& options);

}  // namespace nonsmooth::cli
