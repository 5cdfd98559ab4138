// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solvers/contact_colouring.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "demos/scenes/random.h"

namespace nonsmooth {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

ContactColouring Colour(int bodies, const Pairs& contacts) {
  ContactColouring colouring;
  colouring.Reset(bodies);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    colouring.Add(i, contacts[i].first, contacts[i].second);
  }
  colouring.Finish();
  return colouring;
}

/// Every contact in exactly one lane, no body twice in a batch, unused lanes behind used ones.
void ExpectProper(const ContactColouring& colouring, const Pairs& contacts) {
  std::set<int> seen;
  for (int k = 0; k < colouring.batches(); ++k) {
    std::set<int> bodies;
    bool ended = false;
    for (int lane = 0; lane < kBatch; ++lane) {
      const int contact = colouring.members(k)[lane];
      ended = ended || contact < 0;
      ASSERT_EQ(ended, contact < 0);
      if (ended) continue;
      EXPECT_TRUE(seen.insert(contact).second) << "contact " << contact << " twice";
      for (int body : {contacts[contact].first, contacts[contact].second}) {
        if (body < 0) continue;
        EXPECT_TRUE(bodies.insert(body).second) << "body " << body << " twice in batch " << k;
      }
    }
  }
  EXPECT_EQ(seen.size(), contacts.size());
}

TEST(ContactColouring, NoContactsMakeNoBatch) { EXPECT_EQ(Colour(3, {}).batches(), 0); }

// Contacts with the ground alone share nothing: nine of them fill one batch and start another.
TEST(ContactColouring, FixedBodiesDoNotConflict) {
  Pairs contacts;
  for (int i = 0; i < 9; ++i) contacts.emplace_back(-1, i);
  const ContactColouring colouring = Colour(9, contacts);
  ExpectProper(colouring, contacts);
  EXPECT_EQ(colouring.batches(), 2);
}

// A plate with 200 pebbles on it needs 200 batches, more than are open at a time.
TEST(ContactColouring, BodyWithManyContactsGetsABatchForEach) {
  Pairs contacts;
  for (int i = 0; i < 200; ++i) contacts.emplace_back(0, 1 + i);
  const ContactColouring colouring = Colour(201, contacts);
  ExpectProper(colouring, contacts);
  EXPECT_EQ(colouring.batches(), 200);
}

// Random pairs among many bodies: proper, and all but the last 64 batches full.
TEST(ContactColouring, RandomContactsFillTheirBatches) {
  Random random(3);
  Pairs contacts;
  for (int i = 0; i < 5000; ++i) {
    const int a = static_cast<int>(random.Uniform(0, 2000));
    contacts.emplace_back(a, (a + 1 + static_cast<int>(random.Uniform(0, 1000))) % 2000);
  }
  const ContactColouring colouring = Colour(2000, contacts);
  ExpectProper(colouring, contacts);
  EXPECT_LE(colouring.batches(), 5000 / kBatch + 64);
}

}  // namespace
}  // namespace nonsmooth
