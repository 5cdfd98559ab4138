// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/collection/collection_source.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "recorders/hdf5/file.h"

namespace nonsmooth {
namespace {

/// What there is of a problem without opening its source.
struct Entry {
  std::int32_t source = 0;
  std::int64_t step = 0;
  StepSummary summary;
};

class CollectionSource final : public ProblemSource {
 public:
  explicit CollectionSource(const std::string& path)
      : ProblemSource(path, FileFormat::kCollection) {
    const hdf5::Session session;
    const hdf5::File file = hdf5::File::Open(path);
    const std::string version = file.ReadTextAttribute("version");
    if (version.rfind("1.", 0) != 0) {
      throw FileError(path, "/", "is a collection of version " + version + ", this reads 1");
    }
    info_.producer = file.ReadTextAttribute("producer");
    info_.scene = "collection";
    const hdf5::Group group = file.OpenGroup("collection");
    ReadSources(group.ReadText("sources"));
    ReadEntries(group);
  }

  std::int64_t steps() const override { return static_cast<std::int64_t>(entries_.size()); }

  SourceStep Read(std::int64_t index) const override {
    if (index < 0 || index >= steps()) {
      throw std::invalid_argument(path_ + ": step " + std::to_string(index) + " of " +
                                  std::to_string(steps()));
    }
    const Entry& entry = entries_[static_cast<std::size_t>(index)];
    SourceStep step = Open(entry.source)->Read(entry.step);
    if (ProblemChecksum(step.step.problem) != entry.summary.problem_checksum) {
      throw FileError(sources_[static_cast<std::size_t>(entry.source)],
                      "step " + std::to_string(entry.step),
                      "is not the problem any more that was collected in " + path_);
    }
    return step;
  }

  std::vector<StepSummary> Summaries(std::int64_t first, std::int64_t last) const override {
    std::vector<StepSummary> summaries;
    for (std::int64_t k = first; k < last; ++k) {
      summaries.push_back(entries_[static_cast<std::size_t>(k)].summary);
    }
    return summaries;
  }

 private:
  void ReadSources(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) throw FileError(path_, "/collection/sources", "is not a list in JSON");
    for (const auto& source : json) {
      if (!source.is_object() || !source.contains("path") || !source["path"].is_string()) {
        throw FileError(path_, "/collection/sources", "has a source without a path");
      }
      const std::filesystem::path linked(source["path"].get<std::string>());
      sources_.push_back(linked.is_absolute()
                             ? linked.string()
                             : (std::filesystem::path(path_).parent_path() / linked).string());
    }
  }

  void ReadEntries(const hdf5::Group& group) {
    const auto source = group.Read<std::int32_t>("source");
    const auto step = group.Read<std::int64_t>("step");
    const auto checksum = group.Read<std::uint64_t>("checksum");
    const auto contacts = group.Read<std::int32_t>("contacts");
    const auto rows = group.Read<std::int32_t>("rows");
    for (const std::size_t size : {step.size(), checksum.size(), contacts.size(), rows.size()}) {
      if (size != source.size())
        throw FileError(path_, "/collection", "has columns of two lengths");
    }
    constexpr std::uint64_t kRowBytes = 200;  // of a contact's, roughly: for planning alone
    for (std::size_t k = 0; k < source.size(); ++k) {
      if (source[k] < 0 || static_cast<std::size_t>(source[k]) >= sources_.size()) {
        throw FileError(path_, "/collection/source", "names a source that is not there");
      }
      Entry entry{source[k], step[k], {}};
      entry.summary.problem_checksum = checksum[k];
      entry.summary.contacts = contacts[k];
      entry.summary.rows = rows[k];
      entry.summary.bytes = kRowBytes * static_cast<std::uint64_t>(std::max(0, rows[k]));
      entries_.push_back(std::move(entry));
    }
  }

  /// One stays open: problems stand by source.
  std::shared_ptr<const ProblemSource> Open(int source) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (open_index_ != source) {
      open_ = OpenSource(sources_[static_cast<std::size_t>(source)]);
      if (open_->format() == FileFormat::kCollection) {
        open_.reset();
        open_index_ = -1;
        throw FileError(sources_[static_cast<std::size_t>(source)], "",
                        "is a collection inside a collection");
      }
      open_index_ = source;
    }
    return open_;
  }

  std::vector<std::string> sources_;
  std::vector<Entry> entries_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ProblemSource> open_;
  mutable int open_index_ = -1;
};

}  // namespace

std::unique_ptr<ProblemSource> OpenCollection(const std::string& path) {
  return std::make_unique<CollectionSource>(path);
}

}  // namespace nonsmooth
