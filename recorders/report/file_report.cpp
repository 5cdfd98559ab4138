// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "recorders/explain/explanation.h"
#include "recorders/replay/step_solver.h"
#include "recorders/report/file_report-inl.h"
#include "recorders/report/world_json-inl.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kSampledSteps = 8;

/// [bytes] in the page, deflated and as base64, measured on the brick walls of both engines.
constexpr double kBytesPerBody = 8;
constexpr double kBytesPerGroup = 14;
constexpr double kBytesPerRow = 6;  ///< of each solution

/// NaN counts as worst: there is something to see.
double EngineError(const ReportStep& step) {
  if (step.records.empty() || step.records.front().solver != kEngineName) return -1;
  const double error = step.records.front().errors.energy.sum;
  return std::isnan(error) ? HUGE_VAL : error;
}

}  // namespace

FileReport::FileReport(const std::string& path, int index, const ReportOptions& options)
    : options_(options), path_(path), index_(index) {
  try {
    source_ = OpenSource(path);
    shapes_ = source_->Shapes();
  } catch (const std::exception& error) {
    errors_.push_back(error.what());
    source_.reset();
    return;
  }
  bodies_ = std::make_unique<BodyRegister>(shapes_);
  first_ = std::min(options.replay.first_step, source_->steps());
  const std::int64_t last = std::min(options.replay.last_step, source_->steps());
  const std::int64_t range = std::max<std::int64_t>(0, last - first_);
  steps_.resize((range + options.every - 1) / options.every);
  if (steps_.empty()) remarks_.push_back(path + ": no steps to show");
}

double FileReport::FrameSize() const {
  if (steps_.empty()) return 0;
  const std::int64_t samples = std::min(kSampledSteps, steps());
  const auto solutions = 1 + static_cast<double>(options_.replay.solvers.size());
  double sum = 0;
  for (std::int64_t k = 0; k < samples; ++k) {
    const std::int64_t which = samples == 1 ? 0 : k * (steps() - 1) / (samples - 1);
    try {
      const CapturedStep step = source_->Read(first_ + which * options_.every).step;
      sum += kBytesPerBody * static_cast<double>(step.bodies.size()) +
             kBytesPerGroup * static_cast<double>(step.problem.groups().size()) +
             kBytesPerRow * solutions * step.problem.rows();
    } catch (const std::exception&) {
      continue;  // told when it is read for good
    }
  }
  return sum / static_cast<double>(samples);
}

void FileReport::Run(std::int64_t k, StepSolver* solver) { Solve(k, k % stride_ == 0, solver); }

void FileReport::Solve(std::int64_t k, bool frame, StepSolver* solver) {
  ReportStep& slot = steps_[k];
  slot.curves.step = first_ + k * options_.every;
  SourceStep read;
  try {
    read = source_->Read(slot.curves.step);
  } catch (const std::exception& error) {
    slot.error = error.what();
    return;
  }
  const CapturedStep& step = read.step;
  slot.curves.info = step.info;
  slot.curves.contacts = step.problem.contacts();
  slot.curves.rows = step.problem.rows();
  slot.curves.kinetic = KineticEnergy(step);
  bodies_->Add(step.bodies);
  slot.records.assign(1 + options_.replay.solvers.size(), {});
  solver->MeasureEngine(step, &slot.records[0]);
  for (std::size_t s = 0; s < options_.replay.solvers.size(); ++s) {
    solver->Solve(static_cast<int>(s), step, &slot.records[1 + s]);
  }
  if (frame) {
    slot.frame = std::make_unique<WorldFrame>(MakeFrame(step, slot.records, options_.replay));
    slot.frame->step = slot.curves.step;
  }
  for (ReplayRecord& record : slot.records) {
    record.file = index_;
    record.step = slot.curves.step;
    record.solution = Solution();
  }
}

