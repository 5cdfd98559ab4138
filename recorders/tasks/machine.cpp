// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/machine.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <thread>

#include "recorders/replay/provenance.h"

namespace nonsmooth {
namespace {

constexpr std::chrono::seconds kPause{1};
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

/// The kernel's word on the clock, or /proc/cpuinfo's where it has no governor.
double ClockMhz() {
  const int core = std::max(0, sched_getcpu());
  double value = 0;
  if (std::ifstream(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq", core)) >>
      value) {
    return value / 1000;
  }
  std::ifstream file("/proc/cpuinfo");
  int at = -1;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("processor", 0) == 0) ++at;
    if (at != core || line.rfind("cpu MHz", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) return std::atof(line.c_str() + colon + 1);
  }
  return kNotKnown;
}

}  // namespace

MachineState LookAtMachine() {
  thread_local MachineState state{Host().front().second, kNotKnown, kNotKnown};
  thread_local std::chrono::steady_clock::time_point next{};
  const auto now = std::chrono::steady_clock::now();
  if (now < next) return state;
  next = now + kPause;
  double load = 0;
  state.load = getloadavg(&load, 1) == 1 ? load : kNotKnown;
  state.clock_mhz = ClockMhz();
  return state;
}

int PhysicalCores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  std::set<std::string> cores;  // named by the hardware threads they have
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) continue;
    std::string siblings;
    std::ifstream file(
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    if (!(file >> siblings)) siblings = std::to_string(cpu);
    cores.insert(siblings);
  }
  return std::max(1, static_cast<int>(cores.size()));
}

}  // namespace nonsmooth
