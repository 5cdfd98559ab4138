// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/sweep/pjacobi.h"

#include <gtest/gtest.h>

#include "common/solve/driver.h"
#include "demos/scenes/random.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

FeasibleSet Under(const Problem& problem, LawKind law) {
  FeasibleSet set;
  set.Reset(problem, {law, 0}, nullptr);
  return set;
}

// One ball with three equal frictionless contacts: each gets a third of the ball, s = 3.
TEST(Pjacobi, ScaleOfOneRowContactsIsTheirNumberOnTheBody) {
  ProblemBuilder builder;
  const int ball = builder.AddSphere(2, 0.5, {0, 0, -0.1});
  TwoBodyRow row;
  row.body_b = ball;
  row.jacobian[8] = 1;
  for (int i = 0; i < 3; ++i) builder.AddContactRows({row}, 0, 0, 0, ContactMaterial());
  const Problem problem = builder.Build();
  const FeasibleSet set = Under(problem, LawKind::kCcp);
  PjacobiSolver solver;
  solver.Prepare(set);
  EXPECT_EQ(solver.scales(), (std::vector<double>{3, 3, 3}));
}

// diag(s) D − A ≥ 0: zᵀA z ≤ Σ s_g a_i z_i² for any z, in both forms; z = A-heavy vectors from
// power iteration are the hardest.
TEST(Pjacobi, ScalesMajoriseTheMatrix) {
  for (const Problem& problem :
       {SpherePile(60, 2), AsMatrix(SpherePile(60, 2)), BoxStack(4), AsSparse(BoxStack(4))}) {
    const FeasibleSet set = Under(problem, LawKind::kNcp);
    PjacobiSolver solver;
    solver.Prepare(set);
    const int n = problem.rows();
    std::vector<double> scaled(n);
    for (std::size_t g = 0; g < problem.groups().size(); ++g) {
      const RowGroup& group = problem.groups()[g];
      for (int i = group.first_row; i < group.first_row + group.size; ++i) {
        scaled[i] = solver.scales()[g] * set.weights()[i];
      }
    }
    Random random(1);
    std::vector<double> z(n);
    for (double& value : z) value = random.Uniform(-1, 1);
    std::vector<double> az(n);
    OperatorWorkspace workspace;
    double quotient = 0;
    for (int k = 0; k < 100; ++k) {
      problem.dynamics().Multiply(z.data(), az.data(), workspace);
      double zaz = 0;
      double zsz = 0;
      for (int i = 0; i < n; ++i) {
        zaz += z[i] * az[i];
        zsz += z[i] * scaled[i] * z[i];
      }
      quotient = zaz / zsz;
      for (int i = 0; i < n; ++i) z[i] = az[i] / scaled[i];
    }
    EXPECT_LE(quotient, 1 + 1e-12);
    EXPECT_GT(quotient, 0.1) << "far too cautious";
  }
}

// At ω = 1 the objective ½ xᵀA x + bᵀx of a convex law falls with every iteration, on a stack where
// plain Jacobi (s = 1) diverges.
TEST(Pjacobi, ObjectiveFallsMonotonically) {
  const Problem problem = BoxStack(3);
  double last = 0;  // at x = 0
  for (int iterations = 1; iterations <= 30; ++iterations) {
    Driver driver("pjacobi");
    SolveOptions options;
    options.law = {LawKind::kCcp, 0};
    options.max_iterations = iterations;
    options.measure_every = iterations;
    Solution solution;
    const Result result = driver.Solve(problem, options, solution);
    ASSERT_EQ(result.iterations, iterations);
    if (result.best_iteration != iterations) continue;
    double objective = 0;
    for (int i = 0; i < problem.rows(); ++i) {
      objective += 0.5 * solution.x[i] * (solution.w[i] + problem.dynamics().bias()[i]);
    }
    EXPECT_LE(objective, last);
    last = objective;
  }
  EXPECT_LT(last, 0);
}

TEST(Pjacobi, RefusesRelaxationOutOfRange) {
  Driver driver("pjacobi");
  EXPECT_THROW(Set("pjacobi", driver.Options(), "relaxation", "2"), std::invalid_argument);
}

}  // namespace
}  // namespace nonsmooth
