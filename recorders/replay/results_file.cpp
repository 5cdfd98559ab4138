// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <ctime>
#include <nlohmann/json.hpp>

#include "recorders/hdf5/file.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/replay/provenance.h"
#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string TextsJson(const NamedTexts& texts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : texts) json[name] = value;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// One column of a table, put together record by record.
template <class T, class Of>
void WriteColumn(const hdf5::Group& group, const char* name, const char* unit,
                 const std::vector<const ReplayRecord*>& records, const Of& value_of) {
  std::vector<T> values;
  values.reserve(records.size());
  for (const ReplayRecord* record : records) values.push_back(static_cast<T>(value_of(*record)));
  group.Write<T>(name, values).WriteAttribute("units", std::string(unit));
}

void WriteHistory(const hdf5::Group& group, const std::vector<const ReplayRecord*>& records) {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> count;
  std::vector<std::int32_t> iteration;
  std::vector<double> seconds;
  std::vector<double> energy;
  for (const ReplayRecord* record : records) {
    first.push_back(static_cast<std::int64_t>(iteration.size()));
    count.push_back(static_cast<std::int64_t>(record->history.size()));
    for (const IterationRecord& entry : record->history) {
      iteration.push_back(entry.iteration);
      seconds.push_back(entry.seconds);
      energy.push_back(entry.energy);
    }
  }
  const hdf5::Group history = group.CreateGroup("history");
  history.Write<std::int64_t>("first", first);
  history.Write<std::int64_t>("count", count);
  history.Write<std::int32_t>("iteration", iteration);
  history.Write<double>("seconds", seconds).WriteAttribute("units", std::string("s"));
  history.Write<double>("energy_error", energy).WriteAttribute("units", std::string("J"));
}

void WriteSolutions(const hdf5::Group& group, const std::vector<const ReplayRecord*>& records) {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> count;
  std::vector<double> x;
  std::vector<double> w;
  for (const ReplayRecord* record : records) {
    first.push_back(static_cast<std::int64_t>(x.size()));
    count.push_back(static_cast<std::int64_t>(record->solution.x.size()));
    x.insert(x.end(), record->solution.x.begin(), record->solution.x.end());
    w.insert(w.end(), record->solution.w.begin(), record->solution.w.end());
  }
  const hdf5::Group solution = group.CreateGroup("solution");
  solution.Write<std::int64_t>("first", first);
  solution.Write<std::int64_t>("count", count);
  solution.Write<double>("x", x).WriteAttribute("units", std::string("N s, N m s"));
  solution.Write<double>("w", w).WriteAttribute("units", std::string("m/s, rad/s"));
}

void WriteRun(const hdf5::Group& results, const std::string& solver,
              const std::string& solver_options, const ReplayReport& report,
              const ReplayOptions& options) {
  std::vector<const ReplayRecord*> records;
  for (const ReplayRecord& record : report.records) {
    if (record.solver == solver) records.push_back(&record);
  }
  if (records.empty()) return;
  const hdf5::Group group = results.CreateGroup(solver);
  group.WriteAttribute("solver", solver);
  group.WriteAttribute("warm_start", std::string(ToString(options.warm_start)));
  ReplayOptions copy = options;
  group.WriteText("options", OptionsJson(Fields(copy.solve)));
  group.WriteText("solver_options", solver_options);
  WriteColumn<std::int32_t>(group, "file", "index into /files", records,
                            [](const ReplayRecord& r) { return r.file; });
  WriteColumn<std::int64_t>(group, "step", "index in the file", records,
                            [](const ReplayRecord& r) { return r.step; });
  std::string statuses;
  for (const ReplayRecord* record : records) statuses += record->status + "\n";
  group.WriteText("status", statuses);
  WriteColumn<std::int32_t>(group, "iterations", "-", records,
                            [](const ReplayRecord& r) { return r.iterations; });
  WriteColumn<double>(group, "seconds", "s", records,
                      [](const ReplayRecord& r) { return r.total_seconds; });
  WriteColumn<std::int32_t>(group, "contacts", "-", records,
                            [](const ReplayRecord& r) { return r.contacts; });
  WriteColumn<std::int32_t>(group, "rows", "-", records,
                            [](const ReplayRecord& r) { return r.rows; });
  const std::vector<NamedMeasure> names = Measures(ReplayRecord());
  for (std::size_t k = 0; k < names.size(); ++k) {
    WriteColumn<double>(group, std::string(names[k].name).c_str(),
                        std::string(names[k].unit).c_str(), records,
                        [k](const ReplayRecord& r) { return Measures(r)[k].value; });
  }
  if (options.solve.history) WriteHistory(group, records);
  if (options.keep_solutions) WriteSolutions(group, records);
}

}  // namespace

void SaveResults(const std::string& path, const ReplayReport& report,
                 const ReplayOptions& options) {
  ReplacementFile replacement(path);
  hdf5::File file = hdf5::File::Create(replacement.temporary_path());
  file.WriteAttribute("format", std::string("nonsmooth-results"));
  file.WriteAttribute("version", std::string("1.0"));
  file.WriteAttribute("producer", "nonsmooth " + Version());
  file.WriteAttribute("created", Now());
  file.WriteText("host", TextsJson(Host()));
  file.WriteText("versions", TextsJson(Versions()));
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const ReplayFile& entry : report.files) {
    files.push_back({{"file", entry.path}, {"format", entry.format}, {"uuid", entry.info.uuid}});
  }
  file.WriteText("files",
                 files.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  {
    const hdf5::Group results = file.CreateGroup("results");
    WriteRun(results, kEngineName, "{}", report, options);
    for (const auto& [solver, text] : SolverOptionsJson(options)) {
      WriteRun(results, solver, text, report, options);
    }
  }
  file.Finish(path);
  replacement.Commit();
}

}  // namespace nonsmooth
