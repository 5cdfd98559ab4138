// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/capture/capture_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "common/util/check.h"
#include "recorders/capture/capture_writer.h"
#include "recorders/format/capture_layout.h"
#include "recorders/format/shape_codec.h"
#include "recorders/format/step_codec.h"

namespace nonsmooth {
namespace {

constexpr std::int64_t kRowsPerRead = 256;
constexpr int kMostAttempts = 4;

/// A kill leaves at most as many rows that were not committed as are written at once; more of them
/// are damage.
constexpr auto kMostUncommitted = static_cast<std::int64_t>(CaptureWriter::kMostStepsAtOnce);

using schema::Pool;
using schema::StepRow;

std::int64_t Count(const StepRow& row, Pool pool) {
  return static_cast<std::int64_t>(row.pools[static_cast<std::size_t>(pool)].count);
}

std::string StepPath(std::int64_t index) { return "/steps[" + std::to_string(index) + "]"; }

void CopyInfo(const StepRow& row, StepInfo& info, StepMeasures& measures) {
  info.step = row.step;
  info.island = row.island;
  info.solve = row.solve;
  info.time = row.time;
  info.h = row.h;
  for (int k = 0; k < 3; ++k) info.gravity[k] = row.gravity[k];
  info.solver.assign(row.solver, strnlen(row.solver, sizeof row.solver));
  info.iterations = row.iterations;
  info.seconds = row.seconds;
  measures.energy_error = row.energy_error;
  measures.total_error = row.total_error;
  measures.normal_error = row.normal_error;
  measures.friction_error = row.friction_error;
}

void RefreshDataset(hdf5::Dataset& dataset) {
  dataset.Check(H5Drefresh(dataset.id()), "cannot be refreshed");
  dataset.Inspect();
}

}  // namespace

class CaptureReader::Impl {
 public:
  explicit Impl(const std::string& path)
      : path_(path), file_(hdf5::File::Open(path)), info_(ReadCaptureInfo(file_)) {
    datasets_ = OpenLayout(file_, info_);
    map_ = schema::StepRowMap(datasets_.steps, MinorVersion(info_));
    CountCommitted();
  }

  std::vector<StepRow> ReadRows(std::int64_t first, std::int64_t last) const;
  StepSummary Summarise(const StepRow& row, std::int64_t index) const;
  void Read(std::int64_t index, CapturedStep& step) const;
  std::vector<BodyShape> Shapes() const;
  std::int64_t Refresh();

  std::string path_;
  hdf5::File file_;
  CaptureInfo info_;
  // Asked for without taking turns.
  std::atomic<std::int64_t> steps_{0};
  std::atomic<std::int64_t> uncommitted_{0};

 private:
  void CountCommitted();
  void RefreshData() const;
  void ReadOnce(std::int64_t index, CapturedStep& step) const;
  void ReadShapes(std::int64_t index, const StepRow& row, std::vector<BodyShape>& shapes) const;

  /// Of a live file: meanwhile the writer may have packed a chunk and filled its former place anew,
  /// so that the index has to be looked into again.
  template <class Reading>
  void Retry(const Reading& reading) const {
    for (int attempt = 1;; ++attempt) {
      try {
        return reading();
      } catch (const FileError&) {
        if (!file_.live() || attempt == kMostAttempts) throw;
        RefreshData();
      }
    }
  }

  bool ReadRow(std::int64_t index, StepRow* row) const;
  void ReadData(std::size_t data, const StepRow& row, std::int64_t index) const;
  void CheckRange(std::size_t data, const StepRow& row, std::int64_t index) const;

