// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "recorders/capture/capture_writer.h"
#include "recorders/cli/commands-inl.h"
#include "recorders/cli/step_range.h"
#include "recorders/interchange/fclib/fclib_export.h"
#include "recorders/interchange/fclib/fclib_file.h"
#include "recorders/interchange/lu_et_al/lu_convert.h"
#include "recorders/interchange/lu_et_al/lu_file.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth::cli {
namespace {

struct ConvertArguments {
  std::string in;
  std::string out;
  std::string to;
  std::string steps;
};

/// Names that leave no doubt: x.fclib-local.hdf5, x.ode.h5 and so on; and x.h5 alone is a capture,
/// the one format that holds whatever comes.
std::optional<FileFormat> GuessFormat(const std::string& out) {
  const std::filesystem::path path(out);
  const std::string extension = path.extension().string();
  if (extension != ".h5" && extension != ".hdf5") return std::nullopt;
  std::string inner = path.stem().extension().string();
  if (!inner.empty()) {
    inner.erase(0, 1);
    try {
      return ParseFileFormat(inner);
    } catch (const std::invalid_argument&) {
      // Some other dot in the name.
    }
  }
  if (extension == ".h5") return FileFormat::kCapture;
  return std::nullopt;
}

/// Prints remarks, each once.
class Remarks {
 public:
  explicit Remarks(std::string path) : path_(std::move(path)) {}
  void Say(const std::vector<std::string>& remarks) {
    for (const std::string& remark : remarks) {
      if (std::find(said_.begin(), said_.end(), remark) != said_.end()) continue;
      said_.push_back(remark);
      PrintWarning(path_ + ": " + remark);
    }
  }

 private:
  std::string path_;
  std::vector<std::string> said_;
};

struct Job {
  const ProblemSource& source;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::string out;
  Remarks in_remarks;
  Remarks out_remarks;

  CapturedStep Read(std::int64_t index) {
    SourceStep read = source.Read(index);
    in_remarks.Say(read.remarks);
    return std::move(read.step);
  }

