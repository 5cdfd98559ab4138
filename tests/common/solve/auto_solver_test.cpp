// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/auto_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/solve/driver.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

class Auto : public testing::Test {
 protected:
  const Result& Solve(const Problem& problem) {
    driver_.Solve(problem, options_, nullptr, solution_, result_);
    return result_;
  }

  Driver driver_{"auto"};
  SolveOptions options_;
  Solution solution_;
  Result result_;
};

// What a few sweeps solve is left to sweeps, and the result says so.
TEST_F(Auto, TakesTheCheapestWhereThatIsEnough) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-3;
  const Result& result = Solve(BoxStack(4));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: nncg");
  EXPECT_EQ(result.fallbacks, 0);
}

// A stack of ten needs thousands of sweeps to 1e-10 and a few factorisations: the change is counted
// and named.
TEST_F(Auto, ChangesWhereProgressIsTooSlow) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-10;
  options_.max_iterations = 5000;
  Set("auto", driver_.Options(), "patience", "20");
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: nncg, too slow, then alart_curnier");
  EXPECT_EQ(result.fallbacks, 1);
  EXPECT_LT(result.iterations, 1000);
}

// Where the answer is asked for to rounding, sweeps are not even tried.
TEST_F(Auto, FactorisesAtOnceWhereTheToleranceIsTight) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-16;
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: alart_curnier");
}

// Rows beyond the limit are never factorised; apgd is next.
TEST_F(Auto, DoesNotFactoriseWhatIsTooLarge) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-10;
  options_.max_iterations = 2000;
  Set("auto", driver_.Options(), "patience", "1");
  Set("auto", driver_.Options(), "most_factorised_rows", "10");
  const Result& result = Solve(BoxStack(10));
  EXPECT_EQ(result.remark.substr(0, 31), "auto: nncg, too slow, then apgd");
  EXPECT_GE(result.fallbacks, 1);
}

// Ten or fifty iterations are sweeps, and the result says so: nothing is factorised, and no
// iteration is spent on a change.
TEST_F(Auto, TakesOnlySweepsWhereIterationsAreFew) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-12;
  options_.max_iterations = 50;
  const Result& result = Solve(BoxStack(10));
  EXPECT_EQ(result.remark, "auto: psor, few iterations");
  EXPECT_EQ(result.iterations, 50);
  EXPECT_EQ(result.fallbacks, 0);
  Solve(AsMatrix(BoxStack(4)));
  EXPECT_EQ(result_.remark, "auto: alart_curnier");  // A is there, and 1e-12 is asked for
  options_.relative_tolerance = 1e-8;
  Solve(AsMatrix(BoxStack(4)));
  EXPECT_EQ(result_.remark, "auto: nsgs, few iterations");
}

// The first iterations are those of psor, bit for bit.
TEST_F(Auto, IsPsorInTheFirstFiveIterations) {
  options_.max_iterations = 5;
  for (const char* law : {"ncp", "ccp", "coupled_box"}) {
    options_.law = ParseLaw(law);
    const Problem problem = SpherePile(100, 1);
    Solve(problem);
    Solution reference;
    const Result psor = Driver("psor").Solve(problem, options_, reference);
    EXPECT_EQ(solution_.x, reference.x) << law;
    EXPECT_EQ(result_.energy.sum, psor.energy.sum) << law;
  }
}

// With the budget of an engine auto is never more than a tenth behind psor with the same budget.
TEST_F(Auto, IsNotBehindPsorWhereIterationsAreFew) {
  Driver psor("psor");
  for (const CollectionEntry& entry : Collection()) {
    for (LawKind kind : entry.laws) {
      options_.law = {kind, kind == LawKind::kPyramid ? 8 : 0};
      const Problem problem = entry.make(options_.law).problem;
      for (int most : {3, 10, 20, 50}) {
        options_.max_iterations = most;
        Solution solution;
        const Result reference = psor.Solve(problem, options_, solution);
        const Result& result = Solve(problem);
        EXPECT_LE(result.iterations, most);
        if (result.converged()) continue;
        EXPECT_LE(result.energy.sum, 1.1 * reference.energy.sum)
            << entry.name << ", " << ToString(options_.law) << ", " << most << " iterations";
      }
    }
  }
}

// Half a millisecond is less than what twenty factorisations of 120 rows are expected to take:
// none is begun, on however fast a machine, and the result says why.
TEST_F(Auto, DoesNotBeginWhatDoesNotFitTheTime) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-300;
  options_.max_iterations = 1000000000;
  options_.deadline = 0.5e-3;
  for (int step = 0; step < 3; ++step) {
    const Result& result = Solve(BoxStack(10));
    EXPECT_EQ(result.status, Status::kDeadline);
    if (result.remark.empty()) continue;  // not even begun, on a machine that stood still
    EXPECT_EQ(result.remark, "auto: nncg, no time to factorise");
  }
}

// With all the time in the world a tight tolerance is left to a factorisation, at once.
TEST_F(Auto, FactorisesWhereTheTimeAllows) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-16;
  options_.deadline = 1e6;
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: alart_curnier");
}

// One budget for all: a change does not buy more iterations.
TEST_F(Auto, KeepsToTheIterationsGiven) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 0;
  options_.energy_tolerance = 1e-300;
  for (int most : {1, 7, 60}) {
    options_.max_iterations = most;
    const Result& result = Solve(BoxStack(10));
    EXPECT_LE(result.iterations, most);
    EXPECT_FALSE(result.converged());
  }
}

// A history shows one falling curve: each stage starts at the best iterate of those before.
TEST_F(Auto, StartsEachStageAtTheBestIterate) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-10;
  options_.max_iterations = 5000;
  options_.history = true;
  Set("auto", driver_.Options(), "patience", "20");
  const Result& result = Solve(BoxStack(10));
  ASSERT_EQ(result.fallbacks, 1);
  // The second stage measures what it starts from: within rounding the least of all before.
  double best = result.history.front().energy;
  double nearest = 1;
  for (std::size_t k = 1; k < result.history.size(); ++k) {
    nearest = std::min(nearest, std::abs(result.history[k].energy / best - 1));
    best = std::min(best, result.history[k].energy);
  }
  EXPECT_LT(nearest, 1e-6);
  EXPECT_NEAR(best, result.energy.sum, 1e-6 * best);
}

}  // namespace
}  // namespace nonsmooth
