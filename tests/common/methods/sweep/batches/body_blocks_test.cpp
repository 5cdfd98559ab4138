// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/body_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace nonsmooth {
namespace {

constexpr int kSide = 12;
constexpr int kBodies = kSide * kSide * kSide;

/// A lattice of bodies that touch their neighbours along the axes, and the ground below; numbered
/// layer by layer, or as `number` says.
std::vector<BodyPair> Lattice(const std::vector<int>& number) {
  std::vector<BodyPair> pairs;
  const auto body = [&](int x, int y, int z) { return number[(z * kSide + y) * kSide + x]; };
  for (int z = 0; z < kSide; ++z) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        if (z == 0) pairs.push_back({-1, body(x, y, z)});
        if (x > 0) pairs.push_back({body(x - 1, y, z), body(x, y, z)});
        if (y > 0) pairs.push_back({body(x, y - 1, z), body(x, y, z)});
        if (z > 0) pairs.push_back({body(x, y, z - 1), body(x, y, z)});
      }
    }
  }
  return pairs;
}

std::vector<int> InOrder() {
  std::vector<int> number(kBodies);
  std::iota(number.begin(), number.end(), 0);
  return number;
}

std::vector<int> Shuffled() {
  std::vector<int> number = InOrder();
  test::Random random(7);
  for (int i = kBodies - 1; i > 0; --i) std::swap(number[i], number[random.Index(i + 1)]);
  return number;
}

// Whatever is swept at the same time shares no body, and hardly anything has to wait for the end:
// also where numbers say nothing about who touches whom.
TEST(BodyBlocks, PartsOfOnePhaseShareNoBody) {
  for (const std::vector<int>& number : {InOrder(), Shuffled()}) {
    const std::vector<BodyPair> pairs = Lattice(number);
    BodyBlocks blocks;
    blocks.Cut(pairs, kBodies);
    std::array<std::map<int, int>, BodyBlocks::kPhases> owner;  // of each body, by phase
    std::array<int, BodyBlocks::kPhases> count{};
    std::map<int, int> inside;
    for (const BodyPair& pair : pairs) {
      const BodyBlocks::Part part = blocks.PartOf(pair);
      ASSERT_GE(part.number, 0);
      ASSERT_LT(part.number, BodyBlocks::kMostBlocks);
      ++count[part.phase];
      if (part.phase == BodyBlocks::kInside) ++inside[part.number];
      for (const int body : {pair.a, pair.b}) {
        if (body < 0) continue;
        const auto [entry, added] = owner[part.phase].emplace(body, part.number);
        EXPECT_EQ(entry->second, part.number) << "body " << body << ", phase " << part.phase;
      }
    }
    const auto all = static_cast<double>(pairs.size());
    EXPECT_LT(count[BodyBlocks::kElsewhere], 0.05 * all);
    EXPECT_GT(count[BodyBlocks::kInside], 0.25 * all);
    ASSERT_GE(inside.size(), static_cast<std::size_t>(BodyBlocks::kFewestBlocks));
    // Blocks are of about the same weight.
    const double mean = all / static_cast<double>(inside.size());
    for (const auto& [number_of_block, contacts] : inside) EXPECT_LT(contacts, 2 * mean);
  }
}

// Everything touches one body: nothing can be done at once, and nothing is lost.
TEST(BodyBlocks, AHubLeavesNothingToShareOut) {
  std::vector<BodyPair> pairs;
  for (int i = 1; i < 1000; ++i) pairs.push_back({0, i});
  BodyBlocks blocks;
  blocks.Cut(pairs, 1000);
  std::set<std::pair<int, int>> parts;
  for (const BodyPair& pair : pairs) {
    const BodyBlocks::Part part = blocks.PartOf(pair);
    EXPECT_GE(part.phase, 0);
    EXPECT_LT(part.phase, BodyBlocks::kPhases);
    parts.insert({part.phase, part.number});
  }
  EXPECT_GE(parts.size(), 1U);
}

}  // namespace
}  // namespace nonsmooth
