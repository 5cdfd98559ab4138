// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Measuring only looks: how often it is done changes neither iterates nor fallbacks.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/print.h"

namespace nonsmooth {
namespace {

struct Case {
  std::string solver;
  LawKind law;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const SolverInfo& solver : Solvers()) {
    for (LawKind law : solver.laws) cases.push_back({std::string(solver.name), law});
  }
  return cases;
}

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.solver << " under " << ToString(value.law);
}

std::string Name(const testing::TestParamInfo<Case>& info) {
  return info.param.solver + "_" + std::string(ToString(info.param.law));
}

/// Those of a NaN too: `ip` has them beyond the exact solution.
bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class Measuring : public testing::TestWithParam<Case> {
 protected:
  /// Every measured iterate of a solve that only its number of iterations ends.
  std::map<int, std::vector<double>> Iterates(const Problem& problem, int iterations,
                                              int measure_every, int* fallbacks) {
    SolveOptions options;
    options.law = {GetParam().law, 8};
    options.relative_tolerance = 0;
    options.max_iterations = iterations;
    options.measure_every = measure_every;
    options.least_error = false;
    std::map<int, std::vector<double>> iterates;
    const Observer keep = [&](const IterationRecord& record, const double* x) {
      iterates[record.iteration].assign(x, x + problem.rows());
    };
    Driver driver(GetParam().solver);
    Solution solution;
    Result result;
    driver.Solve(problem, options, nullptr, solution, result, &keep);
    *fallbacks = result.fallbacks;
    return iterates;
  }

  void ExpectTheSame(const Problem& problem, int iterations) {
    int fallbacks_often = 0;
    const auto often = Iterates(problem, iterations, 1, &fallbacks_often);
    for (const int seldom : {2, 7}) {
      int fallbacks = 0;
      int last = 0;
      for (const auto& [iteration, x] : Iterates(problem, iterations, seldom, &fallbacks)) {
        const auto found = often.find(iteration);
        // One that stops by itself is measured where it stops.
        if (found == often.end()) continue;
        ASSERT_TRUE(SameBits(x, found->second))
            << "iteration " << iteration << ", measured every " << seldom;
        last = iteration;
      }
      // One that was seen to be exact has ended earlier.
      if (last == often.rbegin()->first) {
        EXPECT_EQ(fallbacks, fallbacks_often);
      }
    }
    EXPECT_GE(often.size(), 2U);
  }
};

// Towers have the slow errors that momentum and renewed laws act on.
TEST_P(Measuring, ChangesNoIterate) {
  ExpectTheSame(BoxStack(8), 42);
  ExpectTheSame(SpherePile(30), 42);
}

// More than `auto` takes for few.
TEST_P(Measuring, ChangesNoIterateOfALongerSolve) { ExpectTheSame(BoxStack(4), 140); }

INSTANTIATE_TEST_SUITE_P(Registry, Measuring, testing::ValuesIn(Cases()), Name);

}  // namespace
}  // namespace nonsmooth
