// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace nonsmooth {

/// Threads to use where `wanted` are asked for; 0 stands for all that the machine has.
int ThreadCount(int wanted);

/// Does a fixed number of jobs at once, on threads of oneTBB, which all libraries of a program
/// share: nobody starts threads of their own beside the others'. For one caller at a time.
class ThreadTeam {
 public:
  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(ThreadTeam&&) noexcept;
  ThreadTeam& operator=(ThreadTeam&&) noexcept;

  /// Calls job(0) … job(count − 1), each once, and returns when all have. They run at the same time
  /// as far as there are threads; one after another is possible too. With one it is called here.
  /// What a job throws is thrown on, and jobs not begun by then are not.
  template <class Job>
  void Run(int count, Job&& job) {
    using Plain = std::remove_reference_t<Job>;
    Start(
        count, [](void* context, int i) { (*static_cast<Plain*>(context))(i); },
        const_cast<void*>(static_cast<const void*>(&job)));
  }

 private:
  void Start(int count, void (*call)(void*, int), void* context);

  struct Arena;
  std::unique_ptr<Arena> arena_;
};

/// job(first, last) for stretches of up to `length` of the numbers 0 … size − 1, on several
/// threads. Where they are cut does not depend on the number of threads.
template <class Job>
void ForStretches(ThreadTeam& team, int threads, std::size_t size, std::size_t length,
                  const Job& job) {
  const std::size_t stretches = (size + length - 1) / length;
  const std::size_t workers = std::min(static_cast<std::size_t>(threads), stretches);
  team.Run(static_cast<int>(workers), [&](int worker) {
    for (std::size_t k = static_cast<std::size_t>(worker); k < stretches; k += workers) {
      job(k * length, std::min((k + 1) * length, size));
    }
  });
}

}  // namespace nonsmooth
