// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/capture/capture_writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "common/util/check.h"
#include "recorders/format/capture_identity.h"
#include "recorders/format/capture_layout.h"
#include "recorders/format/capture_pack.h"
#include "recorders/format/shape_codec.h"
#include "recorders/format/step_codec.h"
#include "recorders/packing/growing_dataset.h"

namespace nonsmooth {

class CaptureWriter::Impl {
 public:
  Impl(const std::string& path, const CaptureInfo& info, const CaptureWriterOptions& options);
  ~Impl();

  void Append(const CapturedStep* const* steps, std::size_t count);
  void AddShapes(const std::vector<BodyShape>& shapes);
  void Close();

  std::string path_;
  CaptureInfo info_;
  std::int64_t steps_ = 0;
  std::uint64_t bytes_ = 0;

 private:
  void Encode(const CapturedStep& step);
  schema::StepRow MakeRow(const CapturedStep& step);
  void WritePools();
  void WritePacked(bool all);
  void CommitRows();
  bool CloseDatasets();
  bool NeedsCopy() const;
  void Flush(const char* what);
  void Synchronise();
  void Abandon();

  CaptureWriterOptions options_;
  hdf5::File file_;
  CaptureDatasets datasets_;  ///< its data are in `growing_` if they are packed
  std::vector<GrowingDataset> growing_;
  std::optional<ChunkPacker> packer_;
  std::vector<PackedChunk> replaced_;  ///< whose places are free with the next flush
  std::uint64_t packed_bytes_ = 0;
  std::array<std::uint64_t, schema::kPoolCount> used_{};  ///< entries of each pool so far
  std::vector<schema::StepRow> rows_;                     ///< of the steps at hand
  StepBuffers buffers_;                                   ///< of all of them
  StepBuffers step_buffers_;                              ///< of one
  StepBuffers problem_buffers_;    ///< the problem as float64, where the file has float32
  std::vector<BodyShape> shapes_;  ///< to go with the next step
  std::set<std::int64_t> shaped_;  ///< bodies that have shapes, those above too
  bool failed_ = false;
};

CaptureWriter::Impl::Impl(const std::string& path, const CaptureInfo& info,
                          const CaptureWriterOptions& options)
    : path_(path), info_(Complete(info)), options_(options) {
  Require(options.compression_level >= 1 && options.compression_level <= 9,
          "capture writer: compression_level = ", options.compression_level, ", expected 1 to 9");
  Require(options.packing_threads >= 0 && options.packing_threads <= 64,
          "capture writer: packing_threads = ", options.packing_threads, ", expected 0 to 64");
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    // Renaming over a device or a FIFO would replace it.
    if (S_ISDIR(status.st_mode)) throw FileError(path, "", "is a directory");
    if (!S_ISREG(status.st_mode)) throw FileError(path, "", "is not a regular file");
    if (options.keep_existing) throw FileError(path, "", "exists already");
  }
  // Made under another name and renamed when it is readable: a process that is killed meanwhile
  // leaves no broken capture behind.
  const std::string draft = DraftName(path, "part");
  try {
    const hdf5::Session session;
    file_ = CreateGrowingFile(draft);
    LayoutOptions layout;
    layout.compression_level = options.compress ? options.compression_level : 0;
    datasets_ = CreateLayout(file_, info_, layout);
    for (std::size_t i = 0; options.compress && i < schema::kDataCount; ++i) {
      growing_.emplace_back(std::move(datasets_.data[i]), i,
                            schema::EntrySize(schema::kDatasets[i], info_.scalar), file_.output());
    }
    if (options.compress) packer_.emplace(options.compression_level, options.packing_threads);
    Flush("cannot be written");
    file_.Check(H5Fstart_swmr_write(file_.id()), "cannot be opened to readers");
    file_.CheckWritten();
    file_.Rename(path);
  } catch (const FileError& error) {
    Abandon();
    ::unlink(draft.c_str());
    throw FileError(path, error.object(), error.cause());
  }
}

CaptureWriter::Impl::~Impl() {
  try {
    Close();
  } catch (const std::exception&) {
    // Committed steps are in the file all the same; who wants to know calls Close().
  }
}

schema::StepRow CaptureWriter::Impl::MakeRow(const CapturedStep& step) {
  const StepInfo& info = step.info;
  Require(info.solver.size() < schema::kSolverNameSize, "captured step: the solver's name has ",
          info.solver.size(), " bytes, at most ", schema::kSolverNameSize - 1, " are kept");
  schema::StepRow row;
  row.step = info.step;
  row.island = info.island;
  row.solve = info.solve;
  row.time = info.time;
  row.h = info.h;
  for (int k = 0; k < 3; ++k) row.gravity[k] = info.gravity[k];
  std::memcpy(row.solver, info.solver.data(), info.solver.size());
  row.iterations = info.iterations;
  row.form = static_cast<std::uint8_t>(FormOf(step.problem));
  row.seconds = info.seconds;
  row.energy_error = step.measures.energy_error;
  row.total_error = step.measures.total_error;
  row.normal_error = step.measures.normal_error;
  row.friction_error = step.measures.friction_error;
  for (std::size_t p = 0; p < schema::kPoolCount; ++p) {
    row.pools[p] = {used_[p] + buffers_.count[p], step_buffers_.count[p]};
  }
  EncodeProblem(step.problem, ScalarType::kFloat64, problem_buffers_);
  row.problem_checksum = DataChecksum(problem_buffers_);
  row.data_checksum = DataChecksum(step_buffers_);
  row.shape_checksum = ShapeChecksum(step_buffers_);
  row.row_checksum = schema::RowChecksum(reinterpret_cast<const std::uint8_t*>(&row), sizeof row,
                                         offsetof(schema::StepRow, row_checksum));
  return row;
}

void CaptureWriter::Impl::WritePools() {
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    const schema::DatasetSpec& spec = schema::kDatasets[i];
    const auto pool = static_cast<std::size_t>(spec.pool);
    const std::uint64_t count = buffers_.count[pool];
    if (count == 0) continue;
    if (packer_) {
      growing_[i].Append(buffers_.bytes[i].data(), count, *packer_);
      continue;
    }
    const hdf5::Dataset& dataset = datasets_.data[i];
    const hsize_t size[2] = {used_[pool] + count, static_cast<hsize_t>(spec.width)};
    dataset.Check(H5Dset_extent(dataset.id(), size), "cannot grow");
    WriteEntries(dataset, used_[pool], count, buffers_.bytes[i].data());
  }
}

/// Turns the index to what has been packed meanwhile. `all`: and waits for the rest.
void CaptureWriter::Impl::WritePacked(bool all) {
  if (!packer_) return;
  for (PackedChunk& chunk : packer_->Take(all)) {
    if (!growing_[chunk.dataset].Replace(chunk)) continue;
    packed_bytes_ += chunk.packed.size();
    replaced_.push_back(std::move(chunk));
  }
}

void CaptureWriter::Impl::CommitRows() {
  const auto index = static_cast<std::uint64_t>(steps_);
  const hsize_t size = index + rows_.size();
  datasets_.steps.Check(H5Dset_extent(datasets_.steps.id(), &size), "cannot grow");
  WriteEntries(datasets_.steps, index, rows_.size(), rows_.data());
  WritePacked(false);
  Flush("cannot be written");
  try {
    for (PackedChunk& chunk : replaced_) {
      file_.output()->slots().Release(chunk.address, chunk.raw.size());
      packer_->GiveBack(std::move(chunk));
    }
  } catch (const std::bad_alloc&) {
    // These places are not used again; the rows are in the file all the same.
  }
  replaced_.clear();
}

void CaptureWriter::Impl::Flush(const char* what) {
  file_.Check(H5Fflush(file_.id(), H5F_SCOPE_LOCAL), what);
  file_.CheckWritten();
}

void CaptureWriter::Impl::Synchronise() {
  if (options_.synchronise) file_.Synchronise();
}

// After a failed write HDF5 has metadata in memory that is ahead of the file, and closing would
// write what of it there is room for. The file is left as it is instead, as if the process had been
// killed when the write failed, which it is made for.
void CaptureWriter::Impl::Abandon() {
  file_.Abandon();
  packer_.reset();
  CloseDatasets();
  file_.Close();
  hdf5::TakeErrorStack();
}

bool CaptureWriter::Impl::CloseDatasets() {
  bool closed = datasets_.steps.Close();
  for (hdf5::Dataset& dataset : datasets_.data) closed &= dataset.Close();
  for (GrowingDataset& dataset : growing_) closed &= dataset.Close();
  return closed;
}

/// Adds a step to those at hand.
void CaptureWriter::Impl::Encode(const CapturedStep& step) {
  EncodeStep(step, info_.scalar, step_buffers_);
  if (rows_.empty()) EncodeShapes(shapes_, info_.scalar, step_buffers_);
  rows_.push_back(MakeRow(step));
  if (buffers_.size() == 0) {
    std::swap(buffers_, step_buffers_);
    return;
  }
  for (std::size_t p = 0; p < schema::kPoolCount; ++p) buffers_.count[p] += step_buffers_.count[p];
  for (std::size_t i = 0; i < schema::kDataCount; ++i) {
    buffers_.bytes[i].insert(buffers_.bytes[i].end(), step_buffers_.bytes[i].begin(),
                             step_buffers_.bytes[i].end());
  }
}