  /// What a step cannot say in the other format is the input's trouble: name it and the step.
  [[noreturn]] void Refuse(std::int64_t index, const std::exception& error) const {
    throw FileError(source.path(), fmt::format("step {}", index), error.what());
  }
};

void ToCapture(Job& job) {
  CaptureInfo info = job.source.info();
  info.uuid.clear();
  info.created.clear();
  info.producer.clear();
  CaptureWriter writer(job.out, info);
  writer.AddShapes(job.source.Shapes());
  for (std::int64_t k = job.first; k < job.last; ++k) writer.Append(job.Read(k));
  writer.Close();
}

void ToFclib(Job& job, FclibKind kind) {
  namespace fs = std::filesystem;
  const bool folder = fs::is_directory(job.out) || (!job.out.empty() && job.out.back() == '/');
  if (!folder && job.last - job.first != 1) {
    throw UsageError(fmt::format(
        "{} has {} steps, an FCLIB file holds one problem: choose one with --steps, or give a "
        "folder as OUT ('{}/')",
        job.source.path(), job.last - job.first, job.out));
  }
  if (folder) fs::create_directories(job.out);
  const FclibStorage storage =
      kind == FclibKind::kLocal ? FclibStorage::kCompressedRows : FclibStorage::kTriplets;
  for (std::int64_t k = job.first; k < job.last; ++k) {
    const CapturedStep step = job.Read(k);
    FclibExport exported;
    try {
      exported = ExportFclib(step.problem, kind, storage);
    } catch (const std::invalid_argument& error) {
      job.Refuse(k, error);
    }
    job.out_remarks.Say(exported.remarks);
    exported.problem.title = job.source.info().scene;
    exported.problem.description = fmt::format("converted by nonsmooth from {}, step {}",
                                               fs::path(job.source.path()).filename().string(), k);
    const auto solution_of = [&](const std::vector<double>& x) {
      Solution solution;
      OperatorWorkspace workspace;
      solution.x = x;
      solution.w.resize(x.size());
      solution.v.resize(step.problem.dynamics().velocity_size());
      step.problem.dynamics().Evaluate(x.data(), solution.w.data(), solution.v.data(), workspace);
      return exported.SolutionOf(solution);
    };
    if (!step.x.empty()) {
      exported.problem.has_solution = true;
      exported.problem.solution = solution_of(step.x);
    }
    if (!step.x0.empty()) exported.problem.guesses.push_back(solution_of(step.x0));
    const std::string stem = fs::path(job.source.path()).stem().string();
    WriteFclib(
        folder ? (fs::path(job.out) / fmt::format("{}-{:06}.hdf5", stem, k)).string() : job.out,
        exported.problem);
  }
}

void ToLu(Job& job, LuDialect dialect) {
  std::vector<LuFrame> frames;
  for (std::int64_t k = job.first; k < job.last; ++k) {
    const CapturedStep step = job.Read(k);
    std::vector<std::string> remarks;
    try {
      frames.push_back(ToLuFrame(step, dialect, &remarks));
    } catch (const std::invalid_argument& error) {
      job.Refuse(k, error);
    }
    job.out_remarks.Say(remarks);
  }
  WriteLu(job.out, dialect, frames);
}

int RunConvert(const ConvertArguments& arguments) {
  std::optional<FileFormat> to = GuessFormat(arguments.out);
  if (!arguments.to.empty()) to = ParseFileFormat(arguments.to);
  if (!to) {
    throw UsageError("the name '" + arguments.out + "' does not tell its format; say it by --to");
  }
  const StepRange range = arguments.steps.empty() ? StepRange() : ParseStepRange(arguments.steps);
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.in, arguments.out, ignored)) {
    throw UsageError("IN and OUT are the same file");
  }
  const std::unique_ptr<ProblemSource> source = OpenSource(arguments.in);
  if (range.stride != 1) throw UsageError("--steps A:B:K: every step is converted, K has to be 1");
  const std::int64_t last = std::min(range.last, source->steps());
  if (range.first >= last && (range.first > 0 || source->steps() == 0)) {
    throw FileError(arguments.in, "",
                    fmt::format("has {} steps, none of them chosen", source->steps()));
  }
  Job job{*source, range.first, last, arguments.out, Remarks(arguments.in), Remarks(arguments.out)};
  switch (*to) {
    case FileFormat::kCapture:
      ToCapture(job);
      break;
    case FileFormat::kFclibLocal:
      ToFclib(job, FclibKind::kLocal);
      break;
    case FileFormat::kFclibGlobal:
      ToFclib(job, FclibKind::kGlobal);
      break;
    case FileFormat::kLu:
      ToLu(job, LuDialect::kPaper);
      break;
    case FileFormat::kOde:
      ToLu(job, LuDialect::kOde);
      break;
    case FileFormat::kCollection:
      throw UsageError("'nonsmooth collect' makes collections");
  }
  return kOk;
}

}  // namespace

void AddConvert(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("convert", "Write problems in another format");
  auto a = std::make_shared<ConvertArguments>();
  command->add_option("IN", a->in, "A file of any format that replay takes")->required();
  command
      ->add_option("OUT", a->out,
                   "The new file; for FCLIB, which holds one problem a file, also a folder")
      ->required();
  command
      ->add_option("--to", a->to,
                   "Format; default: told by OUT if it ends in .FORMAT.h5 or .FORMAT.hdf5, and "
                   "capture if it ends in .h5 otherwise")
      ->check(CLI::IsMember({"capture", "fclib-local", "fclib-global", "lu", "ode"}));
  command->add_option("--steps", a->steps,
                      "A:B: steps A to B-1, counted from 0; also A:, :B, A; default: all");
  command->footer(
      "What the other format cannot say is refused by name, or, where the problem stays the same\n"
      "or the format leaves it open, said on standard error.");
  command->callback([&action, a] { action = [a] { return RunConvert(*a); }; });
}

}  // namespace nonsmooth::cli
