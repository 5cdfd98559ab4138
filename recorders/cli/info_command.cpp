// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "recorders/capture/capture_reader.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Least and largest of something over all steps.
struct Range {
  double least = INFINITY;
  double most = -INFINITY;
  double sum = 0;

  void Add(double value) {
    if (std::isnan(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
  }
  bool empty() const { return least > most; }
  Json ToJson() const {
    if (empty()) return nullptr;
    return {{"min", least}, {"max", most}};
  }
  std::string Text() const {
    if (empty()) return "unknown";
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  }
};

struct FileInfo {
  std::string path;
  FileFormat format = FileFormat::kCapture;
  CaptureInfo capture;
  std::int64_t steps = 0;
  bool live = false;
  std::int64_t uncommitted = 0;
  Range contacts;
  Range rows;
  Range bodies;
  Range time;
  Range step_size;
  Range energy_error;
  bool solutions = false;
  std::map<std::string, int> shapes;  ///< how many of each kind
  std::vector<std::string> solvers;   ///< the engine's
  std::vector<std::string> laws;      ///< of contacts; of captures, in their first step
  std::vector<std::string> remarks;
};

void AddOnce(const std::string& text, std::vector<std::string>* to) {
  if (!text.empty() && std::find(to->begin(), to->end(), text) == to->end()) to->push_back(text);
}

void AddLaws(const Problem& problem, FileInfo* info) {
  for (const RowGroup& group : problem.groups()) {
    if (group.kind == GroupKind::kContact) AddOnce(ToString(group.law), &info->laws);
  }
}

void AddStep(const StepInfo& step, FileInfo* info) {
  info->time.Add(step.time);
  info->step_size.Add(step.h);
  AddOnce(step.solver, &info->solvers);
}

void ReadCapture(const std::string& path, FileInfo* info) {
  constexpr std::int64_t kBlock = 4096;
  const CaptureReader reader(path);
  info->capture = reader.info();
  info->steps = reader.steps();
  info->live = reader.live();
  info->uncommitted = reader.uncommitted();
  for (std::int64_t first = 0; first < info->steps; first += kBlock) {
    const std::int64_t last = std::min(info->steps, first + kBlock);
    for (const StepSummary& step : reader.Summaries(first, last)) {
      AddStep(step.info, info);
      info->contacts.Add(static_cast<double>(step.contacts));
      info->rows.Add(static_cast<double>(step.rows));
      info->bodies.Add(static_cast<double>(step.bodies));
      info->energy_error.Add(step.measures.energy_error);
      info->solutions = info->solutions || step.has_x;
    }
  }
  for (const BodyShape& shape : reader.Shapes()) ++info->shapes[std::string(ToString(shape.kind))];
  if (info->steps > 0) AddLaws(reader.Read(0).problem, info);
}

void ReadOther(const ProblemSource& source, FileInfo* info) {
  info->capture = source.info();
  info->steps = source.steps();
  for (std::int64_t k = 0; k < info->steps; ++k) {
    const SourceStep read = source.Read(k);
    AddStep(read.step.info, info);
    info->contacts.Add(read.step.problem.contacts());
    info->rows.Add(read.step.problem.rows());
    if (!read.step.bodies.empty()) info->bodies.Add(static_cast<double>(read.step.bodies.size()));
    info->solutions = info->solutions || !read.step.x.empty();
    AddLaws(read.step.problem, info);
    for (const std::string& remark : read.remarks) AddOnce(remark, &info->remarks);
  }
}

FileInfo Look(const std::string& path) {
  FileInfo info;
  info.path = path;
  const std::unique_ptr<ProblemSource> source = OpenSource(path);
  info.format = source->format();
  if (info.format == FileFormat::kCapture) {
    ReadCapture(path, &info);
  } else {
    ReadOther(*source, &info);
  }
  return info;
}

Json ToJson(const FileInfo& info) {
  const bool capture = info.format == FileFormat::kCapture;
  Json json{{"file", info.path},
            {"format", ToString(info.format)},
            {"engine", info.capture.engine},
            {"engine_version", info.capture.engine_version},
            {"scene", info.capture.scene}};
  if (capture) {
    json["scalar"] = ToString(info.capture.scalar);
    json["producer"] = info.capture.producer;
    json["created"] = info.capture.created;
    json["uuid"] = info.capture.uuid;
    json["version"] = info.capture.version;
    json["live"] = info.live;
    json["uncommitted"] = info.uncommitted;
  }
  json["steps"] = info.steps;
  json["contacts"] = info.contacts.ToJson();
  json["rows"] = info.rows.ToJson();
  json["bodies"] = info.bodies.ToJson();
  json["shapes"] = info.shapes;
  json["time"] = info.time.ToJson();
  json["step_size"] = info.step_size.ToJson();
  json["laws"] = info.laws;
  json["engine_solvers"] = info.solvers;
  json["has_solutions"] = info.solutions;
  json["energy_error"] = info.energy_error.ToJson();
  json["remarks"] = info.remarks;
  return json;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

void Print(const FileInfo& info) {
  fmt::print("{}\n", info.path);
  const auto line = [](const char* name, const std::string& value) {
    if (!value.empty()) fmt::print("  {:<14} {}\n", name, value);
  };
  const CaptureInfo& capture = info.capture;
  std::string format(ToString(info.format));
  if (!capture.version.empty()) format += " " + capture.version;
  line("format", format);
  line("engine", capture.engine_version.empty() ? capture.engine
                                                : capture.engine + " " + capture.engine_version);
  line("scene", capture.scene);
  if (info.format == FileFormat::kCapture) {
    line("scalar", std::string(ToString(capture.scalar)));
    line("producer", capture.producer);
    line("created", capture.created);
    if (info.live) {
      line("live", "not closed by its writer: being written, or its writer was killed");
    }
  }
  line("steps", std::to_string(info.steps));
  if (info.steps > 0) {
    line("contacts", info.contacts.Text());
    line("rows", info.rows.Text());
    if (!info.bodies.empty()) line("bodies", info.bodies.Text());
    std::string shapes;
    for (const auto& [kind, count] : info.shapes) {
      shapes += fmt::format("{}{} {}", shapes.empty() ? "" : ", ", count, kind);
    }
    line("shapes", shapes);
    if (!info.time.empty()) line("time [s]", info.time.Text());
    if (!info.step_size.empty()) line("step size [s]", info.step_size.Text());
    line("laws", Joined(info.laws));
    line("solver", Joined(info.solvers));
    line("solutions", info.solutions ? "yes" : "no");
    if (!info.energy_error.empty()) line("error [J]", info.energy_error.Text());
  }
  for (const std::string& remark : info.remarks) line("remark", remark);
}

int RunInfo(const std::vector<std::string>& files, bool as_json) {
  int code = kOk;
  Json json = Json::array();
  for (const std::string& path : files) {
    try {
      const FileInfo info = Look(path);
      if (as_json) {
        json.push_back(ToJson(info));
      } else {
        Print(info);
      }
    } catch (const std::exception& error) {
      PrintError(error.what());
      if (as_json) json.push_back({{"file", path}, {"error", error.what()}});
      code = kFailed;
    }
  }
  if (as_json) {
    fmt::print("{}\n", Json{{"files", json}}.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  return code;
}

}  // namespace

void AddInfo(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Tell what is in files, also while they grow");
  auto files = std::make_shared<std::vector<std::string>>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("FILE", *files, "Files of any format that replay takes")->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([&action, files, as_json] {
    action = [files, as_json] { return RunInfo(*files, *as_json); };
  });
}

}  // namespace nonsmooth::cli
