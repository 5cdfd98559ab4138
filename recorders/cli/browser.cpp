// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/cli/browser.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "recorders/capture/file_error.h"

extern char** environ;

namespace nonsmooth::cli {

bool OpenInBrowser(const std::string& path) {
#ifdef __APPLE__
  const char* opener = "open";
#else
  const char* opener = "xdg-open";
  // Without a screen it would start a browser in the terminal.
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
#endif
  std::string program = opener;
  std::string argument = path;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, opener, nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string TemporaryPage(const std::string& name) {
  std::string folder = (std::filesystem::temp_directory_path() / "nonsmooth-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw FileError(folder, "", std::strerror(errno));
  return folder + "/" + name;
}

}  // namespace nonsmooth::cli
