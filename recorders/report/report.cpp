// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "common/util/check.h"
#include "recorders/replay/provenance.h"
#include "recorders/replay/results_reader.h"
#include "recorders/replay/step_solver.h"
#include "recorders/report/file_report-inl.h"
#include "recorders/report/page.h"

namespace nonsmooth {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class ReportRun {
 public:
  ReportRun(const std::vector<std::string>& paths, const ReportOptions& options,
            const ReplayProgress& progress)
      : options_(options), progress_(progress) {
    for (const std::string& path : options.results) results_.push_back(ReadResults(path));
    for (const std::string& path : paths) {
      files_.push_back(
          std::make_unique<FileReport>(path, static_cast<int>(files_.size()), options));
    }
  }

  Report Execute() {
    ChooseFrames();
    for (std::size_t f = 0; f < files_.size(); ++f) {
      for (std::int64_t k = 0; k < files_[f]->steps(); ++k) tasks_.emplace_back(f, k);
    }
    const auto threads = std::min<std::size_t>(std::max(1, options_.replay.jobs),
                                               std::max<std::size_t>(1, tasks_.size()));
    std::vector<std::thread> workers;
    for (std::size_t t = 1; t < threads; ++t) workers.emplace_back([this] { Work(); });
    Work();
    for (std::thread& worker : workers) worker.join();
    StepSolver solver(options_.replay);
    for (const auto& file : files_) {
      file->AddWorstFrame(&solver);
      file->ExplainWorst();
    }
    return Finish();
  }

 private:
  /// The same share of each file's steps, so that what is long stays long.
  void ChooseFrames() {
    double size = 0;
    for (const auto& file : files_) size += file->FrameSize() * static_cast<double>(file->steps());
    const auto stride =
        static_cast<std::int64_t>(std::ceil(size / static_cast<double>(options_.size_limit)));
    for (const auto& file : files_) file->SetStride(std::max<std::int64_t>(1, stride));
  }

  void Work() {
    StepSolver solver(options_.replay);
    for (;;) {
      const std::size_t index = next_task_++;
      if (index >= tasks_.size()) return;
      files_[tasks_[index].first]->Run(tasks_[index].second, &solver);
      const std::lock_guard<std::mutex> lock(mutex_);
      ++done_;
      if (progress_) progress_(done_, static_cast<std::int64_t>(tasks_.size()));
    }
  }

  /// Worlds as texts, thinned until all is within the limit.
  std::vector<std::string> Worlds(std::size_t rest) {
    for (;;) {
      std::vector<std::string> worlds;
      std::size_t size = rest;
      for (const auto& file : files_) {
        worlds.push_back(file->open() ? Text(file->World()) : "null");
        size += worlds.back().size();
      }
      if (static_cast<std::int64_t>(size) <= options_.size_limit) return worlds;
      bool thinned = false;
      for (const auto& file : files_) thinned = (file->open() && file->Thin()) || thinned;
      if (thinned) continue;
      report_.remarks.push_back(fmt::format(
          "the page has {:.1f} MB, more than the limit of {:.1f} MB: one frame alone "
          "is that large; fewer solvers or steps make it smaller",
          1e-6 * static_cast<double>(size), 1e-6 * static_cast<double>(options_.size_limit)));
      return worlds;
    }
  }

  Json Comparing(const ReplayReport& replayed) {
    std::vector<ReplayResults> own;
    if (results_.empty()) own.push_back(AsResults(replayed, options_.replay));
    const std::vector<ReplayResults>& compared = results_.empty() ? own : results_;
    const bool any = std::any_of(compared.begin(), compared.end(),
                                 [](const ReplayResults& file) { return !file.records.empty(); });
    if (!any) return nullptr;
    ComparisonOptions options;
    try {
      return ComparisonJson(Compare(compared, options));
    } catch (const std::invalid_argument& error) {
      // One solver under different settings: then each file's counts for itself.
      options.by_file = true;
      return ComparisonJson(Compare(compared, options));
    }
  }

  /// Series that replays have for a file: by path, or by name where only that agrees.
  void AddResults(Json* description) const {
    const std::string path = (*description)["path"];
    const std::string name = (*description)["name"];
    for (const ReplayResults& results : results_) {
      std::string known;
      for (const SolveRecord& record : results.records) {
        const bool same_name =
            record.file.size() >= name.size() &&
            record.file.compare(record.file.size() - name.size(), name.size(), name) == 0;
        if (record.file == path || (known.empty() && same_name)) known = record.file;
      }
      if (known.empty()) continue;
      for (Json& series : SeriesJson(results, known, options_.history_points)) {
        (*description)["series"].push_back(std::move(series));
      }
    }
  }

  Report Finish() {
    std::vector<Json> descriptions;
    std::size_t size = 0;
    for (const auto& file : files_) {
      descriptions.push_back(file->open() ? file->Describe() : Json());
      if (file->open()) AddResults(&descriptions.back());
      size += Text(descriptions.back()).size();
    }
    ReplayReport replayed;
    for (const auto& file : files_) file->Collect(&replayed);
    const Json comparison = Comparing(replayed);
    constexpr std::size_t kRemarks = 2000;  // that are still to come
    const std::vector<std::string> worlds =
        Worlds(size + Text(comparison).size() + MakePage("").size() + kRemarks);
    for (const auto& file : files_) {
      report_.steps += file->steps();
      if (file->open()) report_.frames += file->frames();
      const auto append = [](const std::vector<std::string>& from, std::vector<std::string>* to) {
        to->insert(to->end(), from.begin(), from.end());
      };
      append(file->errors(), &report_.errors);
      append(file->remarks(), &report_.remarks);
    }
    if (report_.frames < report_.steps) {
      report_.remarks.push_back(fmt::format(
          "the world shows {} of {} steps to keep the page within {:.0f} MB; curves and tables "
          "have all of them (--steps, --every and --limit choose)",
          report_.frames, report_.steps, 1e-6 * static_cast<double>(options_.size_limit)));
    }
    Json head{{"format", "nonsmooth-report"},
              {"version", "1.0"},
              {"program", "nonsmooth " + Version()},
              {"tolerance", options_.replay.solve.relative_tolerance},
              {"every", options_.every},
              {"notes", report_.remarks},
              {"errors", report_.errors},
              {"comparison", comparison}};
    std::string json = Text(head);
    json.back() = ',';
    json += "\"files\":[";
    bool first = true;
    for (std::size_t f = 0; f < files_.size(); ++f) {
      if (!files_[f]->open()) continue;
      if (!first) json += ',';
      first = false;
      std::string text = Text(descriptions[f]);
      text.back() = ',';
      json += text + "\"world\":" + worlds[f] + '}';
    }
    report_.page = MakePage(json + "]}");
    return std::move(report_);
  }

  const ReportOptions& options_;
  const ReplayProgress& progress_;
  std::vector<ReplayResults> results_;
  std::vector<std::unique_ptr<FileReport>> files_;
  std::vector<std::pair<std::size_t, std::int64_t>> tasks_;
  std::atomic<std::size_t> next_task_{0};
  std::mutex mutex_;
  std::int64_t done_ = 0;
  Report report_;
};

}  // namespace

Report MakeReport(const std::vector<std::string>& paths, const ReportOptions& options,
                  const ReplayProgress& progress) {
  Require(options.every > 0, "report: every = ", options.every, " violates every > 0");
  Require(options.size_limit > 0, "report: size limit = ", options.size_limit, " violates > 0");
  StepSolver check(options.replay);  // throws for options that are wrong whatever the files hold
  return ReportRun(paths, options, progress).Execute();
}

}  // namespace nonsmooth
