// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// The exact solvers, each against the velocities that every solution has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "common/solve/driver.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

class Agreement : public testing::TestWithParam<const char*> {};

// Wherever w is unique, each of them has it to 1e-9 of the largest free velocity (at least 1 m/s),
// under every law it handles; hence they agree with each other.
TEST_P(Agreement, UniqueVelocitiesAreMet) {
  Driver driver(GetParam());
  int compared = 0;
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : entry.laws) {
      if (!driver.info().Handles(kind)) continue;
      const Law law{kind, kind == LawKind::kPyramid ? 8 : 0};
      const TestProblem test = entry.make(law);
      if (!test.unique_w) continue;
      SolveOptions options;
      options.law = law;
      options.relative_tolerance = 1e-24;
      options.max_iterations = 20000;
      Solution solution;
      const Result result = driver.Solve(test.problem, options, solution);
      double scale = 1;
      for (double b : test.problem.dynamics().bias()) scale = std::max(scale, std::abs(b));
      double worst = 0;
      for (std::size_t i = 0; i < test.w.size(); ++i) {
        worst = std::max(worst, std::abs(solution.w[i] - test.w[i]));
      }
      EXPECT_LE(worst, 1e-9 * scale)
          << entry.name << " under " << ToString(law) << ": " << result.energy.relative;
      ++compared;
    }
  }
  EXPECT_GE(compared, 60);
}

INSTANTIATE_TEST_SUITE_P(Exact, Agreement,
                         testing::Values("bpp", "dantzig", "murty", "lemke", "ip", "alart_curnier"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace nonsmooth
