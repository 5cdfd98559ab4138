// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What an explanation says, on problems whose answers are known.
#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/problem_builder.h"
#include "recorders/capture/capture_reader.h"
#include "recorders/explain/explanation.h"
#include "recorders/explain/si_text.h"
#include "tests/recorders/support/run_cli.h"

namespace nonsmooth {
namespace {

/// Of unit mass and inertia, moving with v along x.
Body UnitBody(double v = 0, double mass = 1) {
  Body body;
  body.inverse_mass.fill(1 / mass);
  for (int i : {0, 4, 8}) body.inverse_inertia[i] = 1 / mass;
  body.velocity[0] = v;
  return body;
}

/// Holds body b along x at a speed.
TwoBodyRow Hold(int body, double speed) {
  TwoBodyRow row;
  row.body_b = body;
  row.jacobian[6] = 1;
  row.bias = -speed;
  return row;
}

// Two joints that hold one body along x are of rank 1 and agree where both want the same.
TEST(JointRank, ARepeatedRowIsRedundant) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody(3));
  builder.AddEquality(Hold(0, 0));
  builder.AddEquality(Hold(0, 0));
  const JointRank rank = RankOfJoints(builder.Build());
  EXPECT_TRUE(rank.computed);
  EXPECT_EQ(rank.rows, 2);
  EXPECT_EQ(rank.rank, 1);
  EXPECT_NEAR(rank.contradiction, 0, 1e-15);
  EXPECT_EQ(rank.redundant, (std::vector<int>{0, 1}));
}

// One wants 0 m/s and one 2 m/s; a = 1 for both. Nearest is 1 m/s: ½ (1² + 1²) = 1 J are left.
TEST(JointRank, RowsThatContradictLeaveTheirJoules) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody(5));
  builder.AddEquality(Hold(0, 0));
  builder.AddEquality(Hold(0, 2));
  EXPECT_NEAR(RankOfJoints(builder.Build()).contradiction, 1, 1e-12);
}

// A joint alone, and none: full rank.
TEST(JointRank, IndependentRowsHaveFullRank) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody());
  builder.AddBody(UnitBody());
  builder.AddEquality(Hold(0, 1));
  builder.AddEquality(Hold(1, 1));
  const JointRank rank = RankOfJoints(builder.Build());
  EXPECT_EQ(rank.rank, 2);
  EXPECT_TRUE(rank.redundant.empty());
}

// Compliance on the rows does not hide that they say the same.
TEST(JointRank, ComplianceIsLeftOut) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody());
  TwoBodyRow soft = Hold(0, 0);
  soft.compliance = 0.5;
  builder.AddEquality(soft);
  builder.AddEquality(soft);
  const JointRank rank = RankOfJoints(builder.Build());
  EXPECT_EQ(rank.rank, 1);
  EXPECT_TRUE(rank.compliant);
}

// Rows of two bodies of unit mass that share one: A = [[1, -1], [-1, 2]], scaled [[1, -s], [-s, 1]]
// with s = 1/√2: (1 + s) / (1 − s).
TEST(Condition, IsThatOfTheScaledMatrix) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody());
  builder.AddBody(UnitBody());
  builder.AddEquality(Hold(0, 0));
  TwoBodyRow between = Hold(1, 0);
  between.body_a = 0;
  between.jacobian[0] = -1;
  builder.AddEquality(between);
  const Condition condition = ConditionOf(builder.Build());
  ASSERT_TRUE(condition.computed);
  const double s = 1 / std::sqrt(2.0);
  EXPECT_NEAR(condition.number, (1 + s) / (1 - s), 1e-9);
  EXPECT_EQ(condition.rank, 2);
}

TEST(Condition, RepeatedRowsDoNotCount) {
  ProblemBuilder builder;
  builder.AddBody(UnitBody());
  builder.AddEquality(Hold(0, 0));
  builder.AddEquality(Hold(0, 0));
  const Condition condition = ConditionOf(builder.Build());
  EXPECT_NEAR(condition.number, 1, 1e-9);
  EXPECT_EQ(condition.rank, 1);
  EXPECT_EQ(condition.rows, 2);
}

