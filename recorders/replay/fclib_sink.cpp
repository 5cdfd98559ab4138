// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/replay/fclib_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/problem/sparse_dynamics.h"
#include "recorders/interchange/fclib/fclib_export.h"
#include "recorders/interchange/fclib/fclib_file.h"

namespace nonsmooth {

FclibSink::FclibSink(std::string directory, const std::vector<std::string>& sources)
    : directory_(std::move(directory)) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error || !std::filesystem::is_directory(directory_)) {
    throw FileError(directory_, "", "cannot make this folder: " + error.message());
  }
  for (const std::string& source : sources) {
    stems_.push_back(std::filesystem::path(source).stem().string());
  }
  const std::vector<std::string> plain = stems_;
  for (std::size_t k = 0; k < stems_.size(); ++k) {
    if (std::count(plain.begin(), plain.end(), plain[k]) > 1) {
      stems_[k] = fmt::format("{}-{}", k, plain[k]);
    }
  }
}

void FclibSink::Write(const Problem& problem, const std::string& title, std::int64_t steps_in_file,
                      const std::vector<ReplayRecord*>& records,
                      std::vector<std::string>* remarks) const {
  if (records.empty()) return;
  const bool sparse = dynamic_cast<const SparseDynamics*>(&problem.dynamics()) != nullptr;
  FclibExport exported =
      sparse ? ExportFclib(problem, FclibKind::kGlobal, FclibStorage::kTriplets)
             : ExportFclib(problem, FclibKind::kLocal, FclibStorage::kCompressedRows);
  for (const std::string& remark : exported.remarks)
    remarks->push_back("saved as FCLIB: " + remark);
  exported.problem.title = title;
  exported.problem.has_solution = true;
  for (ReplayRecord* record : records) {
    const std::string step = steps_in_file > 1 ? fmt::format("-{:06}", record->step) : "";
    const std::string path =
        (std::filesystem::path(directory_) /
         fmt::format("{}{}-{}.hdf5", stems_[record->file], step, record->solver))
            .string();
    exported.problem.description =
        fmt::format("solved by nonsmooth {}, law {}, status {}, {} iterations", record->solver,
                    record->law, record->status, record->iterations);
    exported.problem.solution = exported.SolutionOf(record->solution);
    WriteFclib(path, exported.problem);
    record->fclib_file = path;
  }
}

}  // namespace nonsmooth
