// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "recorders/format/xxhash64.h"

#include <gtest/gtest.h>

#include <string>

namespace nonsmooth {
namespace {

std::uint64_t Hash(const std::string& text, std::uint64_t seed) {
  return XxHash64(text.data(), text.size(), seed);
}

// Values published with the reference implementation; the last is longer than one stripe.
TEST(XxHash64, AgreesWithTheReferenceImplementation) {
  EXPECT_EQ(Hash("", 0), 0xEF46DB3751D8E999u);
  EXPECT_EQ(Hash("a", 0), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(Hash("abc", 0), 0x44BC2CF5AD770999u);
  EXPECT_EQ(Hash("Nobody inspects the spammish repetition", 0), 0xFBCEA83C8A378BF1u);
}

// A chain hashes differently from one hash of all bytes, and depends on the order.
TEST(XxHash64, SeedChangesTheHash) {
  EXPECT_NE(Hash("abc", 0), Hash("abc", 1));
  EXPECT_NE(Hash("b", Hash("a", 0)), Hash("a", Hash("b", 0)));
}

}  // namespace
}  // namespace nonsmooth
