// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/run/settings.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/solve/driver.h"
#include "common/util/check.h"
#include "recorders/recording/recorder.h"

namespace nonsmooth {
namespace {

constexpr std::array<const char*, 4> kNames{"capture", "solver", "law", "quiet"};
constexpr std::array<const char*, 5> kGroups{"solve.", "option.", "record.", "bullet.", "chrono."};

std::string Trimmed(std::string_view text) {
  constexpr char kSpace[] = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

bool IsKnown(std::string_view name) {
  for (const char* known : kNames) {
    if (name == known) return true;
  }
  for (const std::string_view group : kGroups) {
    if (name.size() > group.size() && name.substr(0, group.size()) == group) return true;
  }
  return false;
}

void ReadFile(const std::string& path, RunSettings& settings) {
  std::ifstream file(path);
  Require(static_cast<bool>(file), path, ": ", std::strerror(errno));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string text = Trimmed(line.substr(0, line.find('#')));
    if (!text.empty()) settings.SetLine(path + ":" + std::to_string(number), text);
  }
}

}  // namespace

RunSettings RunSettings::FromEnvironment() {
  RunSettings settings;
  if (const char* path = std::getenv("NONSMOOTH_CONFIG")) {
    if (*path != '\0') ReadFile(path, settings);
  }
  if (const char* text = std::getenv("NONSMOOTH_SET")) {
    std::istringstream words(text);
    for (std::string word; words >> word;) settings.SetLine("NONSMOOTH_SET", word);
  }
  for (const std::string name : kNames) {
    std::string variable = "NONSMOOTH_" + name;
    for (char& letter : variable) {
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    const char* value = std::getenv(variable.c_str());
    if (value != nullptr && *value != '\0') settings.Set(name, value);
  }
  settings.Check();
  return settings;
}

void RunSettings::Set(const std::string& name, const std::string& value) {
  Require(IsKnown(name), "'", name,
          "' is no setting; there are capture, solver, law, quiet, solve.NAME, "
          "option.NAME, record.NAME, bullet.NAME and chrono.NAME");
  values_[name] = value;
}

void RunSettings::SetLine(std::string_view where, std::string_view line) {
  const std::size_t equals = line.find('=');
  Require(equals != std::string_view::npos, where, ": '", line, "' is not NAME=VALUE");
  try {
    Set(Trimmed(line.substr(0, equals)), Trimmed(line.substr(equals + 1)));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(where) + ": " + error.what());
  }
}

std::string RunSettings::Get(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second : "";
}

void RunSettings::Apply(const std::string& group, const OptionFields& fields) const {
  for (const auto& [name, value] : values_) {
    if (name.size() <= group.size() + 1 || name.compare(0, group.size() + 1, group + '.') != 0) {
      continue;
    }
    nonsmooth::Set(group, fields, name.substr(group.size() + 1), value);
  }
}

void RunSettings::Check() const {
  if (const std::string law = Get("law"); !law.empty()) ParseLaw(law);
  SolveOptions solve;
  Apply("solve", Fields(solve));
  Validate("solve", Fields(solve));
  RecorderOptions record;
  Apply("record", Fields(record));
  Validate("record", Fields(record));
  if (const std::string solver = Get("solver"); !solver.empty()) {
    Driver driver(solver);
    Apply("option", driver.Options());
    Validate(solver, driver.Options());
  } else {
    for (const auto& [name, value] : values_) {
      Require(name.compare(0, 7, "option.") != 0, "'", name, "' is set, but no solver is");
    }
  }
}

}  // namespace nonsmooth
