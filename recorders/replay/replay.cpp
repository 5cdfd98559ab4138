// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "common/util/check.h"
#include "recorders/replay/fclib_sink.h"
#include "recorders/replay/step_solver.h"

namespace nonsmooth {
namespace {

constexpr std::size_t kMostRemarks = 10;  ///< of one file; the rest is counted

/// What happened to one step: the engine's record and one a solver. Records without a solver's name
/// were left out.
struct StepSlot {
  std::vector<ReplayRecord> records;
  std::vector<std::string> remarks;
  std::vector<std::string> errors;
};

struct FileSlot {
  std::unique_ptr<ProblemSource> source;
  std::int64_t first = 0;
  std::vector<StepSlot> steps;
};

/// Steps first … last−1 of a file with solvers first_solver … last_solver−1, one after another.
struct Task {
  int file = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;
  int first_solver = 0;
  int last_solver = 0;
};

class Run {
 public:
  Run(const ReplayOptions& options, const ReplayProgress& progress)
      : options_(options),
        progress_(progress),
        solvers_(static_cast<int>(options.solvers.size())) {}

  ReplayReport Execute(const std::vector<std::string>& paths) {
    Open(paths);
    MakeTasks();
    if (!options_.fclib_directory.empty()) sink_ = FclibSink(options_.fclib_directory, paths);
    const auto threads = static_cast<int>(
        std::min<std::size_t>(std::max(1, options_.jobs), std::max<std::size_t>(1, tasks_.size())));
    std::vector<std::thread> workers;
    for (int t = 1; t < threads; ++t) workers.emplace_back([this] { Work(); });
    Work();
    for (std::thread& worker : workers) worker.join();
    return Collect();
  }

 private:
  void Open(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      ReplayFile file;
      FileSlot slot;
      file.path = path;
      try {
        slot.source = OpenSource(path);
        file.format = ToString(slot.source->format());
        file.info = slot.source->info();
        file.steps = slot.source->steps();
        slot.first = std::min(options_.first_step, file.steps);
        const std::int64_t steps = std::min(options_.last_step, file.steps) - slot.first;
        slot.steps.resize(
            std::max<std::int64_t>(0, (steps + options_.stride - 1) / options_.stride));
        for (StepSlot& step : slot.steps) step.records.resize(1 + options_.solvers.size());
        if (slot.steps.empty()) file.remarks.push_back("no steps to solve");
      } catch (const std::exception& error) {
        file.errors.push_back(error.what());
      }
      total_ += static_cast<std::int64_t>(slot.steps.size());
      report_.files.push_back(std::move(file));
      slots_.push_back(std::move(slot));
    }
  }

  void MakeTasks() {
    const bool chained = options_.warm_start == StartFrom::kPrevious;
    for (int f = 0; f < static_cast<int>(slots_.size()); ++f) {
      const auto steps = static_cast<std::int64_t>(slots_[f].steps.size());
      if (chained && steps > 0) {
        // A solve needs the one before it: a chain per solver.
        for (int s = 0; s < solvers_; ++s) tasks_.push_back({f, 0, steps, s, s + 1});
      } else {
        for (std::int64_t k = 0; k < steps; ++k) tasks_.push_back({f, k, k + 1, 0, solvers_});
      }
    }
    if (chained) total_ *= solvers_;
  }

  void Work() {
    StepSolver solver(options_);
    for (;;) {
      const std::size_t index = next_task_++;
      if (index >= tasks_.size()) return;
      solver.Forget();
      const Task& task = tasks_[index];
      for (std::int64_t k = task.first; k < task.last; ++k) {
        Step(task, k, &solver);
        const std::lock_guard<std::mutex> lock(mutex_);
        ++done_;
        if (progress_) progress_(done_, total_);
      }
    }
  }

