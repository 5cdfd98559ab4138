// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "task_plan.h"

namespace nonsmooth {

/// What one task left behind: lines of JSON, the first about the task and where it ran, the others
/// one a solve, as docs/clusters.md has it.
struct TaskResult {
  std::string head;
  std::vector<std::string> records;
};

/// Results of tasks, a file each, in a folder shared by all processes. Nobody ever sees half of a
/// result: it is written under another name and renamed. Its name tells what it is a result of
/// (file, steps, solver, the checksum of the problems, and a hash of every option and of this
/// version), its last line that it is whole.
class ResultStore {
 public:
  /// Makes the folder where there is none. Throws FileError.
  ResultStore(std::string folder, const TaskPlan& plan);

  const std::string& folder() const { return folder_; }

  /// DIR/plan.json, by which `merge` knows what there has to be. The same from every process.
  std::string plan_path() const { return folder_ + "/plan.json"; }
  void WritePlan() const;

  std::string PathOf(const Task& task) const;

  /// Throws FileError if it cannot be written.
  void Write(const Task& task, const TaskResult& result) const;

  enum class State { kMissing, kDamaged, kFailed, kWhole };

  /// kFailed: whole, but something could not be read; worth another attempt.
  State StateOf(const Task& task) const;

  /// Null unless it is whole; `state` says why.
  std::optional<TaskResult> Read(const Task& task, State* state) const;

  /// The tasks that are still to be done, in their order.
  std::vector<Task> Unfinished(const std::vector<Task>& tasks) const;

 private:
  std::string folder_;
  const TaskPlan& plan_;
  std::vector<std::uint64_t> keys_;  ///< of each solver: hash of all it is told, and version
};

/// Begins the head of a result in which something could not be read.
inline constexpr char kFailedHead[] = R"({"failed":true)";

}  // namespace nonsmooth
