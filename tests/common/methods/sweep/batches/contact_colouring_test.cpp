// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/batches/contact_colouring.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "demos/scenes/random.h"

namespace nonsmooth {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Colours the contacts and checks that no two are in one lane, no body is twice in a batch, and
/// unused lanes are behind used ones. Returns the number of batches.
int Colour(int bodies, const Pairs& contacts) {
  ContactColouring colouring;
  colouring.Reset(bodies);
  std::vector<std::set<int>> bodies_of;
  std::vector<int> size;
  for (const auto& [a, b] : contacts) {
    const ContactColouring::Place place = colouring.Add(a, b);
    if (place.batch == static_cast<int>(size.size())) {
      size.push_back(0);
      bodies_of.emplace_back();
    }
    EXPECT_LT(place.batch, static_cast<int>(size.size())) << "batches are opened in order";
    EXPECT_EQ(place.lane, size[place.batch]++);
    for (int body : {a, b}) {
      if (body < 0) continue;
      EXPECT_TRUE(bodies_of[place.batch].insert(body).second)
          << "body " << body << " twice in batch " << place.batch;
    }
  }
  for (int lanes : size) EXPECT_LE(lanes, kBatch);
  EXPECT_EQ(colouring.batches(), static_cast<int>(size.size()));
  return colouring.batches();
}

TEST(ContactColouring, NoContactsMakeNoBatch) { EXPECT_EQ(Colour(3, {}), 0); }

// Contacts with the ground alone share nothing: nine of them fill one batch and start another.
TEST(ContactColouring, FixedBodiesDoNotConflict) {
  Pairs contacts;
  for (int i = 0; i < 9; ++i) contacts.emplace_back(-1, i);
  EXPECT_EQ(Colour(9, contacts), 2);
}

// A plate with 200 pebbles on it needs 200 batches, more than are open at a time.
TEST(ContactColouring, BodyWithManyContactsGetsABatchForEach) {
  Pairs contacts;
  for (int i = 0; i < 200; ++i) contacts.emplace_back(0, 1 + i);
  EXPECT_EQ(Colour(201, contacts), 200);
}

// Random pairs among many bodies: all but the last 64 batches are full.
TEST(ContactColouring, RandomContactsFillTheirBatches) {
  Random random(3);
  Pairs contacts;
  for (int i = 0; i < 5000; ++i) {
    const int a = static_cast<int>(random.Uniform(0, 2000));
    contacts.emplace_back(a, (a + 1 + static_cast<int>(random.Uniform(0, 1000))) % 2000);
  }
  EXPECT_LE(Colour(2000, contacts), 5000 / kBatch + 64);
}

}  // namespace
}  // namespace nonsmooth
