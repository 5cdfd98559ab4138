// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "bullet_plugin/mlcp_solver.h"
#include "tests/bullet_plugin/bullet_scene.h"

namespace nonsmooth::bullet {
namespace {

/// A problem of Bullet's form, solved by `solver`; empty if it returns false.
std::vector<double> Solve(btMLCPSolverInterface& solver, const std::vector<double>& a,
                          const std::vector<double>& b, const std::vector<double>& lower,
                          const std::vector<double>& upper, const std::vector<int>& depends) {
  const int n = static_cast<int>(b.size());
  btMatrixXu matrix(n, n);
  btVectorXu right(n), x(n), low(n), high(n);
  btAlignedObjectArray<int> dependency;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) matrix.setElem(i, j, static_cast<btScalar>(a[n * i + j]));
    right[i] = static_cast<btScalar>(b[i]);
    low[i] = static_cast<btScalar>(lower[i]);
    high[i] = static_cast<btScalar>(upper[i]);
    x[i] = 0;
    dependency.push_back(depends[i]);
  }
  if (!solver.solveMLCP(matrix, right, x, low, high, dependency, 200)) return {};
  std::vector<double> result(n);
  for (int i = 0; i < n; ++i) result[i] = x[i];
  return result;
}

// Two contacts without coupling, A = 2 I, in Bullet's order normal, normal, friction, friction with
// μ = 0.5. Pressed together by b = (2, 4): x_n = (1, 2). The first friction row needs 0.2 and gets
// it, the second 3 and gets μ x_n = 1. An equality comes last: 3 / 2.
TEST(MlcpSolver, SolvesContactsInBulletsOrder) {
  MlcpSolver solver("psor");
  std::vector<double> a(25, 0.0);
  for (int i = 0; i < 5; ++i) a[6 * i] = 2;
  const double infinity = SIMD_INFINITY;
  const std::vector<double> x = Solve(solver, a, {2, 4, 0.4, 6, 3}, {0, 0, -0.5, -0.5, -infinity},
                                      {1e10, 1e10, 0.5, 0.5, infinity}, {-1, -1, 0, 1, -1});
  ASSERT_EQ(x.size(), 5u) << solver.trouble();
  const double expected[5] = {1, 2, 0.2, 1, 1.5};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(x[i], expected[i], 1e-3) << "row " << i;
  EXPECT_EQ(solver.fallbacks(), 0);
}

// A friction row that depends on one with another lower bound than 0, and one that depends on
// itself, are no contacts: refused, and counted.
TEST(MlcpSolver, RefusesWhatIsNoContact) {
  MlcpSolver solver("psor");
  EXPECT_TRUE(Solve(solver, {2, 0, 0, 2}, {1, 1}, {-1, -0.5}, {1, 0.5}, {-1, 0}).empty());
  EXPECT_TRUE(Solve(solver, {2, 0, 0, 2}, {1, 1}, {0, -0.5}, {1, 0.5}, {-1, 1}).empty());
  EXPECT_EQ(solver.fallbacks(), 2);
  EXPECT_NE(solver.trouble().find("row 1"), std::string::npos) << solver.trouble();
}

TEST(MlcpSolver, RefusesUnknownSolvers) {
  EXPECT_THROW(MlcpSolver("no such solver"), std::invalid_argument);
}

/// Height and speed of the top box of three after two seconds.
std::pair<double, double> Stack(btMLCPSolverInterface& interface) {
  btMLCPSolver solver(&interface);
  BulletScene scene(&solver);
  scene.info().m_numIterations = 200;
  scene.info().m_splitImpulse = 0;  // one problem a step
  scene.info().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  scene.AddGround();
  for (int i = 0; i < 3; ++i) {
    scene.AddBox(btVector3(1, 1, 1), 1, btVector3(0, 0, btScalar(i + 0.5)));
  }
  scene.Step(120);
  EXPECT_EQ(solver.getNumFallbacks(), 0);
  return {scene.body(3).getWorldTransform().getOrigin().z(),
          scene.body(3).getLinearVelocity().length()};
}

// In a btMLCPSolver three boxes of 1 m stand: the top one stays at 2.5 m, at rest.
TEST(MlcpSolver, CarriesAStackInABtMlcpSolver) {
  for (const char* name : {"psor", "apgd"}) {
    MlcpSolver ours(name);
    const auto actual = Stack(ours);
    EXPECT_NEAR(actual.first, 2.5, 0.01) << name;
    EXPECT_NEAR(actual.second, 0, 0.01) << name;
    EXPECT_EQ(ours.fallbacks(), 0) << ours.trouble();
    EXPECT_GT(ours.last_solve().iterations, 0);
  }
}

}  // namespace
}  // namespace nonsmooth::bullet
