// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/island_results.h"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

/// The graver, the larger.
int Gravity(Status status) {
  switch (status) {
    case Status::kNumericalFailure:
      return 6;
    case Status::kContradictory:
      return 5;
    case Status::kDeadline:
      return 4;
    case Status::kIterationLimit:
      return 3;
    case Status::kStalled:
      return 2;
    case Status::kConverged:
      return 1;
    case Status::kNotRun:
      break;
  }
  return 0;
}

}  // namespace

void SumUp(const std::vector<Result>& islands, Result& whole) {
  whole.Clear();
  for (const Result& island : islands) {
    if (Gravity(island.status) > Gravity(whole.status)) whole.status = island.status;
    whole.iterations = std::max(whole.iterations, island.iterations);
    whole.best_iteration = std::max(whole.best_iteration, island.best_iteration);
    whole.fallbacks += island.fallbacks;
    whole.bound += island.bound;
    whole.seconds.prepare += island.seconds.prepare;
    whole.seconds.iterate += island.seconds.iterate;
    whole.seconds.finish += island.seconds.finish;
    whole.energy.sum += island.energy.sum;
    whole.energy.free_energy += island.energy.free_energy;
    // As in MeasureEnergy(): the first NaN must win.
    if (!(island.energy.max <= whole.energy.max) && !std::isnan(whole.energy.max)) {
      whole.energy.max = island.energy.max;
      whole.energy.max_row = island.energy.max_row;
    }
  }
  whole.energy.relative = RelativeEnergy(whole.energy.sum, whole.energy.free_energy);
}

int WorstOf(const std::vector<Result>& islands) {
  int worst = 0;
  for (int i = 1; i < static_cast<int>(islands.size()); ++i) {
    const Result& one = islands[i];
    const Result& other = islands[worst];
    if (one.converged() != other.converged()) {
      if (other.converged()) worst = i;
    } else if (!(one.energy.sum <= other.energy.sum) && !std::isnan(other.energy.sum)) {
      worst = i;
    }
  }
  return worst;
}

void MergeHistories(const std::vector<Result>& islands, std::vector<IterationRecord>& whole) {
  whole.clear();
  std::vector<int> iterations;
  for (const Result& island : islands) {
    for (const IterationRecord& record : island.history) iterations.push_back(record.iteration);
  }
  std::sort(iterations.begin(), iterations.end());
  iterations.erase(std::unique(iterations.begin(), iterations.end()), iterations.end());
  std::vector<std::size_t> next(islands.size(), 0);
  double seconds = 0;
  for (const int iteration : iterations) {
    IterationRecord record{iteration, 0, 0};
    for (std::size_t k = 0; k < islands.size(); ++k) {
      const std::vector<IterationRecord>& history = islands[k].history;
      while (next[k] < history.size() && history[next[k]].iteration <= iteration) {
        seconds = std::max(seconds, history[next[k]++].seconds);
      }
      if (next[k] > 0) record.energy += history[next[k] - 1].energy;
    }
    record.seconds = seconds;
    whole.push_back(record);
  }
}

}  // namespace nonsmooth
