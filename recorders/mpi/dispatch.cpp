// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/mpi/dispatch-inl.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <thread>

namespace nonsmooth::mpi {
namespace {

constexpr std::size_t kMostAtOnce = 64;
constexpr int kPortions = 4;  ///< that what is left would make for every worker
constexpr int kAsk = 1;       ///< worker to rank 0: how many it has done; gives an answer
constexpr int kGive = 2;      ///< rank 0 to worker: tasks, none to end
constexpr int kEnd = 3;       ///< worker to rank 0: how many it has done since; it goes
constexpr int kTrouble = 4;   ///< worker to rank 0: why it goes
constexpr std::chrono::microseconds kShortest{20};
constexpr std::chrono::microseconds kLongest{1000};

/// What goes over the wire for a task.
using Wire = std::array<std::int32_t, 3>;

/// Waits for a message without taking a core: Open MPI's own waiting would.
MPI_Status Await(MPI_Comm world, int source, int tag) {
  MPI_Status status;
  int there = 0;
  std::chrono::microseconds pause = kShortest;
  for (;;) {
    MPI_Iprobe(source, tag, world, &there, &status);
    if (there != 0) return status;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongest);
  }
}

/// Tasks that nobody has yet.
class Stack {
 public:
  Stack(const TaskPlan& plan, const std::vector<Task>& tasks, int workers)
      : plan_(plan), tasks_(tasks), workers_(workers) {
    for (const Task& task : tasks) left_ += CostOf(task);
  }

  std::vector<Wire> Take() {
    const std::uint64_t share = left_ / static_cast<std::uint64_t>(kPortions * workers_);
    std::uint64_t cost = 0;
    std::vector<Wire> wire;
    while (next_ < tasks_.size() && wire.size() < kMostAtOnce) {
      const Task& task = tasks_[next_];
      if (!wire.empty() && cost + CostOf(task) > share) break;
      cost += CostOf(task);
      wire.push_back({task.file, task.block, task.solver});
      ++next_;
    }
    left_ -= cost;
    return wire;
  }

  void Clear() { next_ = tasks_.size(); }

 private:
  std::uint64_t CostOf(const Task& task) const {
    return plan_.files[static_cast<std::size_t>(task.file)]
        .blocks[static_cast<std::size_t>(task.block)]
        .cost;
  }

  const TaskPlan& plan_;
  const std::vector<Task>& tasks_;
  int workers_;
  std::uint64_t left_ = 0;
  std::size_t next_ = 0;
};

/// The tasks of a worker, for all its threads: asks for more when the last one is taken, so that
/// the answer is there when it is needed.
class Supply {
 public:
  explicit Supply(MPI_Comm world) : world_(world) { Ask(); }

  bool Next(Task* task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (tasks_.empty() && !over_) Receive();
    if (tasks_.empty()) return false;
    *task = tasks_.back();
    tasks_.pop_back();
    if (tasks_.empty()) Ask();
    return true;
  }

  void Done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
  }

  /// Tells what was done since the last question.
  void End() { MPI_Send(&done_, 1, MPI_INT64_T, 0, kEnd, world_); }

 private:
  void Ask() {
    told_ = done_;
    done_ = 0;
    MPI_Isend(&told_, 1, MPI_INT64_T, 0, kAsk, world_, &request_);
  }

  void Receive() {
    const MPI_Status status = Await(world_, 0, kGive);
    int count = 0;
    MPI_Get_count(&status, MPI_INT32_T, &count);
    std::vector<Wire> wire(static_cast<std::size_t>(count) / 3);
    MPI_Recv(wire.data(), count, MPI_INT32_T, 0, kGive, world_, MPI_STATUS_IGNORE);
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    for (auto task = wire.rbegin(); task != wire.rend(); ++task) {
      tasks_.push_back({(*task)[0], (*task)[1], (*task)[2]});
    }
    over_ = tasks_.empty();
  }

  MPI_Comm world_;
  std::mutex mutex_;
  std::vector<Task> tasks_;  ///< the next one last
  bool over_ = false;
  std::int64_t done_ = 0;
  std::int64_t told_ = 0;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

std::string ReceiveText(MPI_Comm world, const MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, kTrouble, world, MPI_STATUS_IGNORE);
  return text;
}

}  // namespace

void HandOut(MPI_Comm world, const TaskPlan& plan, const std::vector<Task>& tasks,
             const TasksProgress& progress, std::string* trouble) {
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  const auto total = static_cast<std::int64_t>(tasks.size());
  Stack stack(plan, tasks, ranks - 1);
  std::int64_t done = 0;
  for (int working = ranks - 1; working > 0;) {
    const MPI_Status status = Await(world, MPI_ANY_SOURCE, MPI_ANY_TAG);
    if (status.MPI_TAG == kTrouble) {
      *trouble = ReceiveText(world, status);
      stack.Clear();
      --working;
      continue;
    }
    std::int64_t count = 0;
    MPI_Recv(&count, 1, MPI_INT64_T, status.MPI_SOURCE, status.MPI_TAG, world, MPI_STATUS_IGNORE);
    done += count;
    if (count > 0 && progress) progress(done, total);
    if (status.MPI_TAG == kEnd) {
      --working;
      continue;
    }
    const std::vector<Wire> wire = stack.Take();
    MPI_Send(wire.data(), static_cast<int>(3 * wire.size()), MPI_INT32_T, status.MPI_SOURCE, kGive,
             world);
  }
}

void Work(MPI_Comm world, const TaskPlan& plan, const ResultStore& store, int side_by_side) {
  Supply supply(world);
  try {
    DoTasks(
        plan, store, side_by_side, [&supply](Task* task) { return supply.Next(task); },
        [&supply] { supply.Done(); });
    supply.End();
  } catch (const std::exception& error) {
    const std::string text = error.what();
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kTrouble, world);
  }
}

int WorkersBeside(MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  const int solves = rank > 0 ? 1 : 0;
  int sum = 0;
  MPI_Allreduce(&solves, &sum, 1, MPI_INT, MPI_SUM, node);
  MPI_Comm_free(&node);
  return std::max(1, sum);
}

std::string Broadcast(MPI_Comm world, std::string text) {
  auto size = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, world);
  text.resize(static_cast<std::size_t>(size));
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 30;
  for (std::int64_t first = 0; first < size; first += kAtOnce) {
    MPI_Bcast(text.data() + first, static_cast<int>(std::min(kAtOnce, size - first)), MPI_CHAR, 0,
              world);
  }
  return text;
}

}  // namespace nonsmooth::mpi
