// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace nonsmooth {

/// What is to happen to one write of this process, pwrite() or ftruncate(), to whatever file.
struct WriteFault {
  long writes_left = -1;           ///< before the fault; negative: there is none
  bool torn = false;               ///< see below
  int error = 0;                   ///< errno of the write that fails; 0: the process kills itself
  std::function<void()> at_fault;  ///< called before the write fails
};

/// If `torn` only those writes count that reach over the end of a page of memory, and the faulty
/// one is done up to there.
extern WriteFault write_fault;

}  // namespace nonsmooth
