// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/tasks/task_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recorders/replay/provenance.h"
#include "recorders/replay/reports.h"
#include "recorders/tasks/machine.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOpen = 16;           ///< files of one thread
constexpr double kCalibrationShare = 1.0 / 50;  ///< of a task's solves

std::string Number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

Json Texts(const NamedTexts& texts) {
  Json json = Json::object();
  for (const auto& [name, value] : texts) json[name] = value;
  return json;
}

/// The record as in a replay's JSON, and where and when it came about.
std::string Line(const std::string& file, const ReplayRecord& record, bool history,
                 const std::string& circumstances) {
  std::string line = RecordLine(file, record, history);
  line.pop_back();
  return line + circumstances;
}

}  // namespace

TaskRunner::TaskRunner(const TaskPlan& plan, int side_by_side, std::mutex* turn)
    : plan_(plan), side_by_side_(side_by_side), turn_(turn), solver_(plan.options) {}

const ProblemSource& TaskRunner::Source(int file) {
  const auto found = std::find_if(sources_.begin(), sources_.end(),
                                  [file](const auto& entry) { return entry.first == file; });
  if (found != sources_.end()) {
    sources_.splice(sources_.begin(), sources_, found);
  } else {
    sources_.emplace_front(file, OpenSource(plan_.files[static_cast<std::size_t>(file)].path));
    if (sources_.size() > kMostOpen) sources_.pop_back();
  }
  return *sources_.front().second;
}

const SourceStep& TaskRunner::Read(int file, std::int64_t step) {
  if (file != read_file_ || step != read_step_) {
    read_file_ = -1;
    read_ = Source(file).Read(step);
    read_file_ = file;
    read_step_ = step;
  }
  return read_;
}

std::string TaskRunner::Head(const Task& task, const std::vector<std::string>& remarks,
                             const std::vector<std::string>& errors) const {
  static const Json machine = Texts(Host());
  static const Json versions = Texts(Versions());
  const PlannedFile& file = plan_.files[static_cast<std::size_t>(task.file)];
  const PlannedBlock& block = file.blocks[static_cast<std::size_t>(task.block)];
  return Json{{"failed", !errors.empty()},
              {"format", "nonsmooth-task"},
              {"version", "1.0"},
              {"file", file.path},
              {"first", block.first},
              {"last", block.last},
              {"solver", plan_.options.solvers[static_cast<std::size_t>(task.solver)]},
              {"machine", machine},
              {"versions", versions},
              {"side_by_side", side_by_side_},
              {"remarks", remarks},
              {"errors", errors}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

TaskResult TaskRunner::Run(const Task& task) {
  const PlannedFile& file = plan_.files[static_cast<std::size_t>(task.file)];
  const PlannedBlock& block = file.blocks[static_cast<std::size_t>(task.block)];
  std::vector<ReplayRecord> records;
  std::vector<std::string> remarks;
  std::vector<std::string> errors;
  double seconds = 0;
  solver_.Forget();
  for (std::int64_t step = block.first; step < block.last; step += plan_.options.stride) {
    try {
      const SourceStep& read = Read(task.file, step);
      if (task.solver == 0) {  // the engine's record and the remarks, once
        for (const std::string& remark : read.remarks) {
          if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) {
            remarks.push_back(remark);
          }
        }
        solver_.MeasureEngine(read.step, &records.emplace_back());
        records.back().step = step;
      }
      records.emplace_back();
      const std::unique_lock<std::mutex> turn = Turn();
      solver_.Solve(task.solver, read.step, &records.back());
      records.back().step = step;
      seconds += records.back().total_seconds;
    } catch (const std::exception& error) {
      errors.emplace_back(error.what());
    }
  }
  const MachineState machine = LookAtMachine();
  std::unique_lock<std::mutex> turn = Turn();
  const double calibration = calibration_.Measure(kCalibrationShare * seconds);
  if (turn) turn.unlock();
  const std::string circumstances =
      fmt::format(R"(,"machine":{},"load":{},"clock_mhz":{},"calibration_seconds":{}}})",
                  Json(machine.name).dump(), Number(machine.load), Number(machine.clock_mhz),
                  Number(calibration));
  TaskResult result;
  result.head = Head(task, remarks, errors);
  for (const ReplayRecord& record : records) {
    if (record.solver.empty()) continue;  // no engine's solution, or a law it does not handle
    result.records.push_back(Line(file.path, record, plan_.options.solve.history, circumstances));
  }
  return result;
}

}  // namespace nonsmooth
