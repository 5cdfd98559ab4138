// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Starts outcomes_<engine> beside it, one engine after the other, and merges what they write.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Runs a program to its end and returns its exit code.
int Start(const fs::path& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::fflush(stdout);
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0) {
    throw std::runtime_error(program.string() + ": cannot be started");
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    throw std::runtime_error(program.string() + ": did not end by itself");
  }
  return WEXITSTATUS(status);
}

/// A file in the folder for temporary ones that is gone with this.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(fs::temp_directory_path() / fmt::format("outcomes_{}.json", ::getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

int Run(const std::vector<std::string>& engines, std::vector<std::string> arguments,
        const std::string& json) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const TemporaryFile part;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  arguments.insert(arguments.end(), {"--json", part.path().string()});
  bool first = true;
  for (const std::string& engine : engines) {
    const fs::path program = folder / ("outcomes_" + engine);
    if (!fs::exists(program)) {
      fmt::print(stderr, "{}: left out, {} was not built\n", engine, program.filename().string());
      continue;
    }
    if (!first) arguments.push_back("--no-header");
    if (const int code = Start(program, arguments)) return code;
    if (!first) arguments.pop_back();
    first = false;
    const auto merged = nlohmann::ordered_json::parse(std::ifstream(part.path()));
    for (const auto& result : merged.at("results")) results.push_back(result);
  }
  if (json.empty()) return 0;
  std::ofstream file(json);
  file << nlohmann::ordered_json{{"results", results}}.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error(json + ": cannot be written");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Published hard scenes, with a verdict for each engine and solver: docs/outcomes.md. What is "
      "not named here is passed on: see outcomes_<engine> --help.");
  std::vector<std::string> engines{"bullet", "bullet64", "chrono"};
  std::string json;
  app.allow_extras();
  app.add_option("--engine", engines, "bullet, bullet64, chrono; all that were built unless given")
      ->delimiter(',')
      ->check(CLI::IsMember({"bullet", "bullet64", "chrono"}));
  app.add_option("--json", json, "write the results of all engines into this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return Run(engines, app.remaining(), json);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
