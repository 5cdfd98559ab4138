// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <nlohmann/json.hpp>

#include "recorders/replay/provenance.h"
#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

Json Texts(const NamedTexts& texts) {
  Json json = Json::object();
  for (const auto& [name, value] : texts) json[name] = value;
  return json;
}

Json FieldsJson(const OptionFields& fields) {
  Json json = Json::object();
  for (const OptionField& field : fields) {
    const std::string name(field.name);
    if (const auto* flag = std::get_if<bool*>(&field.value)) {
      json[name] = **flag;
    } else if (const auto* integer = std::get_if<int*>(&field.value)) {
      json[name] = **integer;
    } else if (const auto* number = std::get_if<double*>(&field.value)) {
      json[name] = **number;
    } else {
      json[name] = ValueText(field);
    }
  }
  return json;
}

// Paths need not be UTF-8; JSON has to be.
std::string Dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json RecordJson(const std::string& file, const ReplayRecord& record, bool history) {
  Json json{{"file", file},
            {"step", record.step},
            {"solver", record.solver},
            {"law", record.law},
            {"status", record.status},
            {"iterations", record.iterations < 0 ? Json(nullptr) : Json(record.iterations)},
            {"seconds", record.total_seconds},
            {"contacts", record.contacts},
            {"rows", record.rows}};
  for (const NamedMeasure& measure : Measures(record)) {
    json[std::string(measure.name)] = measure.value;
  }
  json["energy_error_max_row"] = record.errors.energy.max_row;
  json["best_iteration"] = record.best_iteration;
  json["seconds_prepare"] = record.seconds.prepare;
  json["seconds_iterate"] = record.seconds.iterate;
  json["seconds_finish"] = record.seconds.finish;
  json["engine_step"] = record.info.step;
  json["island"] = record.info.island;
  json["time"] = record.info.time;
  if (!record.remark.empty()) json["remark"] = record.remark;
  if (!record.fclib_file.empty()) json["fclib_file"] = record.fclib_file;
  if (history && record.solver != kEngineName) {
    Json iteration = Json::array();
    Json seconds = Json::array();
    Json energy = Json::array();
    for (const IterationRecord& entry : record.history) {
      iteration.push_back(entry.iteration);
      seconds.push_back(entry.seconds);
      energy.push_back(entry.energy);
    }
    json["history"] = {{"iteration", iteration}, {"seconds", seconds}, {"energy_error", energy}};
  }
  return json;
}

Json OptionsObject(const ReplayOptions& options) {
  ReplayOptions copy = options;
  Json json = FieldsJson(Fields(copy.solve));
  json["warm_start"] = ToString(options.warm_start);
  json["first_step"] = options.first_step;
  const bool open = options.last_step == std::numeric_limits<std::int64_t>::max();
  json["last_step"] = open ? Json(nullptr) : Json(options.last_step);
  if (options.stride != 1) json["stride"] = options.stride;
  json["jobs"] = options.jobs;
  Json solvers = Json::object();
  for (const auto& [name, text] : SolverOptionsJson(options)) solvers[name] = Json::parse(text);
  json["solvers"] = std::move(solvers);
  return json;
}

}  // namespace

std::string OptionsJson(const OptionFields& fields) { return FieldsJson(fields).dump(); }

std::vector<std::pair<std::string, std::string>> SolverOptionsJson(const ReplayOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const std::string& name : options.solvers) {
    Driver driver(name);
    for (const SolverSetting& setting : options.settings) {
      if (setting.solver == name) Set(name, driver.Options(), setting.name, setting.value);
    }
    texts.emplace_back(name, OptionsJson(driver.Options()));
  }
  return texts;
}

std::string RecordLine(const std::string& file, const ReplayRecord& record, bool history) {
  return Dump(RecordJson(file, record, history), -1);
}

std::string JsonHead(const ReplayReport& report, const ReplayOptions& options,
                     const std::vector<NamedTexts>& machines) {
  Json files = Json::array();
  for (const ReplayFile& file : report.files) {
    files.push_back({{"file", file.path},
                     {"format", file.format},
                     {"engine", file.info.engine},
                     {"scene", file.info.scene},
                     {"steps", file.steps},
                     {"remarks", file.remarks},
                     {"errors", file.errors}});
  }
  Json summary = Json::array();
  for (const SolverSummary& entry : Summarise(report, options)) {
    summary.push_back(
        {{"file", entry.file < 0 ? Json(nullptr) : Json(report.files[entry.file].path)},
         {"solver", entry.solver},
         {"law", entry.law},
         {"steps", entry.steps},
         {"solved", entry.solved},
         {"failed", entry.failed},
         {"contradictory", entry.contradictory},
         {"iterations_median", entry.iterations},
         {"seconds_median", entry.seconds},
         {"seconds_p99", entry.seconds_p99},
         {"energy_error_median", entry.energy_error},
         {"energy_error_worst", entry.energy_error_max},
         {"energy_error_relative_median", entry.relative_error}});
  }
  Json json{{"format", kResultsFormat},
            {"version", kResultsVersion},
            {"host", Texts(machines.empty() ? Host() : machines.front())},
            {"versions", Texts(Versions())},
            {"options", OptionsObject(options)},
            {"files", std::move(files)},
            {"summary", std::move(summary)}};
  for (const NamedTexts& machine : machines) json["machines"].push_back(Texts(machine));
  std::string text = Dump(json, 1);
  text.resize(text.size() - 2);  // the closing "\n}"
  return text + ",\n \"results\": [";
}

std::string JsonText(const ReplayReport& report, const ReplayOptions& options) {
  std::string text = JsonHead(report, options, {});
  // One line a result, so that lines can be counted.
  const char* separator = "\n  ";
  for (const ReplayRecord& record : report.records) {
    text += separator + RecordLine(report.files[record.file].path, record, options.solve.history);
    separator = ",\n  ";
  }
  return text + kJsonTail;
}

}  // namespace nonsmooth