  mutable CaptureDatasets datasets_;
  schema::StepRowMap map_;
  mutable StepBuffers buffers_;
};

bool CaptureReader::Impl::ReadRow(std::int64_t index, StepRow* row) const {
  std::vector<std::uint8_t> bytes(map_.row_size());
  ReadEntries(datasets_.steps, static_cast<std::uint64_t>(index), 1, bytes.data());
  return map_.Unpack(bytes.data(), row);
}

void CaptureReader::Impl::CountCommitted() {
  const std::uint64_t rows = datasets_.steps.dimensions()[0];
  std::int64_t committed = static_cast<std::int64_t>(rows);
  std::int64_t uncommitted = 0;
  StepRow row;
  while (file_.live() && committed > 0 && uncommitted < kMostUncommitted &&
         !ReadRow(committed - 1, &row)) {
    --committed;
    ++uncommitted;
  }
  uncommitted_ = uncommitted;
  steps_ = committed;
}

std::int64_t CaptureReader::Impl::Refresh() {
  if (!file_.live()) return steps_;
  const hdf5::Session session;
  RefreshDataset(datasets_.steps);
  const std::uint64_t rows = datasets_.steps.dimensions()[0];
  if (rows == static_cast<std::uint64_t>(steps_)) return steps_;
  RefreshData();
  CountCommitted();
  return steps_;
}

void CaptureReader::Impl::RefreshData() const {
  for (hdf5::Dataset& dataset : datasets_.data) {
    if (dataset) RefreshDataset(dataset);
  }
}

std::vector<StepRow> CaptureReader::Impl::ReadRows(std::int64_t first, std::int64_t last) const {
  std::vector<StepRow> rows;
  std::vector<std::uint8_t> bytes;
  for (std::int64_t at = first; at < last; at += kRowsPerRead) {
    const auto count = static_cast<std::size_t>(std::min(kRowsPerRead, last - at));
    bytes.resize(count * map_.row_size());
    ReadEntries(datasets_.steps, static_cast<std::uint64_t>(at), count, bytes.data());
    for (std::size_t k = 0; k < count; ++k) {
      StepRow row;
      if (!map_.Unpack(bytes.data() + k * map_.row_size(), &row)) {
        throw FileError(path_, StepPath(at + static_cast<std::int64_t>(k)),
                        "the row's checksum does not hold: the file is damaged");
      }
      rows.push_back(row);
    }
  }
  return rows;
}

StepSummary CaptureReader::Impl::Summarise(const StepRow& row, std::int64_t index) const {
  StepSummary summary;
  CopyInfo(row, summary.info, summary.measures);
  if (row.form > static_cast<std::uint8_t>(DynamicsForm::kArticulated)) {
    throw FileError(path_, StepPath(index), "form " + std::to_string(row.form) + " is not known");
  }
  summary.form = static_cast<DynamicsForm>(row.form);
  summary.rows = Count(row, Pool::kRows);
  summary.contacts = Count(row, Pool::kContacts);
  summary.constraints = Count(row, Pool::kConstraints);
  const bool two_body = summary.form == DynamicsForm::kTwoBody;
  summary.bodies = Count(row, two_body ? Pool::kBodies : Pool::kBodyStates);
  summary.velocities = two_body ? 6 * summary.bodies : Count(row, Pool::kVariables);
  summary.has_x0 = Count(row, Pool::kX0) > 0;
  summary.has_x = Count(row, Pool::kX) > 0;
  summary.problem_checksum = row.problem_checksum;
  for (const schema::DatasetSpec& spec : schema::kDatasets) {
    summary.bytes += row.pools[static_cast<std::size_t>(spec.pool)].count *
                     schema::EntrySize(spec, info_.scalar);
  }
  return summary;
}

void CaptureReader::Impl::CheckRange(std::size_t data, const StepRow& row,
                                     std::int64_t index) const {
  if (!datasets_.data[data]) return;  // of a later version, the row says that there are none
  const schema::DatasetSpec& spec = schema::kDatasets[data];
  const schema::Range& range = row.pools[static_cast<std::size_t>(spec.pool)];
  const std::uint64_t entries = datasets_.data[data].dimensions()[0];
  if (range.first > entries || range.count > entries - range.first) {
    throw FileError(path_, datasets_.data[data].path(),
                    StepPath(index) + " points at entries " + std::to_string(range.first) + " + " +
                        std::to_string(range.count) + " of " + std::to_string(entries));
  }
  const std::uint64_t end = (range.first + range.count) * schema::EntrySize(spec, info_.scalar);
  if (end > datasets_.data[data].most_bytes()) {
    throw FileError(path_, datasets_.data[data].path(),
                    StepPath(index) + " needs " + std::to_string(end) +
                        " bytes of it, but the file cannot hold more than " +
                        std::to_string(datasets_.data[data].most_bytes()));
  }
  if (range.count > std::numeric_limits<std::int32_t>::max() - 1u) {
    throw FileError(path_, datasets_.data[data].path(),
                    StepPath(index) + " has " + std::to_string(range.count) + " entries");
  }
}

void CaptureReader::Impl::ReadData(std::size_t data, const StepRow& row, std::int64_t index) const {
  CheckRange(data, row, index);
  const schema::DatasetSpec& spec = schema::kDatasets[data];
  const schema::Range& range = row.pools[static_cast<std::size_t>(spec.pool)];
  buffers_.bytes[data].resize(range.count * schema::EntrySize(spec, info_.scalar));
  ReadEntries(datasets_.data[data], range.first, range.count, buffers_.bytes[data].data());
}

std::vector<BodyShape> CaptureReader::Impl::Shapes() const {
  std::vector<BodyShape> shapes;
  const hdf5::Session session;  // also guards buffers_
  for (std::int64_t first = 0; first < steps_; first += kRowsPerRead) {
    const std::int64_t last = std::min<std::int64_t>(steps_, first + kRowsPerRead);
    const std::vector<StepRow> rows = ReadRows(first, last);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (Count(rows[k], Pool::kShapes) == 0) continue;
      const std::int64_t index = first + static_cast<std::int64_t>(k);
      Retry([&] { ReadShapes(index, rows[k], shapes); });
    }
  }
  return shapes;
}

