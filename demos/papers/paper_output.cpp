// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/paper_output.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace nonsmooth::papers {
namespace {

namespace fs = std::filesystem;

void WriteText(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// For a POSIX shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string CsvText(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string Joined(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& column : columns) line += (line.empty() ? "" : ",") + CsvText(column);
  return line + "\n";
}

std::string Number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

bool HaveGnuplot() {
  static const bool have = std::system("command -v gnuplot >/dev/null 2>&1") == 0;
  return have;
}

}  // namespace

PaperOutput::PaperOutput(fs::path folder, bool quick) : folder_(std::move(folder)), quick_(quick) {
  fs::create_directories(folder_);
}

void PaperOutput::Table(const std::string& name, const std::vector<std::string>& columns,
                        const std::vector<std::vector<double>>& rows) const {
  Table(name, columns, {}, rows);
}

void PaperOutput::Table(const std::string& name, const std::vector<std::string>& columns,
                        const std::vector<std::string>& labels,
                        const std::vector<std::vector<double>>& rows) const {
  if (!labels.empty() && labels.size() != rows.size())
    throw std::invalid_argument(
        fmt::format("table {}: {} labels for {} rows", name, labels.size(), rows.size()));
  const std::size_t width = columns.size() - (labels.empty() ? 0 : 1);
  std::string text = Joined(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != width)
      throw std::invalid_argument(fmt::format("table {}, row {}: {} numbers for {} columns", name,
                                              i, rows[i].size(), width));
    std::vector<std::string> fields;
    if (!labels.empty()) fields.push_back(labels[i]);
    for (const double value : rows[i]) fields.push_back(Number(value));
    text += Joined(fields);
  }
  WriteText(folder_ / (name + ".csv"), text);
}

void PaperOutput::Picture(const std::string& name, const std::string& commands, int width,
                          int height) {
  const std::string script = fmt::format(
      "set terminal pngcairo size {},{} font 'Sans,11' background 'white'\n"
      "set output '{}.png'\n"
      "set datafile separator ','\n"
      "set grid linecolor 'gray85'\n"
      "set key autotitle columnhead\n"
      "{}\n",
      width, height, name, commands);
  WriteText(folder_ / (name + ".gp"), script);
  if (!HaveGnuplot()) {
    ++skipped_pictures_;
    return;
  }
  const fs::path log = folder_ / (name + ".log");
  const std::string command = fmt::format("cd {} && gnuplot {} >{} 2>&1", Quoted(folder_.string()),
                                          Quoted(name + ".gp"), Quoted(fs::absolute(log).string()));
  const int code = std::system(command.c_str());
  const std::string said = ReadText(log);
  fs::remove(log);
  if (code != 0) throw std::runtime_error("gnuplot failed on " + name + ".gp: " + said);
}

void PaperOutput::Add(Claim claim) { claims_.push_back(std::move(claim)); }

void PaperOutput::Finish() const {
  std::string text = Joined({"where", "what", "paper", "ours", "holds"});
  for (const Claim& claim : claims_)
    text += Joined({claim.where, claim.what, claim.paper, claim.ours, claim.holds ? "yes" : "no"});
  WriteText(folder_ / "claims.csv", text);
}

}  // namespace nonsmooth::papers
