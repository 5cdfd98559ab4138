// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// What libnonsmooth_run.so calls once it has seen a world of this build of Bullet step.
#include <exception>

#include "bullet_plugin/preload/world.h"

#define NONSMOOTH_ENTRY extern "C" __attribute__((visibility("default")))

namespace nonsmooth::bullet {
namespace {

PreloadedWorld* Find(void* world) {
  // No exception but the program's own may cross the program's stack.
  try {
    Run& run = Run::Instance();
    if (!run.active()) return nullptr;
    return &static_cast<PreloadedWorld&>(run.Find(world, [world](int number) {
      return std::make_unique<PreloadedWorld>(number, *static_cast<btDynamicsWorld*>(world));
    }));
  } catch (const std::exception&) {  // out of memory
    return nullptr;
  }
}

}  // namespace
}  // namespace nonsmooth::bullet

NONSMOOTH_ENTRY int nonsmooth_run_step(void* world, int (*step)(void*), void* call) {
  auto* const ours = nonsmooth::bullet::Find(world);
  return ours != nullptr ? ours->Step(step, call) : step(call);
}

NONSMOOTH_ENTRY void nonsmooth_run_forget(void* world) {
  try {
    nonsmooth::Run::Instance().Forget(world);
  } catch (const std::exception&) {
  }
}
