// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "recorders/interchange/problem_source.h"
#include "recorders/report/curves-inl.h"
#include "recorders/report/report.h"
#include "recorders/report/world_frame.h"

namespace nonsmooth {

/// One step of one file: what curves, tables and the world keep of it.
struct ReportStep {
  StepCurves curves;
  std::vector<ReplayRecord> records;  ///< without solutions; no solver's name: left out
  std::unique_ptr<WorldFrame> frame;  ///< if it is one of the world's
  std::string error;
};

/// One file of a report. Opening does not throw: what is wrong goes to errors().
class FileReport {
 public:
  FileReport(const std::string& path, int index, const ReportOptions& options);

  bool open() const { return source_ != nullptr; }
  std::int64_t steps() const { return static_cast<std::int64_t>(steps_.size()); }
  const std::vector<std::string>& errors() const { return errors_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// [bytes] that a frame will take in the page, by a few of them.
  double FrameSize() const;

  /// Which of the steps become frames: every so many.
  void SetStride(std::int64_t stride) { stride_ = stride; }

  /// Solves and measures step `k` of this report; each is a task of its own.
  void Run(std::int64_t k, StepSolver* solver);

  /// After all steps: the one where the engine is off most becomes a frame if it was none.
  void AddWorstFrame(StepSolver* solver);

  /// Halves the number of frames, keeps the worst; false if there is nothing left to leave out.
  bool Thin();
  std::int64_t frames() const;

  nlohmann::ordered_json World() const;
  nlohmann::ordered_json Describe() const;  ///< all but the world

  /// Moves what was found into `report`.
  void Collect(ReplayReport* report);

  /// Looks closely at the steps where the engine is off most; before Describe().
  void ExplainWorst();

 private:
  void Solve(std::int64_t k, bool frame, StepSolver* solver);
  std::int64_t WorstOfSteps() const;
  std::vector<std::int64_t> WorstSteps(int most) const;

  const ReportOptions& options_;
  const std::string path_;
  const int index_;
  std::unique_ptr<ProblemSource> source_;
  std::vector<BodyShape> shapes_;
  std::unique_ptr<BodyRegister> bodies_;
  std::vector<ReportStep> steps_;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 1;
  std::int64_t worst_ = 0;  ///< the step where the engine is off most, of this report
  std::vector<std::string> explanations_;  ///< JSON
  std::vector<std::string> errors_;
  std::vector<std::string> remarks_;
};

}  // namespace nonsmooth
