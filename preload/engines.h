// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

namespace nonsmooth::preload {

/// Calls what the program meant to call.
using Step = int (*)(void* call);

/// An engine that can be stood in for, and the library of ours that knows it. That one is opened at
/// the first step of a world of that engine and not before: programs that have none are not
/// burdened, and one that opens an engine while it runs needs no special care.
struct Engine {
  const char* name;     ///< "Bullet"
  const char* library;  ///< ours, beside this one
  const char* soname;   ///< of the engine's library that ours was built for; "": ours was not built
  const char* type;     ///< the name in its world's type information
  const char* step;     ///< symbol of the function that steps
  const char* table;    ///< symbol of the world's table of virtual functions

  // Set once by Open().
  bool opened = false;
  int (*take_step)(void* world, Step step, void* call) = nullptr;
  void (*forget)(void* world) = nullptr;
};

extern Engine bullet;
extern Engine bullet_float64;
extern Engine chrono;
extern Engine* const engines[3];

/// Steps `world` by `step(call)` under the eyes of the engine's library; by `step(call)` alone
/// where there is none. `original` is where the engine has its own function.
int StepWorld(Engine& engine, void* original, void* world, Step step, void* call);

/// Before a world's own destructor.
void ForgetWorld(void* world);

/// The engine's own function of that name, as the caller at `return_address` would have found it
/// without us; null: there is none.
void* Original(const char* symbol, const void* return_address);

/// The objects that are loaded now, the program first.
struct Loaded {
  static constexpr int kMost = 1024;
  dl_phdr_info objects[kMost];
  int count = 0;
  Loaded();
};

/// Whether any world has been stepped through here.
bool HasStepped();

/// One line on standard error.
void Tell(const char* a, const char* b = "", const char* c = "", const char* d = "",
          const char* e = "");

/// Where the program has an engine whose calls cannot come through here, says so. `everywhere`:
/// looks at all that is loaded, not only at the program's own file.
void ExplainSilence(bool everywhere);

}  // namespace nonsmooth::preload
