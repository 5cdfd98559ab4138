// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/outcomes/solver_choice.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nonsmooth::demo {
namespace {

// What is not named stays open, for engine and plugin to choose.
TEST(SolverChoice, LeavesOpenWhatIsNotNamed) {
  const SolverChoice choice = ParseSolverChoice("auto");
  EXPECT_EQ(choice.options.solver, "auto");
  EXPECT_FALSE(choice.options.law.has_value());
  EXPECT_FALSE(choice.options.iterations.has_value());
  EXPECT_FALSE(choice.options.relative_tolerance.has_value());
  EXPECT_FALSE(choice.options.two_friction_directions);
  EXPECT_EQ(choice.substeps, 1);
}

TEST(SolverChoice, ReadsEveryPart) {
  const SolverChoice choice = ParseSolverChoice("psor:ncp:it50:sub2:tol1e-12:dl0.5:2d");
  EXPECT_EQ(choice.text, "psor:ncp:it50:sub2:tol1e-12:dl0.5:2d");
  EXPECT_EQ(choice.options.solver, "psor");
  EXPECT_EQ(choice.options.law->kind, LawKind::kNcp);
  EXPECT_EQ(choice.options.iterations, 50);
  EXPECT_EQ(choice.substeps, 2);
  EXPECT_EQ(choice.options.relative_tolerance, 1e-12);
  EXPECT_EQ(choice.options.deadline_ms, 0.5);
  EXPECT_TRUE(choice.options.two_friction_directions);
  EXPECT_EQ(ParseSolverChoice("psor:pyramid8").options.law->kind, LawKind::kPyramid);
}

TEST(SolverChoice, KnowsSolversOfTheEngine) {
  EXPECT_EQ(ParseSolverChoice("engine").options.solver, "engine");
  const SolverChoice nncg = ParseSolverChoice("engine:nncg:it20");
  EXPECT_EQ(nncg.options.solver, "engine:nncg");
  EXPECT_EQ(nncg.options.engine_solver(), "nncg");
  EXPECT_EQ(nncg.options.iterations, 20);
}

TEST(SolverChoice, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "nobody", "auto:nobody", "auto:it", "auto:it0", "auto:sub-1",
                           "auto:tolx", "auto:pyramid2"}) {
    EXPECT_THROW(ParseSolverChoice(text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace nonsmooth::demo
