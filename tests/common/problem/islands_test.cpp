// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/islands.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "common/problem/problem_part.h"
#include "common/problem/sparse_dynamics.h"
#include "demos/scenes/scenes.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

constexpr int kTowers = 5;
constexpr int kBoxes = 3;
constexpr int kRows = kTowers * kBoxes * 4 * 3;

/// The same towers in every form.
std::vector<Problem> TowersInEveryForm() {
  const Problem packed = Towers(kTowers, kBoxes);
  return {packed, AsSparse(packed), AsMatrix(packed), AsTrees(packed, 1)};
}

std::vector<double> Ramp(std::size_t size) {
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = 1 + 0.01 * static_cast<double>(i % 37);
  return x;
}

TEST(Islands, ProblemWithoutRowsHasNone) {
  Islands islands;
  islands.Find(Problem());
  EXPECT_EQ(islands.count(), 0);
}

TEST(Islands, OneTowerIsOne) {
  Islands islands;
  islands.Find(BoxStack(4));
  EXPECT_EQ(islands.count(), 1);
}

// Towers on one ground do not know of each other: box k of every layer is tower k, four contacts
// each. Found anew for other problems in between.
TEST(Islands, TowersOnOneGroundAreParted) {
  Islands islands;
  for (const Problem& problem : TowersInEveryForm()) {
    islands.Find(BoxStack(1));
    islands.Find(problem);
    ASSERT_EQ(islands.count(), kTowers);
    for (int k = 0; k < kTowers; ++k) {
      EXPECT_EQ(islands.rows(k), kRows / kTowers);
      ASSERT_EQ(islands.groups(k).size(), 4 * kBoxes);
      for (int i = 0; i < 4 * kBoxes; ++i) {
        const int g = islands.groups(k)[i];
        EXPECT_EQ(g, (i / 4) * 4 * kTowers + 4 * k + i % 4);
        EXPECT_EQ(islands.of_group(g), k);
      }
    }
  }
}

// A group that moves nothing couples nothing; it goes along with the first island, before or after
// whose groups it may stand. With nothing that moves at all there is one island.
TEST(Islands, WhatMovesNothingGoesWithTheFirst) {
  const auto row = [](int a, int b) {
    TwoBodyRow result;
    result.body_a = a;
    result.body_b = b;
    result.jacobian = {-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    result.compliance = 1;
    return result;
  };
  ProblemBuilder builder;
  const int ground = builder.AddBody(Body());
  const int wall = builder.AddBody(Body());
  builder.AddEquality(row(ground, wall));
  Islands islands;
  ProblemBuilder fixed = builder;
  islands.Find(fixed.Build());
  EXPECT_EQ(islands.count(), 1);

  const int ball = builder.AddSphere(1, 1, {});
  const int other = builder.AddSphere(1, 1, {});
  builder.AddEquality(row(ground, other));
  builder.AddEquality(row(wall, -1));
  builder.AddEquality(row(ground, ball));
  islands.Find(builder.Build());
  ASSERT_EQ(islands.count(), 2);
  EXPECT_EQ(islands.rows(0), 3);
  EXPECT_EQ(islands.rows(1), 1);
  EXPECT_EQ(islands.of_group(3), 1);
  ASSERT_EQ(islands.nodes(0).size(), 1);
  EXPECT_EQ(islands.nodes(0)[0], other);
}

// Variables hang together where M couples them, through one that no row touches as well; what no
// row touches is in no island.
TEST(Islands, MassCouplesVariables) {
  const auto find = [](double coupling) {
    SparseSystem system;
    system.mass = FromTriplets("M", 4, 4,
                               {{0, 0, 2},
                                {0, 1, coupling},
                                {1, 0, coupling},
                                {1, 1, 2},
                                {1, 2, 1},
                                {2, 1, 1},
                                {2, 2, 2},
                                {3, 3, 1}});
    system.jacobian = FromTriplets("J", 2, 4, {{0, 0, 1}, {1, 2, 1}});
    system.velocity = system.applied_impulse = {1, 2, 3, 4};
    system.bias = system.compliance = {0, 0};
    RowGroup first;
    first.size = 1;
    RowGroup second = first;
    second.first_row = 1;
    Islands islands;
    islands.Find(
        Problem(std::make_shared<SparseDynamics>(system), {first, second}, {0, 0}, {0, 0}));
    return islands;
  };
  EXPECT_EQ(find(0.5).count(), 1);
  const Islands parted = find(0);
  ASSERT_EQ(parted.count(), 2);
  EXPECT_EQ(parted.nodes(0).size(), 1);
  EXPECT_EQ(parted.nodes(1).size(), 2);
}

// Two links on one base that does not move hang together only if M does: a tree with a fixed base
// falls apart into its branches. What cannot move couples nothing.
TEST(Islands, BranchesOfAFixedBaseAreParted) {
  const auto count = [](double coupling) {
    ArticulatedSystem system;
    system.mass_root = FromTriplets("R", 3, 3, {{1, 1, 1}, {2, 1, coupling}, {2, 2, 1}});
    system.jacobian = FromTriplets("J", 2, 3, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 2, 1}});
    system.velocity = system.applied_impulse = {1, 2, 3};
    system.bias = system.compliance = {0, 0};
    RowGroup first;
    first.size = 1;
    RowGroup second = first;
    second.first_row = 1;
    const Problem whole(std::make_shared<ArticulatedDynamics>(system), {first, second}, {0, 0},
                        {0, 0});
    Islands islands;
    islands.Find(whole);
    return islands.count();
  };
  EXPECT_EQ(count(0.5), 1);
  EXPECT_EQ(count(0), 2);
}

