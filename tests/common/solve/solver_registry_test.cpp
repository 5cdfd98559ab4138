// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/solve/solver_registry.h"

#include <gtest/gtest.h>

#include <set>

namespace nonsmooth {
namespace {

TEST(SolverRegistry, EverySolverIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const SolverInfo& info : Solvers()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " is there twice";
    EXPECT_EQ(&FindSolver(info.name), &info);
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_FALSE(info.reference.empty()) << info.name;
    EXPECT_NE(info.make(), nullptr) << info.name;
  }
  EXPECT_GE(names.size(), 4U);
}

// `native` stands for the laws of the contacts; a solver that listed it would promise them all.
TEST(SolverRegistry, EverySolverSaysWhichLawsItHandles) {
  for (const SolverInfo& info : Solvers()) {
    EXPECT_FALSE(info.laws.empty()) << info.name;
    EXPECT_FALSE(info.Handles(LawKind::kNative)) << info.name;
    for (LawKind law : info.laws) EXPECT_TRUE(info.Handles(law)) << info.name;
  }
}

}  // namespace
}  // namespace nonsmooth
