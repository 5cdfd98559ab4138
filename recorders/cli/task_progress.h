// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace nonsmooth::cli {

/// How many tasks are done, how fast, and how long it will still take, on stderr: redrawn on a
/// terminal, a line every ten seconds in the log of a job.
class TaskProgress {
 public:
  TaskProgress();
  ~TaskProgress();
  TaskProgress(const TaskProgress&) = delete;
  TaskProgress& operator=(const TaskProgress&) = delete;

  void Show(std::int64_t done, std::int64_t total);

 private:
  bool terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace nonsmooth::cli
