// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/benchmarks/guarded_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace nonsmooth::benchmark {
namespace {

[[noreturn]] void Child(int pipe, const std::function<std::vector<double>()>& work) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::vector<double> numbers;
  try {
    numbers = work();
  } catch (const std::exception&) {
    _exit(1);
  }
  const char* bytes = reinterpret_cast<const char*>(numbers.data());
  std::size_t left = numbers.size() * sizeof(double);
  while (left > 0) {
    const ssize_t written = write(pipe, bytes, left);
    if (written <= 0) _exit(1);
    bytes += written;
    left -= static_cast<std::size_t>(written);
  }
  _exit(0);
}

}  // namespace

GuardedRun RunGuarded(double seconds, const std::function<std::vector<double>()>& work) {
  using Clock = std::chrono::steady_clock;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) Child(ends[1], work);
  close(ends[1]);
  const auto limit = Clock::now() + std::chrono::duration<double>(seconds);
  std::string bytes;
  bool in_time = true;
  for (;;) {
    const double left = std::chrono::duration<double>(limit - Clock::now()).count();
    pollfd waiting{ends[0], POLLIN, 0};
    in_time = left > 0 && poll(&waiting, 1, static_cast<int>(1e3 * left) + 1) > 0;
    if (!in_time) break;
    char buffer[4096];
    const ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count <= 0) break;
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
  if (!in_time) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  GuardedRun run;
  const bool returned = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  run.end = !in_time ? RunEnd::kOutOfTime : returned ? RunEnd::kReturned : RunEnd::kCrashed;
  if (run.end == RunEnd::kReturned) {
    run.numbers.resize(bytes.size() / sizeof(double));
    bytes.copy(reinterpret_cast<char*>(run.numbers.data()), run.numbers.size() * sizeof(double));
  }
  return run;
}

}  // namespace nonsmooth::benchmark