std::int64_t FileReport::WorstOfSteps() const {
  const auto worst = std::max_element(
      steps_.begin(), steps_.end(),
      [](const ReportStep& a, const ReportStep& b) { return EngineError(a) < EngineError(b); });
  return worst - steps_.begin();
}

void FileReport::AddWorstFrame(StepSolver* solver) {
  if (steps_.empty()) return;
  worst_ = WorstOfSteps();
  if (steps_[worst_].frame == nullptr && steps_[worst_].error.empty()) Solve(worst_, true, solver);
}

bool FileReport::Thin() {
  if (frames() <= 1) return false;
  bool keep = true;
  for (std::int64_t k = 0; k < steps(); ++k) {
    if (steps_[k].frame == nullptr) continue;
    if (!keep && k != worst_) steps_[k].frame.reset();
    keep = !keep;
  }
  return true;
}

std::int64_t FileReport::frames() const {
  return std::count_if(steps_.begin(), steps_.end(),
                       [](const ReportStep& step) { return step.frame != nullptr; });
}

void FileReport::ExplainWorst() {
  ExplainOptions options;
  options.solve = options_.replay.solve;
  for (std::int64_t index : WorstSteps(options_.explained)) {
    try {
      explanations_.push_back(ExplanationJson(Explain(source_->Read(index).step, index, options)));
    } catch (const std::exception& error) {
      errors_.push_back(fmt::format("{}: step {} not explained: {}", path_, index, error.what()));
    }
  }
}

Json FileReport::World() const {
  std::vector<WorldFrame> frames;
  for (const ReportStep& step : steps_) {
    if (step.frame) frames.push_back(*step.frame);
  }
  std::vector<std::string> solvers{kEngineName};
  for (const std::string& name : options_.replay.solvers) solvers.push_back(name);
  return WorldJson(frames, solvers, shapes_, *bodies_);
}

Json FileReport::Describe() const {
  const CaptureInfo& info = source_->info();
  std::vector<StepCurves> curves;
  std::vector<const ReplayRecord*> records;
  for (const ReportStep& step : steps_) {
    if (!step.error.empty()) continue;
    curves.push_back(step.curves);
    for (const ReplayRecord& record : step.records) {
      if (!record.solver.empty()) records.push_back(&record);
    }
  }
  Json explanations = Json::array();
  for (const std::string& text : explanations_) explanations.push_back(Json::parse(text));
  return {{"path", path_},
          {"name", std::filesystem::path(path_).filename().string()},
          {"format", ToString(source_->format())},
          {"engine", info.engine},
          {"engineVersion", info.engine_version},
          {"scene", info.scene},
          {"created", info.created},
          {"producer", info.producer},
          {"total", source_->steps()},
          {"explanations", std::move(explanations)},
          {"curves", StepsJson(curves)},
          {"series", SeriesJson(records, "", options_.history_points)}};
}

void FileReport::Collect(ReplayReport* report) {
  ReplayFile file;
  file.path = path_;
  std::int64_t failed = 0;
  for (ReportStep& step : steps_) {
    if (!step.error.empty() && ++failed == 1) errors_.push_back(step.error);
    for (ReplayRecord& record : step.records) {
      if (!record.solver.empty()) report->records.push_back(std::move(record));
    }
  }
  if (failed > 1) errors_.push_back(fmt::format("{}: {} steps cannot be read", path_, failed));
  report->files.push_back(std::move(file));
}

std::vector<std::int64_t> FileReport::WorstSteps(int most) const {
  std::vector<const ReportStep*> known;
  for (const ReportStep& step : steps_) {
    if (step.error.empty() && step.curves.rows > 0) known.push_back(&step);
  }
  std::stable_sort(known.begin(), known.end(), [](const ReportStep* a, const ReportStep* b) {
    return EngineError(*a) > EngineError(*b);
  });
  std::vector<std::int64_t> worst;
  for (const ReportStep* step : known) {
    if (static_cast<int>(worst.size()) < most) worst.push_back(step->curves.step);
  }
  return worst;
}

}  // namespace nonsmooth
