// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/util/thread_team.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

namespace nonsmooth {

namespace {

/// What the threads share of one Run(). The two counters order what the jobs read and write after
/// what the caller did before, and before what it does next. oneTBB does that as well, but in a
/// library in which ThreadSanitizer sees nothing.
struct SharedWork {
  void (*call)(void*, int);
  void* context;
  std::atomic<int> begun{0};
  std::atomic<int> done{0};

  void Do(int i) {
    begun.load(std::memory_order_acquire);
    call(context, i);
    done.fetch_add(1, std::memory_order_acq_rel);
  }
};

/// What oneTBB copies from thread to thread, named in the suppressions of .ci/tsan.supp.
struct ThreadTeamHandle {
  SharedWork* work;
  void operator()(int i) const { work->Do(i); }
};

}  // namespace

struct ThreadTeam::Arena {
  explicit Arena(int threads) : arena(threads), size(threads) {}
  tbb::task_arena arena;
  int size;
};

namespace {

/// As many as the machine has, or as the program has allowed; for more oneTBB would only complain.
int MostThreads() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace

int ThreadCount(int wanted) { return wanted > 0 ? wanted : MostThreads(); }

ThreadTeam::ThreadTeam() = default;
ThreadTeam::~ThreadTeam() = default;
ThreadTeam::ThreadTeam(ThreadTeam&&) noexcept = default;
ThreadTeam& ThreadTeam::operator=(ThreadTeam&&) noexcept = default;

void ThreadTeam::Start(int count, void (*call)(void*, int), void* context) {
  if (count <= 1) {
    if (count == 1) call(context, 0);
    return;
  }
  const int threads = std::min(count, MostThreads());
  if (arena_ == nullptr || arena_->size != threads) arena_ = std::make_unique<Arena>(threads);
  SharedWork work{call, context};
  work.begun.store(1, std::memory_order_release);
  arena_->arena.execute(
      [&] { tbb::parallel_for(0, count, 1, ThreadTeamHandle{&work}, tbb::simple_partitioner()); });
  work.done.load(std::memory_order_acquire);
}

}  // namespace nonsmooth
