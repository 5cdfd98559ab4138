// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "recorders/cli/commands-inl.h"
#include "recorders/run/settings.h"

namespace nonsmooth::cli {
namespace {

/// As a shell has it.
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

/// The flags as they were given.
struct RunArguments {
  std::string capture;
  std::string solver;
  std::string law;
  std::string config;
  std::vector<std::string> settings;
  bool quiet = false;
  std::vector<std::string> program;
};

/// Where this program is installed, or built, the library is as well.
std::string PreloadLibrary() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path library =
      self.parent_path().parent_path() / NONSMOOTH_RUN_DIR / "libnonsmooth_run.so";
  if (!std::filesystem::exists(library)) {
    throw std::runtime_error(library.string() + " is not there: it belongs to this program");
  }
  return library;
}

/// The file that execvp() would start; empty if there is none.
std::string FileOf(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    std::size_t end = folders.find(':', begin);
    if (end == std::string::npos) end = folders.size();
    std::string file = folders.substr(begin, end - begin);
    file = (file.empty() ? "." : file) + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return "";
}

/// Why the dynamic linker would not preload anything into that file; empty: it would. Scripts are
/// their interpreter's business.
std::string WhyNothingIsPreloaded(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  const bool changes_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::geteuid();
  const bool changes_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != ::getegid();
  if (changes_user || changes_group) return "changes its user or group when it starts";
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "";
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "is no 64-bit program";
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + std::size_t{header.e_phentsize} *
                                                                static_cast<std::size_t>(i)));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!file || segment.p_type == PT_INTERP) return "";
  }
  return "is statically linked: its engine is its own, and nothing can be put into it";
}

void Put(const char* name, const std::string& value) {
  if (!value.empty() && ::setenv(name, value.c_str(), 1) != 0) {
    throw std::runtime_error(std::string(name) + ": " + std::strerror(errno));
  }
}

/// What was set before stays, unless it is set here.
void PutEnvironment(const RunArguments& arguments) {
  if (!arguments.capture.empty()) {
    Put("NONSMOOTH_CAPTURE", std::filesystem::absolute(arguments.capture));
  }
  if (!arguments.config.empty()) {
    Put("NONSMOOTH_CONFIG", std::filesystem::absolute(arguments.config));
  }
  Put("NONSMOOTH_SOLVER", arguments.solver);
  Put("NONSMOOTH_LAW", arguments.law);
  if (arguments.quiet) Put("NONSMOOTH_QUIET", "1");
  const char* former = std::getenv("NONSMOOTH_SET");
  std::string settings = former != nullptr ? former : "";
  for (const std::string& setting : arguments.settings) settings += " " + setting;
  Put("NONSMOOTH_SET", settings);
}

void CheckSettings() {
  try {
    const RunSettings settings = RunSettings::FromEnvironment();
    if (settings.Get("capture").empty() && settings.Get("solver").empty()) {
      throw UsageError("nothing is to be done: give --capture FILE, --solver NAME, or both");
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

int Execute(const RunArguments& arguments) {
  PutEnvironment(arguments);
  CheckSettings();
  const std::string& program = arguments.program.front();
  if (const std::string why = WhyNothingIsPreloaded(FileOf(program)); !why.empty()) {
    PrintWarning(program + " " + why);
  }
  const char* others = std::getenv("LD_PRELOAD");
  const std::string library = PreloadLibrary();
  Put("LD_PRELOAD", others != nullptr && *others != '\0' ? library + ":" + others : library);
  Put("NONSMOOTH_RUN_PROCESS", std::to_string(::getpid()));
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  Put("NONSMOOTH_RUN_BEGUN", fmt::format("{:.6f}", now.count()));
  // The program takes the place of this one: exit code and signals are its own.
  std::vector<char*> argv;
  for (const std::string& word : arguments.program) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int error = errno;
  PrintError(program + ": " + std::strerror(error));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

}  // namespace

void AddRun(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "run", "Run a program that uses Bullet or Chrono, and record it, change its solver, or both");
  auto a = std::make_shared<RunArguments>();
  command
      ->add_option("--capture", a->capture,
                   "Record every world to this file; %p is the process, %n the\n"
                   "world. A name already taken in this run gets a number")
      ->option_text("FILE");
  command
      ->add_option("--solver", a->solver,
                   "Let this solver of ours solve ('nonsmooth solvers' lists\n"
                   "them); default: the program's own")
      ->option_text("NAME");
  command->add_option("--law", a->law, "Friction law, with --solver; default: the plugin's")
      ->option_text("LAW");
  command
      ->add_option("--set", a->settings,
                   "Another setting: solve.NAME, option.NAME (the solver's own),\n"
                   "record.NAME, bullet.NAME, chrono.NAME; may be repeated")
      ->allow_extra_args(false)
      ->option_text("NAME=VALUE");
  command->add_option("--config", a->config, "Settings from a file, NAME = VALUE a line")
      ->check(CLI::ExistingFile)
      ->option_text("FILE");
  command->add_flag("--quiet", a->quiet, "Say nothing when a world is done");
  command->add_option("PROGRAM", a->program, "The program and its arguments, after --")
      ->required()
      ->option_text("ARGS...");
  command->positionals_at_end();
  command->footer(
      "Exit code and signals are the program's; 2 is wrong usage, 127 a program that is not\n"
      "there, 126 one that cannot be executed. Where a program cannot be started like this,\n"
      "preload libnonsmooth_run.so and set NONSMOOTH_CAPTURE, NONSMOOTH_SOLVER, NONSMOOTH_LAW,\n"
      "NONSMOOTH_CONFIG, NONSMOOTH_SET and NONSMOOTH_QUIET. docs/run.md");
  command->callback([&action, a] { action = [a] { return Execute(*a); }; });
}

}  // namespace nonsmooth::cli
