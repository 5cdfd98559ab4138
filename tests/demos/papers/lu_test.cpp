// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/lu_et_al/lu.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "common/problem/matrix_dynamics.h"
#include "demos/scenes/scenes.h"

namespace nonsmooth::papers {
namespace {

namespace fs = std::filesystem;

/// Of this process alone: several builds may run their tests at once.
fs::path Folder(const std::string& name) {
  return fs::path(testing::TempDir()) / (name + "_" + std::to_string(getpid()));
}

LuMethod Method(const std::string& name) {
  for (const LuMethod& method : LuMethods()) {
    if (method.name.rfind(name, 0) == 0) return method;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(LuMethods, AllOfTable2AreThereAndHandleTheirLaw) {
  for (const char* name : {"Lemke", "Fischer-Newton", "PGS", "Minmap-Newton", "PATH", "Fixed point",
                           "MinRes", "Jacobi", "Interior point", "NCP-prox", "Nonsmooth Newton"}) {
    const LuMethod method = Method(name);
    if (!method.solver.empty()) {
      EXPECT_TRUE(FindSolver(method.solver).Handles(method.law.kind)) << name;
    }
  }
}

// One contact without friction, A = 2, b = −1: (2 + ε 2) x = 1, reached by the first sweep.
TEST(LiteralPgs, MixingSoftensTheContact) {
  RowGroup group;
  group.kind = GroupKind::kContact;
  group.size = 1;
  const double infinity = std::numeric_limits<double>::infinity();
  const Problem problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 1, 1, {{0, 0, 2.0}}),
                                                         std::vector<double>{-1}),
                        {group}, {0}, {infinity});
  std::vector<double> seen;
  LiteralPgs(problem, {LawKind::kPyramid, 8}, 0.1, 2,
             [&](int, const double* x) { seen.push_back(x[0]); });
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0], 0);
  EXPECT_NEAR(seen[1], 1 / 2.2, 1e-15);
  EXPECT_NEAR(seen[2], 1 / 2.2, 1e-15);
}

// Exact on the facets, hence not on the cone: only the friction error remains. The method on the
// cone leaves neither.
TEST(LuConverge, FacetsLeaveAFrictionErrorAndTheConeDoesNot) {
  const std::vector<Problem> problems{SpherePile(40), SpherePile(40, 2)};
  const LuCurve lemke = Converge(Method("Lemke"), problems);
  const LuCurve newton = Converge(Method("Nonsmooth Newton"), problems);
  ASSERT_EQ(lemke.points.size(), static_cast<std::size_t>(lemke.iterations) + 1);
  EXPECT_LT(lemke.Best().total, 1e-15);
  EXPECT_LT(newton.Best().total, 1e-15);
  EXPECT_LT(newton.Best().friction, 1e-9);
  EXPECT_GT(lemke.Best().friction, 1e3 * newton.Best().friction);
  EXPECT_GT(lemke.points[0].total, 1e6 * lemke.Best().total);
}

// Forty sweeps bring the gripper's error from tenths to below 1e-3 once it holds the box.
TEST(LuGripper, MoreIterationsMoveTheDistributionToTheLeft) {
  const fs::path folder = Folder("lu_gripper");
  PaperOutput output(folder, true);
  const LuGripper errors = LuGripperErrors(output, 40);
  fs::remove_all(folder);
  ASSERT_EQ(errors.at_10.size(), 40U);
  for (std::size_t i = 20; i < 40; ++i) {
    EXPECT_GT(errors.at_10[i], 0.1) << i;
    EXPECT_LT(errors.at_40[i], 1e-3) << i;
  }
}

}  // namespace
}  // namespace nonsmooth::papers
