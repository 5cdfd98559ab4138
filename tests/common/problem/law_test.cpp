// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/law.h"

#include <gtest/gtest.h>

#include "tests/support/expect_refusal.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

TEST(Law, TextIsReadBackToTheSameLaw) {
  for (const char* text :
       {"native", "box", "coupled_box", "pyramid:3", "pyramid:8", "pyramid:1024", "ccp", "ncp"}) {
    EXPECT_EQ(ToString(ParseLaw(text)), text);
  }
}

TEST(Law, PyramidHasEightFacetsUnlessToldOtherwise) {
  EXPECT_EQ(ParseLaw("pyramid"), (Law{LawKind::kPyramid, 8}));
}

// Facets tell pyramids apart and mean nothing to other laws.
TEST(Law, FacetsCountForPyramidsOnly) {
  EXPECT_NE((Law{LawKind::kPyramid, 4}), (Law{LawKind::kPyramid, 8}));
  EXPECT_EQ((Law{LawKind::kCcp, 4}), (Law{LawKind::kCcp, 8}));
}

TEST(Law, UnknownTextIsAnsweredWithWhatThereIs) {
  for (const char* text : {"", "NCP", "ncp ", "ccp:4", "pyramid:", "pyramid:2", "pyramid:-8",
                           "pyramid:8x", "pyramid:1025", "pyramid:99999999999", "coulomb"}) {
    test::ExpectRefusal([&] { (void)ParseLaw(text); },
                        {"law '", text, "native, box, coupled_box, pyramid:K", "ccp, ncp"});
  }
}

}  // namespace
}  // namespace nonsmooth
