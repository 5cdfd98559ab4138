// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// A paper whose results can be made anew.
struct Paper {
  const char* name;   ///< its folder and its argument on the command line
  const char* title;  ///< authors and subject
  void (*reproduce)(PaperOutput& output);
};

/// All of them, in the order of their years.
const std::vector<Paper>& Papers();

}  // namespace nonsmooth::papers
