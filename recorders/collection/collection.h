// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "features.h"

namespace nonsmooth {

/// A file that problems come from.
struct CollectedSource {
  std::string path;  ///< as it can be opened from here
  std::string format;
  std::string engine;
  std::string scene;
  std::string uuid;
  std::string licence;  ///< text: the nearest LICENSE, LICENCE or COPYING, or what was given
  std::string origin;   ///< text: the nearest ORIGIN or README, or what was given
};

struct CollectedProblem {
  int source = 0;
  std::int64_t step = 0;  ///< index in the source
  std::uint64_t checksum = 0;
  int copies = 0;  ///< further problems with this checksum, left out
  ProblemFeatures features;
};

/// Problems from many files as one thing.
struct Collection {
  std::vector<CollectedSource> sources;
  std::vector<CollectedProblem> problems;  ///< by source and step
  std::vector<std::string> remarks;        ///< what was passed over, and why
};

struct CollectOptions {
  int most_rank_rows = 300;
  std::string licence;  ///< of sources that have no file of it
  std::string origin;
};

/// Looks at every problem of all files below the folders (*.h5, *.hdf5; and files given as such),
/// in the order of their names. What holds no problems is told in the remarks. Throws FileError
/// where there is no such path.
Collection Collect(const std::vector<std::string>& paths, const CollectOptions& options,
                   const std::function<void(std::int64_t files, std::int64_t of)>& progress = {});

/// Names that problems can be divided by: contacts, rows, joints, friction, mass_ratio,
/// rank_deficiency (by powers of two), law, source, format, engine.
std::vector<std::string> StratumKeys();

/// The stratum of a problem, e.g. "contacts 64-127, law ncp". Throws std::invalid_argument for an
/// unknown key.
std::string StratumOf(const Collection& collection, const CollectedProblem& problem,
                      const std::vector<std::string>& keys);

/// At most `count` problems: every stratum gives the same number, as far as it has so many, and
/// which ones is decided by a hash of checksum and seed. The same problems are drawn whatever
/// folder they lie in and in whatever order they were found.
Collection Sample(const Collection& collection, std::int64_t count,
                  const std::vector<std::string>& keys, std::uint64_t seed);

enum class CollectHow {
  kLink,  ///< external links to the sources, relative to the collection
  kCopy,  ///< a capture of the problems alone, which any program that reads captures takes
};

/// Writes the collection with features and provenance, docs/collections.md. Throws FileError.
void WriteCollection(const std::string& path, const Collection& collection, CollectHow how);

}  // namespace nonsmooth
