// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "recorders/tasks/machine.h"
#include "recorders/tasks/task_runner.h"

namespace nonsmooth {

void DoTasks(const TaskPlan& plan, const ResultStore& store, int side_by_side,
             const std::function<bool(Task*)>& next, const std::function<void()>& done) {
  std::mutex turn;
  std::mutex mutex;
  std::exception_ptr trouble;
  std::atomic<bool> stop{false};
  const bool two = PhysicalCores() > side_by_side;
  const auto work = [&] {
    try {
      TaskRunner runner(plan, side_by_side, two ? &turn : nullptr);
      for (Task task; !stop && next(&task);) {
        store.Write(task, runner.Run(task));
        done();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!trouble) trouble = std::current_exception();
      stop = true;
    }
  };
  if (two) {
    std::thread other(work);
    work();
    other.join();
  } else {
    work();
  }
  if (trouble) std::rethrow_exception(trouble);
}

void RunTasks(const TaskPlan& plan, const ResultStore& store, const std::vector<Task>& tasks,
              int jobs, const TasksProgress& progress) {
  const auto threads = static_cast<int>(
      std::min<std::size_t>(std::max(1, jobs), std::max<std::size_t>(1, tasks.size())));
  std::atomic<std::size_t> first{0};
  std::mutex mutex;
  std::int64_t count = 0;
  std::exception_ptr trouble;
  const auto next = [&](Task* task) {
    const std::size_t k = first++;
    if (k >= tasks.size()) return false;
    *task = tasks[k];
    return true;
  };
  const auto done = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    ++count;
    if (progress) progress(count, static_cast<std::int64_t>(tasks.size()));
  };
  const auto work = [&] {
    try {
      DoTasks(plan, store, threads, next, done);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!trouble) trouble = std::current_exception();
      first = tasks.size();
    }
  };
  std::vector<std::thread> workers;
  for (int t = 1; t < threads; ++t) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace nonsmooth
