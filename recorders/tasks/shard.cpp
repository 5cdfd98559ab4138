// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/shard.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "common/util/check.h"

namespace nonsmooth {
namespace {

constexpr int kMostShards = 1 << 24;

bool ToInteger(std::string_view text, int* value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

/// False where there is no such variable.
bool Variable(const char* name, int* value) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return false;
  Require(ToInteger(text, value), "environment variable ", name, " = '", text,
          "' is not an integer");
  return true;
}

Shard Rank(const char* rank_name, const char* size_name) {
  Shard shard;
  if (!Variable(rank_name, &shard.index)) return {};
  Require(Variable(size_name, &shard.count), "environment variable ", rank_name, " is set, ",
          size_name, " is not");
  Require(shard.index >= 0 && shard.index < shard.count, "environment: ", rank_name, " = ",
          shard.index, " is not below ", size_name, " = ", shard.count);
  return shard;
}

/// An array that is submitted again for its failed members alone has another minimum and count: it
/// is cut anew, and what the others have done is found and skipped.
Shard SlurmArray() {
  int id = 0;
  if (!Variable("SLURM_ARRAY_TASK_ID", &id)) return {};
  int least = 0;
  int step = 1;
  int count = 0;
  Variable("SLURM_ARRAY_TASK_MIN", &least);
  Variable("SLURM_ARRAY_TASK_STEP", &step);
  Require(Variable("SLURM_ARRAY_TASK_COUNT", &count),
          "environment variable SLURM_ARRAY_TASK_ID is set, SLURM_ARRAY_TASK_COUNT is not: give "
          "--shard K/N");
  Require(step > 0 && (id - least) % step == 0 && (id - least) / step < count && id >= least,
          "environment: SLURM_ARRAY_TASK_ID = ", id, " is not one of ", count, " from ", least,
          " in steps of ", step, ": give --shard K/N");
  return {(id - least) / step, count};
}

}  // namespace

Shard ParseShard(const std::string& text) {
  const std::size_t slash = text.find('/');
  Shard shard;
  const bool read = slash != std::string::npos &&
                    ToInteger(std::string_view(text).substr(0, slash), &shard.index) &&
                    ToInteger(std::string_view(text).substr(slash + 1), &shard.count);
  Require(read && shard.index >= 1 && shard.index <= shard.count && shard.count <= kMostShards,
          "shard '", text, "' is not K/N with 1 <= K <= N");
  --shard.index;
  return shard;
}

Shard ShardFromEnvironment() {
  const Shard array = SlurmArray();
  Shard rank = Rank("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  if (rank.count == 1) rank = Rank("PMI_RANK", "PMI_SIZE");
  Require(rank.count <= kMostShards / array.count, "environment: ", array.count, " x ", rank.count,
          " shards are too many");
  return {array.index * rank.count + rank.index, array.count * rank.count};
}

}  // namespace nonsmooth
