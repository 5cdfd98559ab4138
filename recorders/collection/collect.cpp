// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "recorders/capture/capture_info.h"
#include "recorders/capture/file_error.h"
#include "recorders/collection/collection.h"
#include "recorders/interchange/problem_source.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestText = 64 << 10;  ///< of a licence or an origin

/// A file, and the folder above which nothing is looked for.
struct Found {
  fs::path path;
  fs::path root;
};

std::vector<Found> FindFiles(const std::vector<std::string>& paths) {
  std::vector<Found> files;
  for (const std::string& path : paths) {
    if (!fs::exists(path)) throw FileError(path, "", "does not exist");
    if (!fs::is_directory(path)) {
      files.push_back({path, fs::path(path).parent_path()});
      continue;
    }
    std::vector<Found> below;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied)) {
      const std::string extension = entry.path().extension().string();
      if (entry.is_regular_file() && (extension == ".h5" || extension == ".hdf5")) {
        below.push_back({entry.path(), path});
      }
    }
    std::sort(below.begin(), below.end(),
              [](const Found& a, const Found& b) { return a.path < b.path; });
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

/// The text of the nearest file whose name begins with one of `names`, from the folder of `found`
/// up to its root.
std::string NearestText(const Found& found, const std::vector<std::string>& names) {
  for (fs::path folder = found.path.parent_path();; folder = folder.parent_path()) {
    std::vector<fs::path> texts;
    std::error_code ignored;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file(ignored) &&
          std::any_of(names.begin(), names.end(),
                      [&name](const std::string& begin) { return name.rfind(begin, 0) == 0; })) {
        texts.push_back(entry.path());
      }
    }
    if (!texts.empty()) {
      std::ifstream file(*std::min_element(texts.begin(), texts.end()), std::ios::binary);
      std::string text(kLongestText, '\0');
      file.read(text.data(), static_cast<std::streamsize>(text.size()));
      text.resize(static_cast<std::size_t>(file.gcount()));
      return text;
    }
    if (folder == found.root || !folder.has_relative_path()) return {};
  }
}

CollectedSource Describe(const Found& found, const ProblemSource& source,
                         const CollectOptions& options) {
  CollectedSource described;
  described.path = found.path.string();
  described.format = ToString(source.format());
  described.engine = source.info().engine;
  described.scene = source.info().scene;
  described.uuid = source.info().uuid;
  described.licence = NearestText(found, {"LICENSE", "LICENCE", "COPYING"});
  described.origin = NearestText(found, {"ORIGIN", "README"});
  if (described.licence.empty()) described.licence = options.licence;
  if (described.origin.empty()) described.origin = options.origin;
  return described;
}

}  // namespace

Collection Collect(const std::vector<std::string>& paths, const CollectOptions& options,
                   const std::function<void(std::int64_t files, std::int64_t of)>& progress) {
  Collection collection;
  std::unordered_map<std::uint64_t, std::size_t> known;
  const std::vector<Found> files = FindFiles(paths);
  std::int64_t done = 0;
  for (const Found& found : files) {
    if (progress) progress(done++, static_cast<std::int64_t>(files.size()));
    try {
      const std::unique_ptr<ProblemSource> source = OpenSource(found.path.string());
      const auto index = static_cast<int>(collection.sources.size());
      collection.sources.push_back(Describe(found, *source, options));
      for (std::int64_t step = 0; step < source->steps(); ++step) {
        const SourceStep read = source->Read(step);
        CollectedProblem problem;
        problem.source = index;
        problem.step = step;
        problem.checksum = ProblemChecksum(read.step.problem);
        const auto [twin, is_new] = known.emplace(problem.checksum, collection.problems.size());
        if (!is_new) {
          ++collection.problems[twin->second].copies;
          continue;
        }
        problem.features = FeaturesOf(read.step.problem, options.most_rank_rows);
        collection.problems.push_back(std::move(problem));
      }
    } catch (const FileError& error) {
      collection.remarks.emplace_back(error.what());
    }
  }
  return collection;
}

}  // namespace nonsmooth
