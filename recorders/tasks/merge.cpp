// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "recorders/capture/file_error.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 10;  ///< lacking tasks, and remarks of a file

double Number(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// As much of a record as a summary asks for.
ReplayRecord ToRecord(const Json& json, int file) {
  ReplayRecord record;
  record.file = file;
  record.step = json.at("step").get<std::int64_t>();
  record.solver = json.at("solver").get<std::string>();
  record.law = json.at("law").get<std::string>();
  record.status = json.at("status").get<std::string>();
  record.remark = json.value("remark", "");
  record.failed =
      record.solver != kEngineName && (record.status == ToString(Status::kNumericalFailure) ||
                                       record.status == ToString(Status::kNotRun));
  record.iterations = json.at("iterations").is_null() ? -1 : json.at("iterations").get<int>();
  record.total_seconds = Number(json, "seconds");
  record.contacts = json.at("contacts").get<int>();
  record.rows = json.at("rows").get<int>();
  record.errors.energy.sum = Number(json, "energy_error");
  record.errors.energy.relative = Number(json, "energy_error_relative");
  record.errors.energy.free_energy = Number(json, "free_energy");
  return record;
}

void AddOnce(const Json& texts, std::vector<std::string>* to) {
  for (const Json& text : texts) {
    const auto value = text.get<std::string>();
    if (to->size() < kMostNamed && std::find(to->begin(), to->end(), value) == to->end()) {
      to->push_back(value);
    }
  }
}

NamedTexts ToTexts(const Json& json) {
  NamedTexts texts;
  for (const auto& [name, value] : json.items()) texts.emplace_back(name, value);
  return texts;
}

void AddResult(const TaskResult& result, int file, MergedResults* merged) {
  const Json head = Json::parse(result.head);
  NamedTexts machine = ToTexts(head.at("machine"));
  auto& machines = merged->machines;
  if (std::find(machines.begin(), machines.end(), machine) == machines.end()) {
    machines.push_back(std::move(machine));
  }
  merged->side_by_side = std::max(merged->side_by_side, head.at("side_by_side").get<int>());
  AddOnce(head.at("remarks"), &merged->report.files[file].remarks);
  AddOnce(head.at("errors"), &merged->report.files[file].errors);
  for (const std::string& line : result.records) {
    merged->report.records.push_back(ToRecord(Json::parse(line), file));
  }
}

/// Visits the tasks by file, block and solver.
template <class Visit>
void ForEachTask(const TaskPlan& plan, const Visit& visit) {
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    for (std::size_t b = 0; b < plan.files[f].blocks.size(); ++b) {
      for (std::size_t s = 0; s < plan.options.solvers.size(); ++s) {
        visit({static_cast<std::int32_t>(f), static_cast<std::int32_t>(b),
               static_cast<std::int32_t>(s)});
      }
    }
  }
}

/// Of a record's line. A path cannot pretend to be the key: its quotes are escaped.
std::int64_t StepOf(const std::string& line) {
  constexpr std::string_view kKey = ",\"step\":";
  const std::size_t key = line.find(kKey);
  std::int64_t step = -1;
  if (key != std::string::npos) {
    std::from_chars(line.data() + key + kKey.size(), line.data() + line.size(), step);
  }
  return step;
}

/// The lines of one block, by step, the solvers of a step in their order.
std::vector<std::string> BlockLines(const TaskPlan& plan, const ResultStore& store, Task task) {
  std::vector<std::pair<std::int64_t, std::string>> lines;
  for (std::size_t s = 0; s < plan.options.solvers.size(); ++s) {
    task.solver = static_cast<std::int32_t>(s);
    ResultStore::State state{};
    std::optional<TaskResult> result = store.Read(task, &state);
    if (!result) continue;
    for (std::string& line : result->records) lines.emplace_back(StepOf(line), std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> sorted;
  for (auto& [step, line] : lines) sorted.push_back(std::move(line));
  return sorted;
}

}  // namespace

MergedResults ReadMerged(const TaskPlan& plan, const ResultStore& store) {
  MergedResults merged;
  for (const PlannedFile& planned : plan.files) {
    ReplayFile file;
    file.path = planned.path;
    file.format = planned.format;
    file.info.engine = planned.engine;
    file.info.engine_version = planned.engine_version;
    file.info.scene = planned.scene;
    file.steps = planned.steps;
    if (!planned.error.empty()) file.errors.push_back(planned.error);
    if (planned.error.empty() && planned.blocks.empty())
      file.remarks.push_back("no steps to solve");
    merged.report.files.push_back(std::move(file));
  }
  ForEachTask(plan, [&](const Task& task) {
    ++merged.tasks;
    ResultStore::State state{};
    const std::optional<TaskResult> result = store.Read(task, &state);
    std::string reason = state == ResultStore::State::kMissing ? "missing" : "damaged";
    if (result) {
      try {
        return AddResult(*result, task.file, &merged);
      } catch (const Json::exception& error) {
        throw FileError(store.PathOf(task), "", std::string("is no result: ") + error.what());
      }
    }
    ++(state == ResultStore::State::kMissing ? merged.missing : merged.damaged);
    if (merged.lacking.size() < kMostNamed) {
      const PlannedBlock& block = plan.files[task.file].blocks[task.block];
      merged.lacking.push_back(fmt::format("{}: steps {}:{}: {}: {}", plan.files[task.file].path,
                                           block.first, block.last,
                                           plan.options.solvers[task.solver], reason));
    }
  });
  return merged;
}

void WriteMerged(const TaskPlan& plan, const ResultStore& store, const MergedResults& merged,
                 std::ostream& out) {
  ReplayOptions options = plan.options;
  options.jobs = merged.side_by_side;
  out << JsonHead(merged.report, options, merged.machines);
  const char* separator = "\n  ";
  ForEachTask(plan, [&](const Task& task) {
    if (task.solver != 0) return;  // all solvers of a block together
    for (const std::string& line : BlockLines(plan, store, task)) {
      out << separator << line;
      separator = ",\n  ";
    }
  });
  out << kJsonTail;
}

}  // namespace nonsmooth
