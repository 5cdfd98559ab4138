// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "recorders/capture/file_error.h"
#include "recorders/tasks/task_plan.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "nonsmooth-plan";
constexpr char kVersion[] = "1.0";
constexpr StartFrom kStarts[] = {StartFrom::kNone, StartFrom::kCaptured, StartFrom::kPrevious};

Json OptionsToJson(const ReplayOptions& options) {
  ReplayOptions copy = options;
  Json solve = Json::object();
  for (const OptionField& field : Fields(copy.solve)) {
    solve[std::string(field.name)] = ValueText(field);
  }
  Json settings = Json::array();
  for (const SolverSetting& setting : options.settings) {
    settings.push_back({setting.solver, setting.name, setting.value});
  }
  return {{"solvers", options.solvers},
          {"skip_unsuitable", options.skip_unsuitable},
          {"settings", std::move(settings)},
          {"solve", std::move(solve)},
          {"steps", {options.first_step, options.last_step, options.stride}},
          {"warm_start", ToString(options.warm_start)}};
}

ReplayOptions OptionsFromJson(const Json& json) {
  ReplayOptions options;
  options.solvers = json.at("solvers").get<std::vector<std::string>>();
  options.skip_unsuitable = json.at("skip_unsuitable").get<bool>();
  for (const Json& setting : json.at("settings")) {
    options.settings.push_back({setting.at(0), setting.at(1), setting.at(2)});
  }
  const OptionFields fields = Fields(options.solve);
  for (const auto& [name, value] : json.at("solve").items()) {
    Set("options", fields, name, value.get<std::string>());
  }
  options.first_step = json.at("steps").at(0).get<std::int64_t>();
  options.last_step = json.at("steps").at(1).get<std::int64_t>();
  options.stride = json.at("steps").at(2).get<std::int64_t>();
  for (const StartFrom start : kStarts) {
    if (json.at("warm_start") == ToString(start)) options.warm_start = start;
  }
  return options;
}

PlannedFile FileFromJson(const Json& json) {
  PlannedFile file;
  file.path = json.at("file").get<std::string>();
  file.format = json.at("format").get<std::string>();
  file.engine = json.at("engine").get<std::string>();
  file.engine_version = json.at("engine_version").get<std::string>();
  file.scene = json.at("scene").get<std::string>();
  file.steps = json.at("steps").get<std::int64_t>();
  file.error = json.at("error").get<std::string>();
  for (const Json& block : json.at("blocks")) {
    file.blocks.push_back({block.at(0), block.at(1), block.at(2), block.at(3)});
  }
  return file;
}

}  // namespace

std::string PlanText(const TaskPlan& plan) {
  const auto dump = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string text = "{\"format\": \"" + std::string(kFormat) + "\", \"version\": \"" + kVersion +
                     "\",\n \"options\": " + dump(OptionsToJson(plan.options)) + ",\n \"files\": [";
  const char* separator = "\n  ";
  for (const PlannedFile& file : plan.files) {
    Json blocks = Json::array();
    for (const PlannedBlock& block : file.blocks) {
      blocks.push_back({block.first, block.last, block.cost, block.checksum});
    }
    text += separator + dump({{"file", file.path},
                              {"format", file.format},
                              {"engine", file.engine},
                              {"engine_version", file.engine_version},
                              {"scene", file.scene},
                              {"steps", file.steps},
                              {"error", file.error},
                              {"blocks", std::move(blocks)}});
    separator = ",\n  ";
  }
  return text + "\n ]\n}\n";
}

TaskPlan ReadPlan(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "", errno != 0 ? std::strerror(errno) : "cannot be read");
  return ParsePlan(path, std::string(std::istreambuf_iterator<char>(file), {}));
}

TaskPlan ParsePlan(const std::string& path, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat || json.at("version") != kVersion) {
      throw FileError(path, "", "is not a plan of 'nonsmooth replay --out-dir'");
    }
    TaskPlan plan;
    plan.options = OptionsFromJson(json.at("options"));
    for (const Json& entry : json.at("files")) plan.files.push_back(FileFromJson(entry));
    return plan;
  } catch (const Json::exception& error) {
    throw FileError(path, "", std::string("is damaged: ") + error.what());
  } catch (const std::invalid_argument& error) {
    throw FileError(path, "", std::string("is damaged: ") + error.what());
  }
}

}  // namespace nonsmooth
