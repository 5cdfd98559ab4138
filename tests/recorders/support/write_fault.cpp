// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/recorders/support/write_fault.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace nonsmooth {

WriteFault write_fault;

namespace {

bool Strikes() { return write_fault.writes_left >= 0 && write_fault.writes_left-- == 0; }

/// Returns if the write is to fail.
void Strike() {
  if (write_fault.error == 0) ::kill(::getpid(), SIGKILL);
  if (write_fault.at_fault) write_fault.at_fault();
  errno = write_fault.error;
}

}  // namespace
}  // namespace nonsmooth

// These stand in front of the C library's. The kernel looks at a kill only between two pages of
// memory, docs/file_format.md, "Commits".
extern "C" ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  using Function = ssize_t (*)(int, const void*, size_t, off_t);
  static const auto original = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "pwrite"));
  const size_t to_page_end = 4096 - static_cast<size_t>(offset) % 4096;
  const bool torn = nonsmooth::write_fault.torn;
  if ((!torn || size > to_page_end) && nonsmooth::Strikes()) {
    if (torn) original(descriptor, data, to_page_end, offset);
    nonsmooth::Strike();
    return -1;
  }
  return original(descriptor, data, size, offset);
}

extern "C" int ftruncate(int descriptor, off_t size) noexcept {
  using Function = int (*)(int, off_t);
  static const auto original = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "ftruncate"));
  if (!nonsmooth::write_fault.torn && nonsmooth::Strikes()) {
    nonsmooth::Strike();
    return -1;
  }
  return original(descriptor, size);
}