void CaptureReader::Impl::ReadShapes(std::int64_t index, const StepRow& row,
                                     std::vector<BodyShape>& shapes) const {
  for (std::size_t p = 0; p < schema::kPoolCount; ++p) buffers_.count[p] = row.pools[p].count;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    if (schema::kDatasets[i].group == std::string("shapes")) ReadData(i, row, index);
  }
  if (ShapeChecksum(buffers_) != row.shape_checksum) {
    throw FileError(path_, "/shapes", "the checksum of " + StepPath(index) + " does not hold");
  }
  try {
    DecodeShapes(buffers_, info_.scalar, shapes);
  } catch (const std::invalid_argument& error) {
    throw FileError(path_, "/shapes", error.what());
  }
}

void CaptureReader::Impl::Read(std::int64_t index, CapturedStep& step) const {
  const hdf5::Session session;  // also guards buffers_
  Retry([&] { ReadOnce(index, step); });
}

void CaptureReader::Impl::ReadOnce(std::int64_t index, CapturedStep& step) const {
  const StepRow row = ReadRows(index, index + 1)[0];
  const DynamicsForm form = Summarise(row, index).form;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) CheckRange(i, row, index);
  for (std::size_t p = 0; p < schema::kPoolCount; ++p) buffers_.count[p] = row.pools[p].count;
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    if (schema::Since(schema::kDatasets[i]) == 0) ReadData(i, row, index);
  }
  if (DataChecksum(buffers_) != row.data_checksum) {
    throw FileError(path_, StepPath(index), "the data's checksum does not hold: damaged");
  }
  try {
    CopyInfo(row, step.info, step.measures);
    DecodeStep(buffers_, form, info_.scalar, step);
  } catch (const std::invalid_argument& error) {
    throw FileError(path_, StepPath(index), error.what());
  }
  if (ProblemChecksum(step.problem) != row.problem_checksum) {
    throw FileError(path_, StepPath(index), "the problem read is not the one that was captured");
  }
}

CaptureReader::CaptureReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
CaptureReader::~CaptureReader() = default;
CaptureReader::CaptureReader(CaptureReader&&) noexcept = default;
CaptureReader& CaptureReader::operator=(CaptureReader&&) noexcept = default;

const std::string& CaptureReader::path() const { return impl_->path_; }
const CaptureInfo& CaptureReader::info() const { return impl_->info_; }
std::int64_t CaptureReader::steps() const { return impl_->steps_; }
bool CaptureReader::live() const { return impl_->file_.live(); }
std::int64_t CaptureReader::uncommitted() const { return impl_->uncommitted_; }
std::int64_t CaptureReader::Refresh() { return impl_->Refresh(); }

StepSummary CaptureReader::Summary(std::int64_t index) const {
  return Summaries(index, index + 1)[0];
}

std::vector<StepSummary> CaptureReader::Summaries(std::int64_t first, std::int64_t last) const {
  Require(first >= 0 && first <= last && last <= steps(), "capture reader: steps ", first, " to ",
          last, " of ", steps());
  std::vector<StepSummary> summaries;
  const std::vector<StepRow> rows = impl_->ReadRows(first, last);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    summaries.push_back(impl_->Summarise(rows[i], first + static_cast<std::int64_t>(i)));
  }
  return summaries;
}

CapturedStep CaptureReader::Read(std::int64_t index) const {
  CapturedStep step;
  Read(index, step);
  return step;
}

void CaptureReader::Read(std::int64_t index, CapturedStep& step) const {
  Require(index >= 0 && index < steps(), "capture reader: step ", index, " of ", steps());
  impl_->Read(index, step);
}

std::vector<BodyShape> CaptureReader::Shapes() const { return impl_->Shapes(); }

bool IsCapture(const std::string& path) {
  try {
    const hdf5::File file = hdf5::File::Open(path);
    return file.HasAttribute(schema::kFormatAttribute) &&
           file.ReadTextAttribute(schema::kFormatAttribute) == schema::kFormat;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace nonsmooth
