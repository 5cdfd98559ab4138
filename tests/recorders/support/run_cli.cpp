// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/recorders/support/run_cli.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace nonsmooth {
namespace {

/// Reads both until all writers are gone. A terminal says so by an error.
void Drain(int out, int err, CliResult* result) {
  pollfd files[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[] = {&result->out, &result->err};
  int open = 2;
  while (open > 0 && poll(files, 2, -1) > 0) {
    for (int k = 0; k < 2; ++k) {
      if (files[k].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = read(files[k].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[k]->append(buffer, static_cast<std::size_t>(count));
      } else {
        close(files[k].fd);
        files[k].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

CliResult RunCli(const std::vector<std::string>& arguments, bool terminal) {
  std::vector<std::string> command{NONSMOOTH_CLI};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunProgram(command, terminal);
}

CliResult RunProgram(const std::vector<std::string>& command, bool terminal) {
  int out[2];
  int err[2];
  const bool ready = pipe2(out, O_CLOEXEC) == 0 &&
                     (terminal ? openpty(&err[0], &err[1], nullptr, nullptr, nullptr) == 0
                               : pipe2(err, O_CLOEXEC) == 0);
  if (!ready) throw std::runtime_error("no pipes");
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  CliResult result;
  Drain(out[0], err[0], &result);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("no child");
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string DataFile(const std::string& name) { return NONSMOOTH_TEST_DATA "/" + name; }

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace nonsmooth
