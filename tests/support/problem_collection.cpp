// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/problem_collection.h"

#include <stdexcept>

namespace nonsmooth {
namespace {

/// `entry` as a problem of another form.
CollectionEntry InOtherForm(const CollectionEntry& entry, const std::string& suffix,
                            Problem (*convert)(const Problem&)) {
  const auto make = [entry, convert](const Law& law) {
    TestProblem test = entry.make(law);
    test.problem = convert(test.problem);
    return test;
  };
  return {entry.name + suffix, make, entry.laws};
}

std::vector<CollectionEntry> MakeCollection() {
  std::vector<CollectionEntry> all;
  for (auto part : {ClosedFormProblems, RandomProblems, DegenerateProblems, PainleveProblems}) {
    for (CollectionEntry& entry : part()) all.push_back(std::move(entry));
  }
  const std::vector<CollectionEntry> packed = all;
  for (const CollectionEntry& entry : packed) {
    const bool both_ways = entry.name == "SlidingBlock" || entry.name == "RandomFullRank" ||
                           entry.name == "RandomRankDeficient" || entry.name == "RollingBall" ||
                           entry.name == "ContactBetweenFixedBodies";
    if (!both_ways) continue;
    all.push_back(InOtherForm(entry, "AsSparse", AsSparse));
    all.push_back(InOtherForm(entry, "AsMatrix", AsMatrix));
    all.push_back(
        InOtherForm(entry, "AsTrees", [](const Problem& problem) { return AsTrees(problem, 2); }));
  }
  const auto unsymmetric = [](const Law& law) {
    TestProblem test = FindProblem("RandomFullRank").make(law);
    test.problem = AsUnsymmetricMatrix(test, 1e-6);
    return test;
  };
  all.push_back({"RandomUnsymmetric", unsymmetric, AllLaws()});
  return all;
}

}  // namespace

const std::vector<LawKind>& AllLaws() {
  static const std::vector<LawKind> laws{LawKind::kBox, LawKind::kCoupledBox, LawKind::kPyramid,
                                         LawKind::kCcp, LawKind::kNcp};
  return laws;
}

const std::vector<CollectionEntry>& Collection() {
  static const std::vector<CollectionEntry> collection = MakeCollection();
  return collection;
}

const CollectionEntry& FindProblem(const std::string& name) {
  for (const CollectionEntry& entry : Collection()) {
    if (entry.name == name) return entry;
  }
  throw std::invalid_argument("no problem '" + name + "' in the collection");
}

}  // namespace nonsmooth
