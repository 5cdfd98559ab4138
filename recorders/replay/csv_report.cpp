// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "recorders/replay/csv_field.h"
#include "recorders/replay/reports.h"

namespace nonsmooth {

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string CsvNumber(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string CsvText(const ReplayReport& report) {
  std::string text = "file,step,solver,law,status,iterations,seconds,contacts,rows";
  for (const NamedMeasure& measure : Measures(ReplayRecord())) {
    text += fmt::format(",{}", measure.name);
  }
  text += ",remark\n";
  for (const ReplayRecord& record : report.records) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}", CsvField(report.files[record.file].path),
                        record.step, CsvField(record.solver), CsvField(record.law), record.status,
                        record.iterations < 0 ? "" : std::to_string(record.iterations),
                        CsvNumber(record.total_seconds), record.contacts, record.rows);
    for (const NamedMeasure& measure : Measures(record)) text += "," + CsvNumber(measure.value);
    text += "," + CsvField(record.remark) + "\n";
  }
  return text;
}

}  // namespace nonsmooth
