// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "recorders/capture/capture_writer.h"
#include "recorders/collection/collection.h"
#include "recorders/collection/collection_source.h"
#include "recorders/hdf5/file.h"
#include "recorders/hdf5/replacement_file.h"
#include "recorders/replay/provenance.h"

namespace nonsmooth {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Links are relative, so that collection and sources can be moved together.
std::string LinkTo(const std::string& source, const std::string& collection) {
  const fs::path folder = fs::absolute(collection).parent_path();
  return fs::absolute(source)
      .lexically_normal()
      .lexically_relative(folder.lexically_normal())
      .string();
}

std::string SourcesJson(const Collection& collection, const std::string& path) {
  Json sources = Json::array();
  for (const CollectedSource& source : collection.sources) {
    sources.push_back({{"path", LinkTo(source.path, path)},
                       {"format", source.format},
                       {"engine", source.engine},
                       {"scene", source.scene},
                       {"uuid", source.uuid},
                       {"licence", source.licence},
                       {"origin", source.origin}});
  }
  return sources.dump(1, ' ', false, Json::error_handler_t::replace);
}

template <class T, class Of>
void Column(const hdf5::Group& group, const char* name, const Collection& collection,
            const Of& value_of) {
  std::vector<T> values;
  for (const CollectedProblem& problem : collection.problems) values.push_back(value_of(problem));
  group.Write<T>(name, values);
}

/// /collection: where problems come from, and what they are like.
void WriteTables(const hdf5::Group& file, const Collection& collection, const std::string& path) {
  const hdf5::Group group = file.CreateGroup("collection");
  group.WriteText("sources", SourcesJson(collection, path));
  using P = CollectedProblem;
  Column<std::int32_t>(group, "source", collection, [](const P& p) { return p.source; });
  Column<std::int64_t>(group, "step", collection, [](const P& p) { return p.step; });
  Column<std::uint64_t>(group, "checksum", collection, [](const P& p) { return p.checksum; });
  Column<std::int32_t>(group, "copies", collection, [](const P& p) { return p.copies; });
  Column<std::int32_t>(group, "contacts", collection,
                       [](const P& p) { return p.features.contacts; });
  Column<std::int32_t>(group, "rows", collection, [](const P& p) { return p.features.rows; });
  Column<std::int32_t>(group, "velocities", collection,
                       [](const P& p) { return p.features.velocities; });
  Column<std::int32_t>(group, "rank_deficiency", collection,
                       [](const P& p) { return p.features.rank_deficiency; });
  Column<double>(group, "joint_share", collection,
                 [](const P& p) { return p.features.joint_share; });
  Column<double>(group, "mass_ratio", collection, [](const P& p) { return p.features.mass_ratio; });
  Column<double>(group, "effective_mass_ratio", collection,
                 [](const P& p) { return p.features.effective_mass_ratio; });
  Column<double>(group, "friction_min", collection,
                 [](const P& p) { return p.features.friction_min; });
  Column<double>(group, "friction_max", collection,
                 [](const P& p) { return p.features.friction_max; });
  std::string laws;
  for (const P& problem : collection.problems) laws += problem.features.law + "\n";
  group.WriteText("law", laws);
}

/// /links/<source>, for programs that follow HDF5's external links.
void WriteLinks(const hdf5::Group& file, const Collection& collection, const std::string& path) {
  const hdf5::Group links = file.CreateGroup("links");
  for (std::size_t k = 0; k < collection.sources.size(); ++k) {
    const std::string name = std::to_string(k);
    links.Check(H5Lcreate_external(LinkTo(collection.sources[k].path, path).c_str(), "/",
                                   links.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                "cannot make an external link");
  }
}

void WriteCopies(const std::string& draft, const Collection& collection) {
  CaptureInfo info;
  info.scene = "collection";
  CaptureWriter writer(draft, info);
  std::unique_ptr<ProblemSource> source;
  int open = -1;
  for (const CollectedProblem& problem : collection.problems) {
    if (problem.source != open) {
      source = OpenSource(collection.sources[static_cast<std::size_t>(problem.source)].path);
      open = problem.source;
    }
    writer.Append(source->Read(problem.step).step);
  }
  writer.Close();
}

}  // namespace

void WriteCollection(const std::string& path, const Collection& collection, CollectHow how) {
  ReplacementFile replacement(path);
  const std::string& draft = replacement.temporary_path();
  if (how == CollectHow::kCopy) WriteCopies(draft, collection);
  const hdf5::Session session;
  if (how == CollectHow::kCopy) {
    hdf5::Group file(hdf5::Handle(H5Fopen(draft.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)), path, "/");
    if (!file) file.Fail("cannot be opened for writing");
    WriteTables(file, collection, path);
    if (!file.Close()) throw FileError(path, "/", "cannot be written");
  } else {
    hdf5::File file = hdf5::File::Create(draft);
    file.WriteAttribute("format", std::string(kCollectionFormat));
    file.WriteAttribute("version", std::string("1.0"));
    file.WriteAttribute("producer", "nonsmooth " + Version());
    WriteTables(file, collection, path);
    WriteLinks(file, collection, path);
    file.Finish(path);
  }
  replacement.Commit();
}

}  // namespace nonsmooth
