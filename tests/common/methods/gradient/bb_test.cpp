// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/gradient/bb.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth {
namespace {

/// ½ xᵀA x + bᵀx after so many iterations. Energies are not measured in between, so that the last
/// iterate is returned unless the start was better.
double ObjectiveAfter(int iterations, int memory, const Problem& problem) {
  Driver driver("bb");
  Set("bb", driver.Options(), "memory", std::to_string(memory));
  Set("bb", driver.Options(), "alternate", "false");  // the long steps are the wild ones
  SolveOptions options;
  options.law = {LawKind::kCcp, 0};
  options.relative_tolerance = 0;
  options.max_iterations = iterations;
  options.measure_every = iterations;
  Solution solution;
  const Result result = driver.Solve(problem, options, solution);
  EXPECT_EQ(result.best_iteration, iterations);
  double objective = 0;
  for (int i = 0; i < problem.rows(); ++i) {
    objective += 0.5 * solution.x[i] * (solution.w[i] + problem.dynamics().bias()[i]);
  }
  return objective;
}

// The line search is at work: with a memory of M no objective exceeds the largest of the M before,
// with M = 1 it never rises, and with M = 10 it does rise in between (else the search would be
// tested by nothing).
TEST(Bb, ObjectiveStaysBelowTheLargestOfItsMemory) {
  const Problem problem = SpherePile(60, 4);
  for (int memory : {1, 10}) {
    std::vector<double> path;
    for (int k = 10; k <= 60; ++k) path.push_back(ObjectiveAfter(k, memory, problem));
    int rises = 0;
    for (std::size_t k = memory; k < path.size(); ++k) {
      const double ceiling = *std::max_element(path.begin() + k - memory, path.begin() + k);
      EXPECT_LE(path[k], ceiling + 1e-13 * std::abs(ceiling)) << "memory " << memory << " " << k;
      if (path[k] > path[k - 1] * (1 - 1e-13)) ++rises;
    }
    EXPECT_EQ(rises > 0, memory > 1);
  }
}

// A starting point outside the bounds (negative normals, friction without normal force) is no
// obstacle: the iterate that is returned is feasible.
TEST(Bb, InfeasibleStartIsProjectedFirst) {
  const Problem problem = BoxStack(2);
  const std::vector<double> start(problem.rows(), -3.0);
  Driver driver("bb");
  Solution solution;
  Result result;
  driver.Solve(problem, SolveOptions(), &start, solution, result);
  EXPECT_TRUE(result.converged());
  for (int c = 0; c < problem.contacts(); ++c) EXPECT_GE(solution.x[3 * c], 0);
}

TEST(Bb, NeedsAFewHundredIterationsWherePsorNeedsThousands) {
  SolveOptions options;
  options.max_iterations = 1000;
  for (const char* name : {"bb", "psor"}) {
    Driver driver(name);
    Solution solution;
    EXPECT_EQ(driver.Solve(BoxStack(10), options, solution).converged(),
              driver.info().name == "bb");
  }
}

TEST(Bb, RefusesMemoryOutOfRange) {
  Driver driver("bb");
  EXPECT_THROW(Set("bb", driver.Options(), "memory", "0"), std::invalid_argument);
  EXPECT_THROW(Set("bb", driver.Options(), "memory", "33"), std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth
