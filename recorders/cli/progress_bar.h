// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace nonsmooth::cli {

/// A bar on stderr, redrawn a few times a second; nothing at all where stderr is not a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Show(std::int64_t done, std::int64_t total);
  void Clear();

 private:
  bool terminal_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace nonsmooth::cli
