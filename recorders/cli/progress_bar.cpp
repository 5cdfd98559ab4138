// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace nonsmooth::cli {
namespace {

constexpr int kWidth = 40;
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::Show(std::int64_t done, std::int64_t total) {
  if (!terminal_ || total <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && done < total && now - last_ < kPause) return;
  last_ = now;
  shown_ = true;
  const auto filled = static_cast<int>(kWidth * std::min(done, total) / total);
  const std::string bar(static_cast<std::size_t>(filled), '#');
  std::fprintf(stderr, "\r[%-*s] %lld of %lld steps", kWidth, bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(total));
  std::fflush(stderr);
}

void ProgressBar::Clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace nonsmooth::cli
