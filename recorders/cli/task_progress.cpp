// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/task_progress.h"

#include <unistd.h>

#include <cstdio>

namespace nonsmooth::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kNextLine{10};

}  // namespace

TaskProgress::TaskProgress()
    : terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

TaskProgress::~TaskProgress() {
  if (terminal_ && shown_) std::fprintf(stderr, "\r\033[K");
}

void TaskProgress::Show(std::int64_t done, std::int64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_ ? now - last_ < kRedraw && done < total : now - last_ < kNextLine) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds;
  std::fprintf(stderr, "%s%lld of %lld tasks, %.3g a second, %.0f s left%s", terminal_ ? "\r" : "",
               static_cast<long long>(done), static_cast<long long>(total), rate,
               static_cast<double>(total - done) / rate, terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
}

}  // namespace nonsmooth::cli