  void Step(const Task& task, std::int64_t k, StepSolver* solver) {
    FileSlot& file = slots_[task.file];
    StepSlot& slot = file.steps[k];
    const bool first = task.first_solver == 0;  // the engine's record and the remarks, once
    const auto fail = [&](const std::exception& error) {
      if (first) slot.errors.push_back(error.what());
    };
    SourceStep read;
    try {
      read = file.source->Read(file.first + k * options_.stride);
    } catch (const std::exception& error) {
      return fail(error);
    }
    if (first) {
      slot.remarks = std::move(read.remarks);
      solver->MeasureEngine(read.step, &slot.records[0]);
    }
    for (int s = task.first_solver; s < task.last_solver; ++s) {
      solver->Solve(s, read.step, &slot.records[1 + s]);
    }
    for (int s = first ? -1 : task.first_solver; s < task.last_solver; ++s) {
      ReplayRecord& record = slot.records[1 + s];
      record.file = task.file;
      record.step = file.first + k * options_.stride;
    }
    if (!options_.fclib_directory.empty()) Save(task, read.step, first, &slot);
    if (options_.keep_solutions) return;
    for (int s = first ? -1 : task.first_solver; s < task.last_solver; ++s) {
      slot.records[1 + s].solution = Solution();
    }
  }

  void Save(const Task& task, const CapturedStep& step, bool first, StepSlot* slot) {
    std::vector<ReplayRecord*> records;
    for (int s = first ? -1 : task.first_solver; s < task.last_solver; ++s) {
      ReplayRecord& record = slot->records[1 + s];
      if (!record.solution.x.empty()) records.push_back(&record);
    }
    try {
      std::vector<std::string> remarks;
      sink_.Write(step.problem, report_.files[task.file].info.scene, report_.files[task.file].steps,
                  records, &remarks);
      if (first) slot->remarks.insert(slot->remarks.end(), remarks.begin(), remarks.end());
    } catch (const std::exception& error) {
      if (first) {
        slot->errors.push_back(fmt::format("{}: step {} not saved: {}",
                                           report_.files[task.file].path, records.front()->step,
                                           error.what()));
      }
    }
  }

  /// Texts each once, in order, the number of them limited.
  static void AddDistinct(const std::vector<std::string>& texts, std::vector<std::string>* to,
                          std::size_t* left_out) {
    for (const std::string& text : texts) {
      if (std::find(to->begin(), to->end(), text) != to->end()) continue;
      if (to->size() < kMostRemarks) {
        to->push_back(text);
      } else {
        ++*left_out;
      }
    }
  }

  ReplayReport Collect() {
    for (std::size_t f = 0; f < slots_.size(); ++f) {
      ReplayFile& file = report_.files[f];
      std::size_t more_remarks = 0;
      std::size_t more_errors = 0;
      for (StepSlot& step : slots_[f].steps) {
        AddDistinct(step.remarks, &file.remarks, &more_remarks);
        AddDistinct(step.errors, &file.errors, &more_errors);
        for (ReplayRecord& record : step.records) {
          if (!record.solver.empty()) report_.records.push_back(std::move(record));
        }
      }
      if (more_remarks > 0)
        file.remarks.push_back(fmt::format("and {} more remarks", more_remarks));
      if (more_errors > 0) file.errors.push_back(fmt::format("and {} more errors", more_errors));
    }
    return std::move(report_);
  }

  const ReplayOptions& options_;
  const ReplayProgress& progress_;
  const int solvers_;
  ReplayReport report_;
  std::vector<FileSlot> slots_;
  std::vector<Task> tasks_;
  FclibSink sink_;
  std::atomic<std::size_t> next_task_{0};
  std::mutex mutex_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace

std::string_view ToString(StartFrom start) {
  switch (start) {
    case StartFrom::kNone:
      return "none";
    case StartFrom::kCaptured:
      return "captured";
    case StartFrom::kPrevious:
      return "previous";
  }
  return "unknown";
}

bool ReplayReport::failed() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ReplayFile& file) { return !file.errors.empty(); }) ||
         std::any_of(records.begin(), records.end(),
                     [](const ReplayRecord& record) { return record.failed; });
}

ReplayReport Replay(const std::vector<std::string>& paths, const ReplayOptions& options,
                    const ReplayProgress& progress) {
  StepSolver check(options);  // throws for options that are wrong whatever the files hold
  return Run(options, progress).Execute(paths);
}

}  // namespace nonsmooth
