// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/auto_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/solve/driver.h"
#include "common/solve/step_cost.h"
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
  const Result& result = Solve(SpherePile(100));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: psor");
  EXPECT_EQ(result.fallbacks, 0);
}

// A stack of ten needs thousands of sweeps to 1e-9 and a few factorisations: the change is counted
// and named.
TEST_F(Auto, ChangesWhereProgressIsTooSlow) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-9;
  options_.max_iterations = 5000;
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: psor, too slow, then exact");
  EXPECT_EQ(result.fallbacks, 1);
  EXPECT_LT(result.iterations, 100);
}

// Where the answer is asked for to rounding, sweeps are not even tried.
TEST_F(Auto, FactorisesAtOnceWhereTheToleranceIsTight) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-16;
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: exact");
}

// Ten or fifty iterations are sweeps: an exact solution costs some hundred of them.
TEST_F(Auto, TakesOnlySweepsWhereIterationsAreFew) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-12;
  options_.max_iterations = 50;
  const Result& result = Solve(BoxStack(10));
  EXPECT_EQ(result.remark, "auto: psor");
  EXPECT_EQ(result.iterations, 50);
  EXPECT_EQ(result.fallbacks, 0);
}

// A budget counts instead of iterations: what costs more than it is not begun, and the answer is
// the same to the bit however fast the machine is. Just above the predicted cost the step is
// solved.
TEST_F(Auto, KeepsToItsBudget) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-9;
  options_.max_iterations = 1000000;
  const Problem problem = BoxStack(10);
  const StepCost cost = StepCostPredictor().Predict(problem);
  ASSERT_GT(cost.exact(), 30 * cost.sweep);
  Set("auto", driver_.Options(), "budget", std::to_string(20.5 * cost.sweep));
  const Result& result = Solve(problem);
  EXPECT_EQ(result.status, Status::kIterationLimit);
  EXPECT_EQ(result.remark, "auto: psor, budget spent");
  EXPECT_LE(result.iterations, 20);
  EXPECT_GE(result.iterations, 1);
  const std::vector<double> x = solution_.x;
  Solve(problem);
  EXPECT_EQ(solution_.x, x);
  Set("auto", driver_.Options(), "budget", std::to_string(4 * cost.exact()));
  EXPECT_TRUE(Solve(problem).converged());
}

// More iterations never make the result worse.
TEST_F(Auto, MoreIterationsAreNeverWorse) {
  options_.law = ParseLaw("ncp");
  for (const Problem& problem : {BrickWall(), BoxStack(12), SpherePile(100, 1), Chain(12, 100)}) {
    double before = 1;
    for (int most = 1; most <= 4096; most *= 2) {
      options_.max_iterations = most;
      const double relative = Solve(problem).energy.relative;
      EXPECT_LE(relative, std::max(1.2 * before, options_.relative_tolerance)) << most;
      before = relative;
    }
    EXPECT_LE(before, options_.relative_tolerance);
  }
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

// With all the time in the world a tight tolerance is left to a factorisation, at once.
TEST_F(Auto, FactorisesWhereTheTimeAllows) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-16;
  options_.deadline = 1e6;
  const Result& result = Solve(BoxStack(10));
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.remark, "auto: exact");
}

// A microsecond is no time for anything dear.
TEST_F(Auto, DoesNotBeginWhatDoesNotFitTheTime) {
  options_.law = ParseLaw("ncp");
  options_.relative_tolerance = 1e-300;
  options_.max_iterations = 1000000000;
  options_.deadline = 30e-6;
  for (int step = 0; step < 3; ++step) {
    const Result& result = Solve(BoxStack(10));
    EXPECT_EQ(result.status, Status::kDeadline);
    EXPECT_EQ(result.remark.find("exact"), std::string_view::npos);
  }
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
  options_.relative_tolerance = 1e-9;
  options_.max_iterations = 5000;
  options_.history = true;
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
