// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

/// The functions that stand in for an engine's own, under the same symbols. Preloaded, they come
/// first wherever the engine's symbols are looked up, in its tables of virtual functions as well.
///
/// Bullet in float and in double share most symbols but not those that take a btScalar. Worlds are
/// known by their address alone: no header of an engine's is seen here.
#include "preload/engines.h"

// NOLINTBEGIN(bugprone-reserved-identifier): symbols are somebody else's.
#define NONSMOOTH_STANDS_IN_FOR(symbol) __asm__(symbol) __attribute__((visibility("default")))

namespace nonsmooth::preload {
namespace {

template <class Scalar>
struct BulletStep {
  int (*original)(void*, Scalar, int, Scalar);
  void* world;
  Scalar time;
  int most_substeps;
  Scalar substep;

  static int Run(void* call) {
    const BulletStep& step = *static_cast<BulletStep*>(call);
    return step.original(step.world, step.time, step.most_substeps, step.substep);
  }
};

struct ChronoStep {
  bool (*original)(void*, bool);
  void* system;
  bool collide;

  static int Run(void* call) {
    const ChronoStep& step = *static_cast<ChronoStep*>(call);
    return step.original(step.system, step.collide) ? 1 : 0;
  }
};

/// `found` keeps what was found once.
void* Find(void** found, const char* symbol, const void* return_address) {
  void* original = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (original == nullptr) {
    original = Original(symbol, return_address);
    __atomic_store_n(found, original, __ATOMIC_RELAXED);
  }
  return original;
}

template <class Scalar>
int StepBullet(Engine& engine, void* original, void* world, Scalar time, int most, Scalar substep) {
  BulletStep<Scalar> call{reinterpret_cast<decltype(call.original)>(original), world, time, most,
                          substep};
  return StepWorld(engine, original, world, BulletStep<Scalar>::Run, &call);
}

/// Not kept: Bullet in float and in double have destructors of the same name.
void Destroy(void* world, const char* symbol, const void* return_address) {
  ForgetWorld(world);
  if (void* original = Original(symbol, return_address)) {
    reinterpret_cast<void (*)(void*)>(original)(world);
  }
}

}  // namespace
}  // namespace nonsmooth::preload

using namespace nonsmooth::preload;  // NOLINT: all that follows is C

#define NONSMOOTH_BULLET_STEP(function, symbol, Scalar, engine)                               \
  int function(void* world, Scalar time, int most, Scalar substep)                            \
      NONSMOOTH_STANDS_IN_FOR(symbol);                                                        \
  int function(void* world, Scalar time, int most, Scalar substep) {                          \
    static void* found = nullptr;                                                             \
    return StepBullet(engine, Find(&found, symbol, __builtin_return_address(0)), world, time, \
                      most, substep);                                                         \
  }

#define NONSMOOTH_DESTRUCTOR(function, symbol)                \
  void function(void* world) NONSMOOTH_STANDS_IN_FOR(symbol); \
  void function(void* world) { Destroy(world, symbol, __builtin_return_address(0)); }

extern "C" {

NONSMOOTH_BULLET_STEP(StepDiscreteFloat, "_ZN23btDiscreteDynamicsWorld14stepSimulationEfif", float,
                      bullet)
NONSMOOTH_BULLET_STEP(StepDiscreteDouble, "_ZN23btDiscreteDynamicsWorld14stepSimulationEdid",
                      double, bullet_float64)
NONSMOOTH_BULLET_STEP(StepSimpleFloat, "_ZN21btSimpleDynamicsWorld14stepSimulationEfif", float,
                      bullet)
NONSMOOTH_BULLET_STEP(StepSimpleDouble, "_ZN21btSimpleDynamicsWorld14stepSimulationEdid", double,
                      bullet_float64)
NONSMOOTH_DESTRUCTOR(DestroyDiscrete0, "_ZN23btDiscreteDynamicsWorldD0Ev")
NONSMOOTH_DESTRUCTOR(DestroyDiscrete1, "_ZN23btDiscreteDynamicsWorldD1Ev")
NONSMOOTH_DESTRUCTOR(DestroyDiscrete2, "_ZN23btDiscreteDynamicsWorldD2Ev")
NONSMOOTH_DESTRUCTOR(DestroySimple0, "_ZN21btSimpleDynamicsWorldD0Ev")
NONSMOOTH_DESTRUCTOR(DestroySimple1, "_ZN21btSimpleDynamicsWorldD1Ev")
NONSMOOTH_DESTRUCTOR(DestroySimple2, "_ZN21btSimpleDynamicsWorldD2Ev")
NONSMOOTH_DESTRUCTOR(DestroySystem0, "_ZN6chrono8ChSystemD0Ev")
NONSMOOTH_DESTRUCTOR(DestroySystem1, "_ZN6chrono8ChSystemD1Ev")
NONSMOOTH_DESTRUCTOR(DestroySystem2, "_ZN6chrono8ChSystemD2Ev")

bool StepChrono(void* system, bool collide)
    NONSMOOTH_STANDS_IN_FOR("_ZN6chrono8ChSystem15AdvanceDynamicsEb");
bool StepChrono(void* system, bool collide) {
  static void* found = nullptr;
  void* original =
      Find(&found, "_ZN6chrono8ChSystem15AdvanceDynamicsEb", __builtin_return_address(0));
  ChronoStep call{reinterpret_cast<bool (*)(void*, bool)>(original), system, collide};
  return StepWorld(chrono, original, system, ChronoStep::Run, &call) != 0;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
