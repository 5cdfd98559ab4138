// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/interchange/problem_source.h"

#include <stdexcept>
#include <utility>

#include "recorders/capture/capture_reader.h"
#include "recorders/collection/collection_source.h"
#include "recorders/hdf5/file.h"
#include "recorders/interchange/fclib/fclib_file.h"
#include "recorders/interchange/fclib/fclib_import.h"
#include "recorders/interchange/lu_et_al/lu_convert.h"
#include "recorders/interchange/lu_et_al/lu_file.h"

namespace nonsmooth {
namespace {

constexpr std::pair<FileFormat, std::string_view> kFormats[] = {
    {FileFormat::kCapture, "capture"},
    {FileFormat::kFclibLocal, "fclib-local"},
    {FileFormat::kFclibGlobal, "fclib-global"},
    {FileFormat::kLu, "lu"},
    {FileFormat::kOde, "ode"},
};

class CaptureSource final : public ProblemSource {
 public:
  explicit CaptureSource(const std::string& path)
      : ProblemSource(path, FileFormat::kCapture), reader_(path) {
    info_ = reader_.info();
  }
  std::int64_t steps() const override { return reader_.steps(); }
  SourceStep Read(std::int64_t index) const override { return {reader_.Read(index), {}}; }
  std::vector<StepSummary> Summaries(std::int64_t first, std::int64_t last) const override {
    return reader_.Summaries(first, last);
  }
  std::vector<BodyShape> Shapes() const override { return reader_.Shapes(); }

 private:
  CaptureReader reader_;
};

/// One problem; the file is opened anew for each reading, so that thousands of sources can exist.
class FclibSource final : public ProblemSource {
 public:
  FclibSource(const std::string& path, FileFormat format, std::string title)
      : ProblemSource(path, format) {
    info_.scene = std::move(title);
  }
  std::int64_t steps() const override { return 1; }
  SourceStep Read(std::int64_t index) const override {
    if (index != 0) throw std::invalid_argument(path_ + ": an FCLIB file has one problem, step 0");
    const FclibProblem file = ReadFclib(path_);
    try {
      FclibImport import = ImportFclib(file);
      SourceStep result;
      result.step.info.h = kUnknown;
      result.step.info.time = kUnknown;
      result.step.problem = std::move(import.problem);
      result.step.x = std::move(import.x);
      result.step.x0 = std::move(import.guess);
      result.remarks = std::move(import.remarks);
      return result;
    } catch (const std::invalid_argument& error) {
      const bool local = file.kind == FclibKind::kLocal;
      throw FileError(path_, local ? "/fclib_local" : "/fclib_global", error.what());
    }
  }
};

class LuSource final : public ProblemSource {
 public:
  explicit LuSource(const std::string& path) : ProblemSource(path, FileFormat::kLu), file_(path) {
    const bool ode = file_.dialect() == LuDialect::kOde;
    if (ode) format_ = FileFormat::kOde;
    info_.engine = ode && !file_.own() ? "ode" : "";
  }
  std::int64_t steps() const override { return file_.frames(); }
  SourceStep Read(std::int64_t index) const override {
    const LuFrame frame = file_.Read(index);
    SourceStep result;
    result.remarks.push_back(
        "Lu et al.'s interface has no tangents, laws or compliance: tangents are chosen, the law "
        "is ncp, compliance 0");
    try {
      result.step =
          FromLuFrame(frame, frame.has_step ? frame.step : file_.StepNear(index), &result.remarks);
    } catch (const std::invalid_argument& error) {
      throw FileError(path_, "/" + frame.name, error.what());
    }
    result.step.info.step = index;
    result.step.info.time = kUnknown;
    return result;
  }

 private:
  LuFile file_;
};

}  // namespace

std::string_view ToString(FileFormat format) {
  for (const auto& [known, name] : kFormats) {
    if (known == format) return name;
  }
  return format == FileFormat::kCollection ? "collection" : "unknown";
}

FileFormat ParseFileFormat(std::string_view text) {
  std::string names;
  for (const auto& [known, name] : kFormats) {
    if (name == text) return known;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument("format '" + std::string(text) + "' is not one of " + names);
}

ProblemSource::ProblemSource(std::string path, FileFormat format)
    : path_(std::move(path)), format_(format) {}

std::unique_ptr<ProblemSource> OpenSource(const std::string& path) {
  const hdf5::File file = hdf5::File::Open(path);
  if (file.HasAttribute("format")) {
    if (file.ReadTextAttribute("format") == kCollectionFormat) return OpenCollection(path);
    return std::make_unique<CaptureSource>(path);
  }
  const auto title = [&file](const char* group) {
    const std::string name = std::string(group) + "/info";
    return file.HasGroup(group) && file.HasGroup(name) && file.OpenGroup(name).HasDataset("title")
               ? file.OpenGroup(name).ReadText("title")
               : std::string();
  };
  if (file.HasGroup("fclib_local")) {
    return std::make_unique<FclibSource>(path, FileFormat::kFclibLocal, title("fclib_local"));
  }
  if (file.HasGroup("fclib_global")) {
    return std::make_unique<FclibSource>(path, FileFormat::kFclibGlobal, title("fclib_global"));
  }
  if (file.HasGroup("fclib_global_rolling")) {
    throw FileError(path, "/fclib_global_rolling", "FCLIB's rolling problems are not supported");
  }
  if (LuFile::Recognise(file)) return std::make_unique<LuSource>(path);
  throw FileError(path, "/",
                  "holds no problems: neither a capture, nor FCLIB, nor frames of Lu et al.");
}

}  // namespace nonsmooth
