// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/provenance.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#ifndef NONSMOOTH_VERSION
#define NONSMOOTH_VERSION "unknown"
#endif
#ifndef NONSMOOTH_BUILD_TYPE
#define NONSMOOTH_BUILD_TYPE "unknown"
#endif

namespace nonsmooth {
namespace {

std::string CpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string Compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

}  // namespace

std::string Version() { return NONSMOOTH_VERSION; }

NamedTexts Host() {
  utsname system{};
  const bool known = uname(&system) == 0;
  return {{"name", known ? system.nodename : "unknown"},
          {"system", known ? fmt::format("{} {}", system.sysname, system.release) : "unknown"},
          {"machine", known ? system.machine : "unknown"},
          {"cpu", CpuModel()},
          {"cores", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))}};
}

NamedTexts Versions() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  const bool known = H5get_libversion(&major, &minor, &release) >= 0;
  return {{"nonsmooth", Version()},
          {"compiler", Compiler()},
          {"build", NONSMOOTH_BUILD_TYPE},
          {"hdf5", known ? fmt::format("{}.{}.{}", major, minor, release) : "unknown"}};
}

}  // namespace nonsmooth