/// A stack along x on the ground: body k rests on body k − 1.
CapturedStep Stack(const std::vector<double>& masses) {
  ProblemBuilder builder;
  CapturedStep step;
  for (double mass : masses) builder.AddBody(UnitBody(0, mass));
  for (int k = 0; k < static_cast<int>(masses.size()); ++k) {
    ContactPoint point;
    point.body_a = k - 1;
    point.body_b = k;
    point.normal = {1, 0, 0};
    point.bias = -1;
    builder.AddContact(point, {});
    step.x.insert(step.x.end(), {1, 0, 0});
  }
  step.problem = builder.Build();
  return step;
}

// 50 kg on 1 kg on 5 kg: 50 times.
TEST(LoadPath, FindsTheHeavyOnTheLight) {
  const CapturedStep step = Stack({5, 1, 50});
  const LoadPath path = LoadPathOf(step, step.x);
  EXPECT_NEAR(path.ratio, 50, 1e-12);
  EXPECT_EQ(path.heavy, 2);
  EXPECT_EQ(path.light, 1);
  EXPECT_EQ(path.length, 3);
}

// The other way round nothing rests on anything lighter.
TEST(LoadPath, LightOnHeavyIsHarmless) {
  const CapturedStep step = Stack({50, 5, 1});
  const LoadPath path = LoadPathOf(step, step.x);
  EXPECT_EQ(path.ratio, 1);
  EXPECT_EQ(path.heavy, -1);
}

// A contact that carries nothing carries no load.
TEST(LoadPath, OpenContactsDoNotCount) {
  CapturedStep step = Stack({1, 50});
  step.x[3] = 0;
  EXPECT_EQ(LoadPathOf(step, step.x).ratio, 1);
}

TEST(SiText, HasThreeDigitsAndAPrefix) {
  EXPECT_EQ(SiText(3.42e-5, "J"), "34.2 µJ");
  EXPECT_EQ(SiText(613e-6, "J"), "613 µJ");
  EXPECT_EQ(SiText(-0.00025, "m"), "-250 µm");
  EXPECT_EQ(SiText(0.99999, "s"), "1.00 s");
  EXPECT_EQ(SiText(999.9e-6, "s"), "1.00 ms");
  EXPECT_EQ(SiText(0, "J"), "0 J");
  EXPECT_EQ(SiText(kUnknown, "J"), "-");
  EXPECT_EQ(SiText(1e-20, "J"), "1.00e-20 J");
}

// The worst contact is the one with the most joules, and shares add up to less than everything.
TEST(Explain, ListsTheWorstFirst) {
  const CapturedStep step = CaptureReader(DataFile("bullet/brick_wall.h5")).Read(0);
  ExplainOptions options;
  options.trials = {"psor"};
  options.worst = 1000;
  const Explanation e = Explain(step, 0, options);
  EXPECT_EQ(e.solver, "engine");
  ASSERT_EQ(e.worst.size(), step.problem.groups().size());
  double sum = 0;
  for (std::size_t k = 0; k < e.worst.size(); ++k) {
    sum += e.worst[k].joules;
    if (k > 0) {
      EXPECT_LE(e.worst[k].joules, e.worst[k - 1].joules);
    }
  }
  EXPECT_NEAR(sum, e.joules, 1e-12 * e.joules);
  EXPECT_EQ(e.sticking + e.sliding + e.open, e.contacts);
  ASSERT_EQ(e.trials.size(), 1U);
  EXPECT_EQ(e.trials[0].solver, "psor");
  EXPECT_NE(ExplanationText(e).find(e.worst[0].name), std::string::npos);
}

// Nothing can mend joints that contradict each other, and the advice says so.
TEST(Explain, TellsOfContradictions) {
  CapturedStep step;
  ProblemBuilder builder;
  builder.AddBody(UnitBody(5));
  builder.AddEquality(Hold(0, 0));
  builder.AddEquality(Hold(0, 2));
  step.problem = builder.Build();
  step.x = {-4, 0};
  ExplainOptions options;
  options.trials = {"psor"};
  const Explanation e = Explain(step, 7, options);
  EXPECT_EQ(e.step, 7);
  EXPECT_NE(e.advice.find("contradict"), std::string::npos) << e.advice;
  EXPECT_NE(e.advice.find("1.00 J"), std::string::npos) << e.advice;
  EXPECT_NE(e.advice.find("joint 0"), std::string::npos) << e.advice;
}

TEST(Explain, NothingToSolveIsSaid) {
  const Explanation e = Explain(CapturedStep(), 0, {});
  EXPECT_NE(e.advice.find("nothing to solve"), std::string::npos);
}

}  // namespace
}  // namespace nonsmooth
