// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "preload/engines.h"

namespace nonsmooth::preload {
namespace {

constexpr char kOurLibraries[] = "libnonsmooth_run";

/// Type information has the class's name as text, in stripped files too.
bool HoldsType(const dl_phdr_info& object, const char* type) {
  const std::size_t length = std::strlen(type) + 1;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_R) == 0 ||
        (segment.p_flags & PF_W) != 0) {
      continue;
    }
    const auto* begin = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    if (memmem(begin, segment.p_filesz, type, length) != nullptr) return true;
  }
  return false;
}

/// The engine's own library whose virtual functions are not ours, although we were here first.
bool PassesUsBy(const char* path, const Engine& engine) {
  void* object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return false;
  void* const* table = static_cast<void**>(dlsym(object, engine.table));
  void* const own = dlsym(object, engine.step);
  bool passes = false;
  if (table != nullptr && own != nullptr) {
    // As many entries as any of these tables has.
    for (int i = 0; i < 64 && !passes; ++i) passes = table[i] == own;
  }
  dlclose(object);
  return passes;
}

/// Says why calls into this object cannot come through here, if that is so.
bool Explain(const dl_phdr_info& object) {
  const char* path = object.dlpi_name;
  if (std::strstr(path, kOurLibraries) != nullptr) return false;
  const char* slash = std::strrchr(path, '/');
  const char* file = slash != nullptr ? slash + 1 : path;
  for (const Engine* engine : engines) {
    const char* soname = engine->soname;
    const std::size_t stem = std::strcspn(soname, ".-");
    if (stem > 0 && std::strncmp(file, soname, stem) == 0) {
      if (!PassesUsBy(path, *engine)) continue;
      Tell("calls of ", path,
           " cannot be stood in for: it was opened with RTLD_DEEPBIND, or linked with -Bsymbolic");
      return true;
    }
    if (!HoldsType(object, engine->type)) continue;
    const bool program = path[0] == '\0';
    Tell("this program has its own copy of ", engine == &chrono ? engine->name : bullet.name,
         program ? "" : ", in ", path, ": nothing can be stood in for");
    return true;
  }
  return false;
}

bool IsTheProgram() {
  const char* process = std::getenv("NONSMOOTH_RUN_PROCESS");
  return process != nullptr && std::strtol(process, nullptr, 10) == getpid();
}

}  // namespace

void ExplainSilence(bool everywhere) {
  static bool told = false;
  const Loaded loaded;
  const int count = everywhere ? loaded.count : 1;  // the program comes first
  for (int i = 0; i < count && !told; ++i) told = Explain(loaded.objects[i]);
  if (everywhere && !told && IsTheProgram()) {
    Tell("no world of Bullet or Project Chrono was stepped");
  }
}

namespace {

__attribute__((constructor)) void Begin() { ExplainSilence(false); }

__attribute__((destructor)) void End() {
  if (!HasStepped()) ExplainSilence(true);
}

}  // namespace
}  // namespace nonsmooth::preload
