// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../replay/step_solver.h"
#include "calibration.h"
#include "result_store.h"

namespace nonsmooth {

/// Does tasks of one plan, one after another: one thread's files, solvers and workspace.
class TaskRunner {
 public:
  /// `side_by_side`: how many solve on this machine at once, as far as is known; told with every
  /// result. `turn`, if there is one, is held while solving and not while reading or measuring. The
  /// plan has to outlive this. Throws std::invalid_argument for wrong options.
  TaskRunner(const TaskPlan& plan, int side_by_side, std::mutex* turn = nullptr);

  /// Steps that cannot be read are in the result, as errors.
  TaskResult Run(const Task& task);

 private:
  std::unique_lock<std::mutex> Turn() const {
    return turn_ == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(*turn_);
  }
  const ProblemSource& Source(int file);
  const SourceStep& Read(int file, std::int64_t step);
  std::string Head(const Task& task, const std::vector<std::string>& remarks,
                   const std::vector<std::string>& errors) const;

  const TaskPlan& plan_;
  int side_by_side_ = 1;
  std::mutex* turn_ = nullptr;
  StepSolver solver_;
  Calibration calibration_;
  /// The last used ones first: opening a capture takes longer than a small solve.
  std::list<std::pair<int, std::unique_ptr<ProblemSource>>> sources_;
  SourceStep read_;  ///< the solvers of a block follow each other
  int read_file_ = -1;
  std::int64_t read_step_ = -1;
};

/// Does tasks and puts the results into the store until `next` gives none (false); `done` is called
/// after each. Where the machine has cores to spare, two threads take turns: while one solves, the
/// other reads and writes, and both functions are called by both. Where it has none, one thread
/// does everything, since whatever runs beside a solve makes its time a lie. What cannot be written
/// ends it with the FileError.
void DoTasks(const TaskPlan& plan, const ResultStore& store, int side_by_side,
             const std::function<bool(Task*)>& next, const std::function<void()>& done);

/// Called after each task, by one thread at a time.
using TasksProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Does `tasks` by `jobs` threads and puts every result into the store. What cannot be written ends
/// it with the FileError, after what is under way.
void RunTasks(const TaskPlan& plan, const ResultStore& store, const std::vector<Task>& tasks,
              int jobs, const TasksProgress& progress = {});

}  // namespace nonsmooth