void CaptureWriter::Impl::Append(const CapturedStep* const* steps, std::size_t count) {
  if (failed_) throw FileError(path_, "", "an earlier write failed; nothing more is written");
  if (!file_) throw FileError(path_, "", "the file is closed");
  rows_.clear();
  buffers_.Clear();
  for (std::size_t i = 0; i < count; ++i) Encode(*steps[i]);
  const hdf5::Session session;
  try {
    // Pools first, all of them in the file, then the rows: a row that is there points at data that
    // is there.
    WritePools();
    Flush("cannot be written");
    Synchronise();
    CommitRows();
    Synchronise();
  } catch (const FileError& error) {
    failed_ = true;
    Abandon();
    throw FileError(path_, error.object() == "/" ? "" : error.object(), error.cause());
  } catch (...) {  // no memory
    failed_ = true;
    Abandon();
    throw;
  }
  shapes_.clear();
  for (std::size_t p = 0; p < schema::kPoolCount; ++p) used_[p] += buffers_.count[p];
  bytes_ += buffers_.size();
  steps_ += static_cast<std::int64_t>(count);
}

void CaptureWriter::Impl::AddShapes(const std::vector<BodyShape>& shapes) {
  for (const BodyShape& shape : shapes) CheckShape(shape);
  std::set<std::int64_t> fresh;
  for (const BodyShape& shape : shapes) {
    if (shaped_.count(shape.body) > 0) continue;
    fresh.insert(shape.body);
    shapes_.push_back(shape);
  }
  shaped_.merge(fresh);
}

/// Places of chunks that were packed are of no use to a finished file. Where they are a part of it
/// that counts, it is small, and written anew without them.
bool CaptureWriter::Impl::NeedsCopy() const {
  return packer_ && steps_ > 0 && 4 * file_.output()->slots().bytes() > packed_bytes_;
}

void CaptureWriter::Impl::Close() {
  if (!file_) return;
  const hdf5::Session session;
  bool copy = false;
  try {
    WritePacked(true);
    copy = NeedsCopy();
    for (std::size_t i = 0; packer_ && !copy && i < growing_.size(); ++i) {
      growing_[i].PackRest(*packer_);
    }
    WritePacked(true);
    file_.CheckWritten();
  } catch (const FileError& error) {
    failed_ = true;
    Abandon();
    throw FileError(path_, error.object() == "/" ? "" : error.object(), error.cause());
  }
  packer_.reset();
  if (!CloseDatasets()) {
    const std::string stack = hdf5::TakeErrorStack();
    file_.Close();
    throw FileError(path_, "", "cannot be closed properly (HDF5: " + stack + ")");
  }
  file_.Finish(path_);
  if (copy) PackCapture(path_, options_.compression_level, options_.synchronise);
}

CaptureWriter::CaptureWriter(const std::string& path, const CaptureInfo& info,
                             const CaptureWriterOptions& options)
    : impl_(std::make_unique<Impl>(path, info, options)) {}
CaptureWriter::~CaptureWriter() = default;
CaptureWriter::CaptureWriter(CaptureWriter&&) noexcept = default;
CaptureWriter& CaptureWriter::operator=(CaptureWriter&&) noexcept = default;

const CaptureInfo& CaptureWriter::info() const { return impl_->info_; }
const std::string& CaptureWriter::path() const { return impl_->path_; }
void CaptureWriter::Append(const CapturedStep& step) {
  const CapturedStep* only = &step;
  impl_->Append(&only, 1);
}

void CaptureWriter::Append(const std::vector<const CapturedStep*>& steps) {
  Require(steps.size() <= kMostStepsAtOnce, "capture writer: ", steps.size(),
          " steps at once, at most ", kMostStepsAtOnce, " are written together");
  if (!steps.empty()) impl_->Append(steps.data(), steps.size());
}

void CaptureWriter::AddShapes(const std::vector<BodyShape>& shapes) { impl_->AddShapes(shapes); }

std::int64_t CaptureWriter::steps() const { return impl_->steps_; }
std::uint64_t CaptureWriter::bytes_written() const { return impl_->bytes_; }
void CaptureWriter::Close() { impl_->Close(); }

}  // namespace nonsmooth
