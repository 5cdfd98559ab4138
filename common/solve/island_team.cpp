// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/island_team.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace nonsmooth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double SecondsSince(Monitor::Clock::time_point start) {
  return std::chrono::duration<double>(Monitor::Clock::now() - start).count();
}

/// An island's share of what is tolerated in the whole.
double EnergyTolerance(const IslandTeam::Task& task, int island) {
  return task.options.energy_tolerance * task.islands->rows(island) / task.problem->rows();
}

}  // namespace

/// True: the island's start is good enough, and stands in the solution already.
bool IslandTeam::Settle(const Task& task, int island) {
  const EnergyError& energy = (*task.start_energy)[island];
  const double tolerance =
      std::max(EnergyTolerance(task, island), task.options.relative_tolerance * energy.free_energy);
  const bool good = energy.sum <= tolerance;
  if (!good && task.options.max_iterations > 0) return false;
  Result& result = results_[island];
  result.Clear();
  if (task.options.history) result.history.push_back({0, SecondsSince(task.start), energy.sum});
  result.energy = energy;
  result.status = good ? Status::kConverged : Status::kIterationLimit;
  return true;
}

void IslandTeam::Order(const Task& task) {
  const Islands& islands = *task.islands;
  order_.clear();
  rows_left_ = 0;
  for (int island = 0; island < islands.count(); ++island) {
    if (Settle(task, island)) continue;
    order_.push_back(island);
    rows_left_ += islands.rows(island);
  }
  // The largest first, so that no thread is left alone with it in the end. Under a deadline the
  // largest last: what the others leave of their time is for those that may need it.
  const bool last = task.options.deadline < kInfinity;
  std::sort(order_.begin(), order_.end(), [&](int left, int right) {
    const int a = islands.rows(left);
    const int b = islands.rows(right);
    return a != b ? (last ? a < b : a > b) : left < right;
  });
}

void IslandTeam::Hire(const Task& task, SingleSolve& first, const MakeSolver& make) {
  const bool alone = !make || task.observer != nullptr;
  threads_ = alone ? 1 : ThreadCount(task.options.threads);
  const int hired = std::clamp(static_cast<int>(order_.size()), 1, threads_);
  while (static_cast<int>(workers_.size()) < hired) {
    workers_.push_back(std::make_unique<Worker>());
  }
  workers_[0]->solve = &first;
  for (int i = 1; i < hired; ++i) {
    Worker& worker = *workers_[i];
    if (worker.own == nullptr) worker.own = std::make_unique<SingleSolve>(make());
    worker.solve = worker.own.get();
    CopyValues(first.solver().Options(), worker.own->solver().Options());
  }
}

void IslandTeam::Solve(const Task& task, SingleSolve& first, const MakeSolver& make,
                       Solution& solution) {
  results_.resize(task.islands->count());
  Order(task);
  Hire(task, first, make);
  if (task.observer != nullptr) observed_ = solution.x;
  // What would keep one thread busy longer than the others have anything to do gets them all.
  // They are the first in order, or the last.
  const int rows = rows_left_;
  const int count = static_cast<int>(order_.size());
  const auto large = static_cast<int>(std::count_if(order_.begin(), order_.end(), [&](int island) {
    return threads_ > 1 && std::int64_t{threads_} * task.islands->rows(island) > rows;
  }));
  const bool in_time = task.options.deadline < kInfinity;
  const int first_large = in_time ? count - large : 0;
  const auto solve_large = [&] {
    for (int k = first_large; k < first_large + large; ++k) {
      SolveIsland(task, order_[k], threads_, *workers_[0], solution);
    }
  };
  if (!in_time) solve_large();
  std::atomic<int> next{in_time ? 0 : large};
  const int end = in_time ? first_large : count;
  team_.Run(std::min(threads_, count - large), [&](int i) {
    for (;;) {
      const int k = next.fetch_add(1, std::memory_order_relaxed);
      if (k >= end) return;
      SolveIsland(task, order_[k], 1, *workers_[i], solution);
    }
  });
  if (in_time) solve_large();
}

/// Of the time that is left, an island may take its part of the rows that are left.
double IslandTeam::Share(const SolveOptions& options, double seconds, int rows) {
  const int left = rows_left_.fetch_sub(rows, std::memory_order_relaxed);
  const double part = std::min(1.0, static_cast<double>(threads_) * rows / std::max(left, rows));
  return seconds + part * std::max(0.0, options.deadline - seconds);
}

void IslandTeam::SolveIsland(const Task& task, int island, int threads, Worker& worker,
                             Solution& solution) {
  const int rows = task.islands->rows(island);
  Result& result = results_[island];
  SingleSolve::Task one;
  one.options = task.options;
  one.options.threads = threads;
  one.options.energy_tolerance = EnergyTolerance(task, island);
  one.start = task.start;
  one.start_energy = (*task.start_energy)[island];
  const double begun = SecondsSince(task.start);
  if (task.options.deadline < kInfinity) {
    one.options.deadline = Share(task.options, begun, rows);
  }
  worker.part.Become(*task.problem, *task.islands, island);
  const std::vector<double>* warm_start = nullptr;
  if (task.warm_start != nullptr) {
    worker.part.Gather(task.warm_start->data(), worker.warm_start);
    warm_start = &worker.warm_start;
  }
  worker.part.Gather(solution.x.data(), worker.solution.x);
  worker.set.Reset(worker.part.problem(), task.options.law,
                   warm_start != nullptr ? warm_start->data() : nullptr);
  one.set = &worker.set;
  if (warm_start != nullptr && !(one.start_energy.sum < one.start_energy.free_energy)) {
    one.dropped_start = warm_start;
  }
  one.scale = std::max(one.start_energy.free_energy, LeastScale(worker.part.problem()));
  const double laid_out = SecondsSince(task.start);
  if (task.observer != nullptr) {
    SolveObserved(task, one, worker, result);
  } else {
    worker.solve->Solve(one, worker.solution, result);
  }
  result.seconds.prepare += laid_out - begun;
  if (result.energy.max_row >= 0) {
    result.energy.max_row = worker.part.WholeRow(result.energy.max_row);
  }
  worker.part.ScatterRows(worker.solution.x, solution.x.data());
  worker.part.ScatterRows(worker.solution.w, solution.w.data());
  worker.part.ScatterVelocities(worker.solution.v, solution.v.data());
}

void IslandTeam::SolveObserved(const Task& task, SingleSolve::Task& one, Worker& worker,
                               Result& result) {
  std::vector<double> part(worker.solution.x.size());
  const Observer observer = [&](const IterationRecord& record, const double* x) {
    part.assign(x, x + part.size());
    worker.part.ScatterRows(part, observed_.data());
    (*task.observer)(record, observed_.data());
  };
  one.observer = &observer;
  worker.solve->Solve(one, worker.solution, result);
  worker.part.ScatterRows(worker.solution.x, observed_.data());
}

}  // namespace nonsmooth
