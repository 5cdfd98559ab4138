// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <stdexcept>

namespace nonsmooth {

/// A child that writes steps and reports each one that is committed.
class WritingProcess {
 public:
  /// `work` gets a function to be called after each commit.
  template <class Work>
  explicit WritingProcess(const Work& work) {
    if (::pipe(pipe_) != 0) throw std::runtime_error("pipe failed");
    child_ = ::fork();
    if (child_ != 0) {
      ::close(pipe_[1]);
      return;
    }
    work([this] {
      const char mark = 'c';
      if (::write(pipe_[1], &mark, 1) != 1) ::_exit(1);
    });
    ::_exit(0);
  }
  ~WritingProcess() { ::close(pipe_[0]); }
  WritingProcess(const WritingProcess&) = delete;
  WritingProcess& operator=(const WritingProcess&) = delete;

  void Kill() { ::kill(child_, SIGKILL); }

  /// Waits for its end; true: it was killed, false: it had finished.
  bool Join() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

  /// Waits for the next commit; false: there are no more.
  bool WaitForCommit() {
    char mark;
    return ::read(pipe_[0], &mark, 1) == 1;
  }

  /// How many more commits it has reported. Only after Join().
  int Committed() {
    int commits = 0;
    char marks[64];
    for (ssize_t got; (got = ::read(pipe_[0], marks, sizeof marks)) > 0;) {
      commits += static_cast<int>(got);
    }
    return commits;
  }

 private:
  int pipe_[2] = {-1, -1};
  pid_t child_ = -1;
};

}  // namespace nonsmooth
