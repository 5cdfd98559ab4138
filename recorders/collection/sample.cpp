// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/util/check.h"
#include "recorders/collection/collection.h"
#include "recorders/format/xxhash64.h"

namespace nonsmooth {
namespace {

/// "64-127", "0", "0.25-0.5": between powers of two.
std::string Octave(double value, bool whole) {
  if (std::isnan(value) || value < 0) return "unknown";
  if (value == 0) return "0";
  const double low = std::exp2(std::floor(std::log2(value)));
  if (!whole) return fmt::format("{:g}-{:g}", low, 2 * low);
  return low == 1 ? "1" : fmt::format("{:g}-{:g}", low, 2 * low - 1);
}

using KeyValue = std::string (*)(const CollectedProblem&, const CollectedSource&);

const std::vector<std::pair<std::string, KeyValue>>& Keys() {
  static const std::vector<std::pair<std::string, KeyValue>> kKeys{
      {"contacts", [](const CollectedProblem& p,
                      const CollectedSource&) { return Octave(p.features.contacts, true); }},
      {"rows", [](const CollectedProblem& p,
                  const CollectedSource&) { return Octave(p.features.rows, true); }},
      {"joints", [](const CollectedProblem& p,
                    const CollectedSource&) { return Octave(p.features.joint_share, false); }},
      {"friction", [](const CollectedProblem& p,
                      const CollectedSource&) { return Octave(p.features.friction_max, false); }},
      {"mass_ratio", [](const CollectedProblem& p,
                        const CollectedSource&) { return Octave(p.features.mass_ratio, false); }},
      {"rank_deficiency",
       [](const CollectedProblem& p, const CollectedSource&) {
         return Octave(p.features.rank_deficiency, true);
       }},
      {"law",
       [](const CollectedProblem& p, const CollectedSource&) {
         return p.features.law.empty() ? "none" : p.features.law;
       }},
      {"source", [](const CollectedProblem&, const CollectedSource& s) { return s.path; }},
      {"format", [](const CollectedProblem&, const CollectedSource& s) { return s.format; }},
      {"engine", [](const CollectedProblem&, const CollectedSource& s) { return s.engine; }},
  };
  return kKeys;
}

/// How many each stratum gives: the same number, and what small ones cannot give comes from the
/// others, one by one in their order.
std::vector<std::size_t> Shares(const std::vector<std::size_t>& sizes, std::size_t count) {
  std::vector<std::size_t> shares(sizes.size());
  std::size_t left = count;
  for (bool given = true; given && left > 0;) {
    std::size_t open = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) open += shares[k] < sizes[k] ? 1 : 0;
    const std::size_t each = std::max<std::size_t>(1, open > 0 ? left / open : 0);
    given = false;
    for (std::size_t k = 0; k < sizes.size() && left > 0; ++k) {
      const std::size_t more = std::min({each, left, sizes[k] - shares[k]});
      shares[k] += more;
      left -= more;
      given = given || more > 0;
    }
  }
  return shares;
}

}  // namespace

std::vector<std::string> StratumKeys() {
  std::vector<std::string> names;
  for (const auto& [name, value] : Keys()) names.push_back(name);
  return names;
}

std::string StratumOf(const Collection& collection, const CollectedProblem& problem,
                      const std::vector<std::string>& keys) {
  std::string stratum;
  for (const std::string& key : keys) {
    const auto found = std::find_if(Keys().begin(), Keys().end(),
                                    [&key](const auto& k) { return k.first == key; });
    if (found == Keys().end()) {
      std::string names;
      for (const std::string& name : StratumKeys()) names += (names.empty() ? "" : ", ") + name;
      Require(false, "stratify: '", key, "' is not one of ", names);
    }
    const CollectedSource& source = collection.sources[static_cast<std::size_t>(problem.source)];
    stratum +=
        fmt::format("{}{} {}", stratum.empty() ? "" : ", ", key, found->second(problem, source));
  }
  return stratum.empty() ? "all" : stratum;
}

Collection Sample(const Collection& collection, std::int64_t count,
                  const std::vector<std::string>& keys, std::uint64_t seed) {
  Require(count > 0, "sample: count = ", count, " violates 1 <= count");
  using Drawn = std::pair<std::uint64_t, std::size_t>;  // hash, index of the problem
  std::map<std::string, std::vector<Drawn>> strata;
  for (std::size_t k = 0; k < collection.problems.size(); ++k) {
    const CollectedProblem& problem = collection.problems[k];
    strata[StratumOf(collection, problem, keys)].emplace_back(
        XxHash64(&problem.checksum, sizeof problem.checksum, seed), k);
  }
  std::vector<std::size_t> sizes;
  for (const auto& [name, drawn] : strata) sizes.push_back(drawn.size());
  const std::vector<std::size_t> shares = Shares(sizes, static_cast<std::size_t>(count));
  std::vector<std::size_t> chosen;
  std::size_t s = 0;
  for (auto& [name, drawn] : strata) {
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t k = 0; k < shares[s]; ++k) chosen.push_back(drawn[k].second);
    ++s;
  }
  std::sort(chosen.begin(), chosen.end());
  Collection sample;
  sample.remarks = collection.remarks;
  std::map<int, int> sources;  // those that are still needed
  for (const std::size_t k : chosen) {
    CollectedProblem problem = collection.problems[k];
    const auto [source, is_new] =
        sources.emplace(problem.source, static_cast<int>(sample.sources.size()));
    if (is_new) {
      sample.sources.push_back(collection.sources[static_cast<std::size_t>(problem.source)]);
    }
    problem.source = source->second;
    sample.problems.push_back(std::move(problem));
  }
  return sample;
}

}  // namespace nonsmooth
