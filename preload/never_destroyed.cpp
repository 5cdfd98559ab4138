// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// Linked into every library that libnonsmooth_run.so opens, with --wrap: objects of static
/// lifetime in there are never destroyed. A program may exit with worlds that still step, in other
/// threads or in destructors of its own, and files are completed last of all.
extern "C" int __wrap___cxa_atexit(void (* /*destroy*/)(void*), void* /*object*/,  // NOLINT
                                   void* /*library*/) {
  return 0;
}
