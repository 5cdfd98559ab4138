// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The short form of docs/outcomes.md: scenes that pass in Bullet today, and have to tomorrow.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "demos/bullet/bullet_engine.h"
#include "demos/outcomes/outcome_run.h"

namespace nonsmooth::demo {
namespace {

struct Case {
  const char* scene;
  const char* solver;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.scene << " with " << c.solver; }

class MustPass : public testing::TestWithParam<Case> {};

// Each measure is within the limit of its scene, in Outcomes(), for two placements.
TEST_P(MustPass, WithinItsLimit) {
  const std::vector<Outcome> all = Outcomes();
  const auto outcome = std::find_if(
      all.begin(), all.end(), [](const Outcome& o) { return o.world.name == GetParam().scene; });
  ASSERT_NE(outcome, all.end());
  const OutcomeResult result =
      RunOutcome(*outcome, BulletEngine(), ParseSolverChoice(GetParam().solver), 2);
  EXPECT_TRUE(result.passed()) << result.what << " " << result.measure << " " << result.unit
                               << ", limit " << result.limit;
}

INSTANTIATE_TEST_SUITE_P(
    ByDefault, MustPass,
    testing::Values(Case{"S1 1", "auto"}, Case{"S1 10", "auto"}, Case{"S1 100", "auto"},
                    Case{"S1 1000", "auto"}, Case{"S2", "auto"}, Case{"S3", "auto"},
                    Case{"S4", "auto"}, Case{"S5h", "auto"}, Case{"S7", "auto"}, Case{"S9", "auto"},
                    Case{"S10 26.0 0", "auto"}, Case{"S8", "auto"}, Case{"S10 27.2 0", "auto"},
                    Case{"S10 27.2 30", "auto"}, Case{"S10 27.2 45", "auto"}, Case{"S11", "auto"}));

INSTANTIATE_TEST_SUITE_P(
    CoulombSolvedToTheEnd, MustPass,
    testing::Values(Case{"S1 100", "auto:ncp:it101"}, Case{"S1 1000", "auto:ncp:it101"},
                    Case{"S2", "auto:ncp:it101"}, Case{"S3", "exact:ncp:it101"},
                    Case{"S5h", "exact:ncp:it101"}, Case{"S7", "auto:ncp:it101"},
                    Case{"S9", "auto:ncp:it101"}, Case{"S10 26.0 0", "auto:ncp:it101"},
                    Case{"S10 26.0 30", "auto:ncp:it101"}, Case{"S10 26.0 45", "auto:ncp:it101"}));

}  // namespace
}  // namespace nonsmooth::demo