// Every part is the whole problem restricted to its rows, in whatever order parts are made: the
// same b, diag(A), A x and v⁺, since the other islands have no say in them.
TEST(ProblemPart, IsTheWholeRestrictedToItsRows) {
  for (const Problem& whole : TowersInEveryForm()) {
    const Dynamics& dynamics = whole.dynamics();
    const std::vector<double> x = Ramp(kRows);
    std::vector<double> w(kRows);
    std::vector<double> v(dynamics.velocity_size());
    OperatorWorkspace workspace;
    dynamics.Evaluate(x.data(), w.data(), v.data(), workspace);
    std::vector<double> gathered_w(kRows, 0.0);
    std::vector<double> gathered_v(v.size());
    dynamics.FreeVelocity(gathered_v.data());
    Islands islands;
    islands.Find(whole);
    ProblemPart part;
    for (const int k : {3, 0, 4, 1, 2, 2}) {
      part.Become(whole, islands, k);
      const Problem& problem = part.problem();
      ASSERT_EQ(problem.rows(), kRows / kTowers);
      EXPECT_EQ(problem.contacts(), 4 * kBoxes);
      std::vector<double> part_x;
      part.Gather(x.data(), part_x);
      std::vector<double> part_w(problem.rows());
      std::vector<double> part_v(problem.dynamics().velocity_size());
      problem.dynamics().Evaluate(part_x.data(), part_w.data(), part_v.data(), workspace);
      part.ScatterRows(part_w, gathered_w.data());
      part.ScatterVelocities(part_v, gathered_v.data());
      EXPECT_EQ(problem.dynamics().Assembled().rows, problem.rows());
      for (int i = 0; i < problem.rows(); ++i) {
        const int row = part.WholeRow(i);
        EXPECT_EQ(problem.dynamics().bias()[i], dynamics.bias()[row]);
        EXPECT_EQ(problem.dynamics().diagonal()[i], dynamics.diagonal()[row]);
        double a = 0;
        problem.dynamics().DiagonalBlock(i, 1, &a);
        EXPECT_NEAR(a, dynamics.diagonal()[row], 1e-15);
      }
      for (const RowGroup& group : problem.groups()) {
        const RowGroup& original = whole.groups()[part.WholeRow(group.first_row) / 3];
        EXPECT_EQ(group.key, original.key);
      }
    }
    for (int i = 0; i < kRows; ++i) EXPECT_NEAR(gathered_w[i], w[i], 1e-13);
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(gathered_v[i], v[i], 1e-13);
  }
}

// A belt is a fixed body that moves: every island that touches it knows its speed.
TEST(ProblemPart, KeepsTheSpeedOfWhatCannotMove) {
  ProblemBuilder builder;
  const int belt = builder.AddBody(Body());
  builder.body(belt).velocity[0] = 3;
  for (int k = 0; k < 2; ++k) {
    ContactPoint point;
    point.body_a = belt;
    point.body_b = builder.AddSphere(1, 0.5, {});
    point.normal = {0, 0, 1};
    point.lever_b = {0, 0, -0.5};
    builder.AddContact(point, ContactMaterial());
  }
  const Problem whole = builder.Build();
  Islands islands;
  islands.Find(whole);
  ASSERT_EQ(islands.count(), 2);
  ProblemPart part;
  part.Become(whole, islands, 1);
  std::vector<double> v(part.problem().dynamics().velocity_size());
  part.problem().dynamics().FreeVelocity(v.data());
  ASSERT_EQ(v.size(), 12U);
  EXPECT_EQ(v[6], 3);
}

}  // namespace
}  // namespace nonsmooth
