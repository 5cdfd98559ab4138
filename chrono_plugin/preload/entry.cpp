// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// What libnonsmooth_run.so calls once it has seen a system of Chrono step.
#include <exception>

#include "chrono_plugin/preload/system.h"

#define NONSMOOTH_ENTRY extern "C" __attribute__((visibility("default")))

namespace nonsmooth::chrono {
namespace {

PreloadedSystem* Find(void* world) {
  // No exception but the program's own may cross the program's stack.
  try {
    Run& run = Run::Instance();
    if (!run.active()) return nullptr;
    return &static_cast<PreloadedSystem&>(run.Find(world, [world](int number) {
      return std::make_unique<PreloadedSystem>(number, *static_cast<::chrono::ChSystem*>(world));
    }));
  } catch (const std::exception&) {  // out of memory
    return nullptr;
  }
}

}  // namespace
}  // namespace nonsmooth::chrono

NONSMOOTH_ENTRY int nonsmooth_run_step(void* world, int (*step)(void*), void* call) {
  auto* const ours = nonsmooth::chrono::Find(world);
  return ours != nullptr ? ours->Step(step, call) : step(call);
}

NONSMOOTH_ENTRY void nonsmooth_run_forget(void* world) {
  try {
    nonsmooth::Run::Instance().Forget(world);
  } catch (const std::exception&) {
  }
}
