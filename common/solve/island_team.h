// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "../problem/islands.h"
#include "../problem/problem_part.h"
#include "../util/thread_team.h"
#include "single_solve.h"

namespace nonsmooth {

/// Solves the islands of a problem by themselves, several at a time if there are threads for it.
/// Every thread has a solver of its own; an island's result does not depend on whose it is.
class IslandTeam {
 public:
  /// What is asked of all islands together.
  struct Task {
    const Problem* problem = nullptr;
    const Islands* islands = nullptr;
    SolveOptions options;
    const std::vector<double>* warm_start = nullptr;         ///< as given; it may freeze law `box`
    const std::vector<EnergyError>* start_energy = nullptr;  ///< of every island, at solution.x
    Monitor::Clock::time_point start;
    const Observer* observer = nullptr;
  };

  /// Makes another solver with the same options.
  using MakeSolver = std::function<std::unique_ptr<Solver>()>;

  /// `first` works alone where there is one thread, or where `make` is empty.
  void Solve(const Task& task, SingleSolve& first, const MakeSolver& make, Solution& solution);

  /// What came out, island by island.
  const std::vector<Result>& results() const { return results_; }

 private:
  /// Of one thread.
  struct Worker {
    std::unique_ptr<SingleSolve> own;
    SingleSolve* solve = nullptr;
    ProblemPart part;
    FeasibleSet set;
    Solution solution;
    std::vector<double> warm_start;
  };

  bool Settle(const Task& task, int island);
  void Order(const Task& task);
  void Hire(const Task& task, SingleSolve& first, const MakeSolver& make);
  void SolveIsland(const Task& task, int island, int threads, Worker& worker, Solution& solution);
  double Share(const SolveOptions& options, double seconds, int rows);
  void SolveObserved(const Task& task, SingleSolve::Task& one, Worker& worker, Result& result);

  ThreadTeam team_;
  std::vector<std::unique_ptr<Worker>> workers_;
  int threads_ = 1;
  std::vector<int> order_;
  std::vector<Result> results_;
  std::atomic<int> rows_left_{0};  ///< of islands that nobody has begun
  std::vector<double> observed_;
};

}  // namespace nonsmooth
