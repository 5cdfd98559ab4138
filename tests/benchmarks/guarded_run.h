// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

namespace nonsmooth::benchmark {

/// How a run in a process of its own ended.
enum class RunEnd { kReturned, kOutOfTime, kCrashed };

struct GuardedRun {
  RunEnd end = RunEnd::kCrashed;
  std::vector<double> numbers;  ///< what it returned
};

/// Runs `work` in a child process whose output is thrown away, and kills it after `seconds`:
/// somebody else's solver may loop, abort or exit.
GuardedRun RunGuarded(double seconds, const std::function<std::vector<double>()>& work);

}  // namespace nonsmooth::benchmark
