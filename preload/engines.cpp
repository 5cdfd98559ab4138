// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "preload/engines.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

namespace nonsmooth::preload {
namespace {

constexpr char kBulletWorld[] = "23btDiscreteDynamicsWorld";
constexpr char kBulletTable[] = "_ZTV23btDiscreteDynamicsWorld";

pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
bool stepped = false;

/// An object's own name, as it was given to the linker; "" if it has none.
const char* SonameOf(const link_map& object) {
  const char* strings = nullptr;
  ElfW(Xword) offset = 0;
  bool named = false;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag != DT_SONAME) continue;
    offset = entry->d_un.d_val;
    named = true;
  }
  return named && strings != nullptr ? strings + offset : "";
}

const link_map* ObjectOf(const void* address) {
  Dl_info info;
  void* object = nullptr;
  if (dladdr1(address, &info, &object, RTLD_DL_LINKMAP) == 0) return nullptr;
  return static_cast<const link_map*>(object);
}

bool IsOurs(const void* address) {
  static const link_map* const us = ObjectOf(reinterpret_cast<const void*>(&SonameOf));
  return ObjectOf(address) == us;
}

/// What the object, or one that it was linked with, has under that name; ours does not count.
void* FindIn(const char* path, const char* symbol) {
  void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  void* found = dlsym(object, symbol);
  dlclose(object);  // the program's own reference keeps it
  return found != nullptr && !IsOurs(found) ? found : nullptr;
}

/// Refuses an engine that is not the one our library was built for: its objects may be laid out
/// otherwise.
bool IsKnown(const Engine& engine, const void* original) {
  const link_map* object = ObjectOf(original);
  const char* soname = object != nullptr ? SonameOf(*object) : "";
  if (std::strcmp(soname, engine.soname) == 0) return true;
  const char* file =
      object != nullptr && object->l_name[0] != '\0' ? object->l_name : "the program";
  if (engine.soname[0] == '\0') {
    Tell(file, " is ", engine.name, ", for which this Nonsmooth was not built: it is left alone");
  } else if (std::strncmp(soname, engine.soname, std::strcspn(engine.soname, ".")) == 0) {
    Tell(file, " is not the version this Nonsmooth was built for, ", engine.soname,
         ": it is left alone");
  } else {
    Tell("this program has its own copy of ", engine.name, ", in ", file, ": it is left alone");
  }
  return false;
}

void Open(Engine& engine, const void* original) {
  if (!IsKnown(engine, original)) return;
  char path[PATH_MAX];
  const link_map* us = ObjectOf(reinterpret_cast<const void*>(&SonameOf));
  const char* slash = std::strrchr(us->l_name, '/');
  const int folder = slash != nullptr ? static_cast<int>(slash - us->l_name + 1) : 0;
  std::snprintf(path, sizeof path, "%.*s%s", folder, us->l_name, engine.library);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    Tell(engine.name, " is left alone: ", dlerror());
    return;
  }
  engine.take_step =
      reinterpret_cast<decltype(engine.take_step)>(dlsym(library, "nonsmooth_run_step"));
  engine.forget = reinterpret_cast<decltype(engine.forget)>(dlsym(library, "nonsmooth_run_forget"));
}

}  // namespace

Engine bullet{"Bullet",
              "libnonsmooth_run_bullet.so",
              NONSMOOTH_SONAME_bullet,
              kBulletWorld,
              "_ZN23btDiscreteDynamicsWorld14stepSimulationEfif",
              kBulletTable};
Engine bullet_float64{"Bullet in double precision",
                      "libnonsmooth_run_bullet_float64.so",
                      NONSMOOTH_SONAME_bullet_float64,
                      kBulletWorld,
                      "_ZN23btDiscreteDynamicsWorld14stepSimulationEdid",
                      kBulletTable};
Engine chrono{"Project Chrono",
              "libnonsmooth_run_chrono.so",
              NONSMOOTH_SONAME_chrono,
              "N6chrono8ChSystemE",
              "_ZN6chrono8ChSystem15AdvanceDynamicsEb",
              "_ZTVN6chrono11ChSystemNSCE"};
Engine* const engines[3] = {&bullet, &bullet_float64, &chrono};

int StepWorld(Engine& engine, void* original, void* world, Step step, void* call) {
  __atomic_store_n(&stepped, true, __ATOMIC_RELAXED);
  if (!__atomic_load_n(&engine.opened, __ATOMIC_ACQUIRE)) {
    pthread_mutex_lock(&opening);
    if (!engine.opened) Open(engine, original);
    __atomic_store_n(&engine.opened, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&opening);
  }
  if (engine.take_step == nullptr) return step(call);
  return engine.take_step(world, step, call);
}

void ForgetWorld(void* world) {
  for (Engine* engine : engines) {
    if (!__atomic_load_n(&engine->opened, __ATOMIC_ACQUIRE)) continue;
    if (engine->forget != nullptr) engine->forget(world);
  }
}

void* Original(const char* symbol, const void* return_address) {
  if (void* next = dlsym(RTLD_NEXT, symbol)) return next;
  // An engine opened with RTLD_LOCAL: seen by who opened it, and by those it was linked with.
  const link_map* caller = ObjectOf(return_address);
  if (caller != nullptr && caller->l_name[0] != '\0') {
    if (void* found = FindIn(caller->l_name, symbol)) return found;
  }
  const Loaded loaded;
  for (int i = 0; i < loaded.count; ++i) {
    const char* path = loaded.objects[i].dlpi_name;
    if (path[0] == '\0') continue;
    if (void* found = FindIn(path, symbol)) return found;
  }
  return nullptr;
}

Loaded::Loaded() {
  // Nothing is opened or looked up in the callback, which runs under the dynamic linker's lock.
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t /*size*/, void* data) {
        Loaded& all = *static_cast<Loaded*>(data);
        if (all.count < kMost) all.objects[all.count++] = *object;
        return 0;
      },
      this);
}

bool HasStepped() { return __atomic_load_n(&stepped, __ATOMIC_RELAXED); }

void Tell(const char* a, const char* b, const char* c, const char* d, const char* e) {
  const char* const parts[] = {"nonsmooth: ", a, b, c, d, e, "\n"};
  iovec pieces[7];
  for (int i = 0; i < 7; ++i) pieces[i] = {const_cast<char*>(parts[i]), std::strlen(parts[i])};
  if (writev(STDERR_FILENO, pieces, 7) < 0) return;  // nobody listens
}

}  // namespace nonsmooth::preload
