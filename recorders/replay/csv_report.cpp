// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "recorders/replay/reports.h"

namespace nonsmooth {
namespace {

/// RFC 4180: quotes around what has commas, quotes or line ends; quotes doubled.
std::string Field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Shortest digits that read back to the same bits; empty where there is no number.
std::string Number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace

std::string CsvText(const ReplayReport& report) {
  std::string text = "file,step,solver,law,status,iterations,seconds,contacts,rows";
  for (const NamedMeasure& measure : Measures(ReplayRecord())) {
    text += fmt::format(",{}", measure.name);
  }
  text += ",remark\n";
  for (const ReplayRecord& record : report.records) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}", Field(report.files[record.file].path),
                        record.step, Field(record.solver), Field(record.law), record.status,
                        record.iterations < 0 ? "" : std::to_string(record.iterations),
                        Number(record.total_seconds), record.contacts, record.rows);
    for (const NamedMeasure& measure : Measures(record)) text += "," + Number(measure.value);
    text += "," + Field(record.remark) + "\n";
  }
  return text;
}

}  // namespace nonsmooth
