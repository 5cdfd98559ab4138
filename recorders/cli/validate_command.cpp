// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "recorders/capture/capture_reader.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth::cli {
namespace {

constexpr int kMostFindings = 100;

/// Returns the number of findings, after printing them.
int ReportCapture(const std::string& path) {
  const std::vector<CaptureFinding> findings = ValidateCapture(path, kMostFindings);
  for (const CaptureFinding& finding : findings) {
    const std::string object = finding.object.empty() ? "" : finding.object + ": ";
    const std::string step = finding.step < 0 ? "" : fmt::format("step {}: ", finding.step);
    PrintError(fmt::format("{}: {}{}{}", path, object, step, finding.what));
  }
  return static_cast<int>(findings.size());
}

int ReportOther(const ProblemSource& source) {
  int findings = 0;
  std::vector<std::string> said;
  for (std::int64_t k = 0; k < source.steps() && findings < kMostFindings; ++k) {
    try {
      for (const std::string& remark : source.Read(k).remarks) {
        if (std::find(said.begin(), said.end(), remark) != said.end()) continue;
        said.push_back(remark);
        PrintWarning(source.path() + ": " + remark);
      }
    } catch (const std::exception& error) {
      PrintError(error.what());
      ++findings;
    }
  }
  return findings;
}

int RunValidate(const std::vector<std::string>& files) {
  int code = kOk;
  for (const std::string& path : files) {
    try {
      const std::unique_ptr<ProblemSource> source = OpenSource(path);
      const bool capture = source->format() == FileFormat::kCapture;
      const int findings = capture ? ReportCapture(path) : ReportOther(*source);
      if (findings > 0) code = kFailed;
      fmt::print("{}: {}, {} steps, {}\n", path, ToString(source->format()), source->steps(),
                 findings == 0               ? "ok"
                 : findings >= kMostFindings ? fmt::format("{} findings, perhaps more", findings)
                                             : fmt::format("{} findings", findings));
    } catch (const std::exception& error) {
      PrintError(error.what());
      code = kFailed;
    }
  }
  return code;
}

}  // namespace

void AddValidate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "validate", "Check files: schema, sizes, finite data, checksums; say what is wrong where");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *files, "Files of any format that replay takes")->required();
  command->callback([&action, files] { action = [files] { return RunValidate(*files); }; });
}

}  // namespace nonsmooth::cli
