// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/results_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

/// A value inside a file, which knows its name there for error messages.
class Value {
 public:
  Value(const std::string& path, std::string name, const Json& json)
      : path_(path), name_(std::move(name)), json_(json) {}

  [[noreturn]] void Refuse(const std::string& cause) const { throw FileError(path_, name_, cause); }

  bool Has(const char* key) const { return Object().contains(key); }

  Value operator[](const char* key) const {
    const auto found = Object().find(key);
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (found == json_.end()) throw FileError(path_, name, "is missing");
    return {path_, name, *found};
  }

  Value operator[](std::size_t index) const {
    return {path_, fmt::format("{}[{}]", name_, index), Array()[index]};
  }

  std::size_t size() const { return Array().size(); }

  const Json& Object() const {
    if (!json_.is_object()) Refuse("is not an object");
    return json_;
  }

  std::string Text() const {
    if (!json_.is_string()) Refuse("is not a text");
    return json_.get<std::string>();
  }

  std::int64_t Integer() const {
    if (!json_.is_number_integer()) Refuse("is not an integer");
    return json_.get<std::int64_t>();
  }

  double Number() const {
    if (json_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!json_.is_number()) Refuse("is not a number");
    return json_.get<double>();
  }

  /// Of time and energy: a negative one is nonsense that would win every comparison.
  double Amount() const {
    const double number = Number();
    if (number < 0) Refuse("is negative");
    return number;
  }

 private:
  const Json& Array() const {
    if (!json_.is_array()) Refuse("is not an array");
    return json_;
  }

  const std::string& path_;
  std::string name_;
  const Json& json_;
};

Json Parse(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path, "", "is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "", errno != 0 ? std::strerror(errno) : "cannot be read");
  try {
    return Json::parse(file);
  } catch (const Json::parse_error& error) {
    file.clear();
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    const bool at_end = size >= 0 && error.byte >= static_cast<std::size_t>(size);
    throw FileError(path, "",
                    at_end
                        ? fmt::format("is cut short: JSON ends unfinished at byte {}", error.byte)
                        : fmt::format("is not JSON: nonsense at byte {}", error.byte));
  }
}

/// What a solver was told, as far as times and errors depend on it.
std::string Settings(const Json& options, const std::string& solver) {
  Json settings = Json::object();
  for (const char* key :
       {"law", "max_iterations", "energy_tolerance", "relative_tolerance", "deadline",
        "measure_every", "least_error", "stall_iterations", "warm_start"}) {
    if (options.contains(key)) settings[key] = options[key];
  }
  settings["solver"] = options["solvers"][solver];
  return settings.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Description(const Value& machine) {
  return machine.Object().dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The machines of merged results by name, or the one that a replay was on.
std::vector<std::string> ReadMachines(const Value& root, std::map<std::string, int>* names) {
  std::vector<std::string> machines;
  if (!root.Has("machines")) return {Description(root["host"])};
  const Value list = root["machines"];
  for (std::size_t k = 0; k < list.size(); ++k) {
    (*names)[list[k]["name"].Text()] = static_cast<int>(k);
    machines.push_back(Description(list[k]));
  }
  return machines;
}

SolveRecord ReadRecord(const Value& value, const std::map<std::string, int>& machines) {
  SolveRecord record;
  record.file = value["file"].Text();
  record.step = value["step"].Integer();
  record.solver = value["solver"].Text();
  record.law = value["law"].Text();
  record.status = value["status"].Text();
  record.iterations = value.Has("iterations") ? value["iterations"].Number() : kUnknown;
  record.seconds = value["seconds"].Amount();
  record.free_energy = value["free_energy"].Amount();
  record.relative_energy = value["energy_error_relative"].Amount();
  record.fclib_error = value["fclib_error"].Amount();
  if (value.Has("calibration_seconds")) record.calibration = value["calibration_seconds"].Amount();
  if (!machines.empty()) {
    const auto machine = machines.find(value["machine"].Text());
    if (machine == machines.end()) value["machine"].Refuse("is not among machines");
    record.machine = machine->second;
  }
  record.has_history = value.Has("history");
  if (!record.has_history) return record;
  const Value seconds = value["history"]["seconds"];
  const Value energy = value["history"]["energy_error"];
  if (seconds.size() != energy.size()) {
    energy.Refuse(fmt::format("has {} entries, seconds has {}", energy.size(), seconds.size()));
  }
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    record.history.push_back({seconds[k].Amount(), energy[k].Amount()});
  }
  return record;
}

}  // namespace

ReplayResults ReadResults(const std::string& path) {
  const Json json = Parse(path);
  const auto is_text = [&json](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_string();
  };
  if (!is_text("format") || json["format"] != kResultsFormat || !is_text("version")) {
    throw FileError(path, "", "was not written by 'nonsmooth replay --json'");
  }
  const std::string version = json["version"].get<std::string>();
  const std::string ours = kResultsVersion;
  if (version.substr(0, version.find('.')) != ours.substr(0, ours.find('.'))) {
    throw FileError(path, "version", "is " + version + ", this program reads " + ours);
  }
  const Value root(path, "", json);
  const Value options = root["options"];
  ReplayResults results;
  results.path = path;
  results.energy_tolerance = options["energy_tolerance"].Amount();
  results.relative_tolerance = options["relative_tolerance"].Amount();
  results.jobs = static_cast<int>(options["jobs"].Integer());
  std::map<std::string, int> machine_names;
  results.machines = ReadMachines(root, &machine_names);
  const Json& solvers = options["solvers"].Object();
  for (const auto& entry : solvers.items()) {
    results.settings.emplace_back(entry.key(), Settings(options.Object(), entry.key()));
  }
  const Value records = root["results"];
  for (std::size_t k = 0; k < records.size(); ++k) {
    SolveRecord record = ReadRecord(records[k], machine_names);
    if (record.solver == kEngineName) continue;
    if (!solvers.contains(record.solver)) {
      records[k]["solver"].Refuse("'" + record.solver + "' is not among options.solvers");
    }
    results.records.push_back(std::move(record));
  }
  return results;
}

}  // namespace nonsmooth
