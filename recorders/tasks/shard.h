// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nonsmooth {

/// Part `index` (from 0) of `count`.
struct Shard {
  int index = 0;
  int count = 1;
};

/// "K/N", K from 1 to N; throws std::invalid_argument.
Shard ParseShard(const std::string& text);

/// What the batch system or the launcher has put into the environment, so that one command line
/// does for all of them: the place in a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT), and
/// within it the rank of Open MPI (OMPI_COMM_WORLD_RANK, _SIZE) or of PMI (PMI_RANK, PMI_SIZE). 1/1
/// where there is none of them. Throws std::invalid_argument for values that make no sense.
Shard ShardFromEnvironment();

}  // namespace nonsmooth
