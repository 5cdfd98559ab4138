// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/methods/krylov/convex_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/problem/matrix_dynamics.h"

namespace nonsmooth {
namespace {

/// A = 1. Three contacts with μ = 0.5 (rows 0–2, 3–5, 6–8), a joint (9), a motor in [−1, 1] (10).
class ConvexStageTest : public testing::Test {
 protected:
  ConvexStageTest() {
    std::vector<Triplet> entries;
    for (int i = 0; i < 11; ++i) entries.push_back({i, i, 1.0});
    std::vector<RowGroup> groups(5);
    for (int g = 0; g < 3; ++g) {
      groups[g].kind = GroupKind::kContact;
      groups[g].first_row = 3 * g;
      groups[g].size = 3;
      groups[g].tangents = 2;
      groups[g].friction = 0.5;
    }
    groups[3].first_row = 9;
    groups[3].size = 1;
    groups[4].kind = GroupKind::kBox;
    groups[4].first_row = 10;
    groups[4].size = 1;
    std::vector<double> lower(11, 0.0);
    std::vector<double> upper(11, 0.0);
    lower[10] = -1;
    upper[10] = 1;
    problem_ = Problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 11, 11, entries),
                                                        std::vector<double>(11, 0.0)),
                       groups, lower, upper);
  }

  void Freeze(StageKind kind, LawKind law = LawKind::kNcp) {
    set_.Reset(problem_, {law, 0}, nullptr);
    stage_.Prepare(set_);
    stage_.Freeze(kind, x_.data(), w_.data(), 1);
  }

  Problem problem_;
  FeasibleSet set_;
  ConvexStage stage_;
  ConvexFace face_;
  /// The first contact sticks, the second slides at 3 : 4, the third is open.
  const std::vector<double> x_{2, 0.1, 0.2, 10, 3, 4, 0, 0, 0, 7, 0.5};
  /// Sliding speeds 0, 5 and 1.
  const std::vector<double> w_{0, 0, 0, 0, -3, -4, 0.2, 0, 1, 0, 0};
};

// Columns: three of the first contact, one of the second with the friction 0.3, 0.4 of its normal,
// none of the third, the joint, and the motor between its bounds.
TEST_F(ConvexStageTest, FaceHasAColumnForEveryFreeDirection) {
  Freeze(StageKind::kWhole);
  face_.Find(stage_, x_.data());
  ASSERT_EQ(face_.size(), 6);
  std::vector<double> y(11);
  const std::vector<double> ones(6, 1.0);
  face_.Expand(ones.data(), y.data());
  const std::vector<double> expected{1, 1, 1, 1, 0.3, 0.4, 0, 0, 0, 1, 1};
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(y[i], expected[i], 1e-15) << i;
  // PᵀDP of the sliding contact: 1 + 0.09 + 0.16.
  EXPECT_NEAR(*std::max_element(face_.diagonal().begin(), face_.diagonal().end()), 1.25, 1e-15);
}

TEST_F(ConvexStageTest, RowsAtTheirBoundsAreFixed) {
  Freeze(StageKind::kWhole);
  std::vector<double> x = x_;
  x[10] = 1;
  face_.Find(stage_, x.data());
  EXPECT_EQ(face_.size(), 5);
}

// Normals of the closed contacts, joint and motor; then the sticking friction, joint and motor.
TEST_F(ConvexStageTest, StagesMoveTheirOwnRowsOnly) {
  Freeze(StageKind::kNormal);
  face_.Find(stage_, x_.data());
  EXPECT_EQ(face_.size(), 2 + 2);
  Freeze(StageKind::kTangential);
  face_.Find(stage_, x_.data());
  EXPECT_EQ(face_.size(), 2 + 2);
}

// yᵀ(P z) = (Pᵀ y)ᵀ z.
TEST_F(ConvexStageTest, RestrictIsTheTransposeOfExpand) {
  Freeze(StageKind::kWhole);
  face_.Find(stage_, x_.data());
  std::vector<double> z(face_.size());
  std::vector<double> y(11);
  for (int j = 0; j < face_.size(); ++j) z[j] = std::cos(j + 1.0);
  for (int i = 0; i < 11; ++i) y[i] = std::sin(i + 1.0);
  std::vector<double> expanded(11);
  std::vector<double> restricted(face_.size());
  face_.Expand(z.data(), expanded.data());
  face_.Restrict(y.data(), restricted.data());
  double left = 0;
  double right = 0;
  for (int i = 0; i < 11; ++i) left += y[i] * expanded[i];
  for (int j = 0; j < face_.size(); ++j) right += restricted[j] * z[j];
  EXPECT_NEAR(left, right, 1e-14);
}

// De Saxcé's μ‖w_t‖ in the whole stage of Coulomb's law: 0, 2.5 and 0.5. None under ccp, none in
// the stages of staggered projections.
TEST_F(ConvexStageTest, ShiftIsDeSaxcesTerm) {
  Freeze(StageKind::kWhole);
  EXPECT_NEAR(stage_.shift()[0], 0, 1e-15);
  EXPECT_NEAR(stage_.shift()[3], 2.5, 1e-15);
  EXPECT_NEAR(stage_.shift()[6], 0.5, 1e-15);
  Freeze(StageKind::kWhole, LawKind::kCcp);
  EXPECT_EQ(stage_.shift()[3], 0);
  Freeze(StageKind::kTangential);
  EXPECT_EQ(stage_.shift()[3], 0);
}

// Friction stays what it was where normals move, and the other way round; the disc has the radius
// 0.5 · 10 of the normal that the stage was frozen at.
TEST_F(ConvexStageTest, ProjectionsKeepWhatTheStageDoesNotMove) {
  Freeze(StageKind::kNormal);
  std::vector<double> y{-1, 9, 9, 20, 9, 9, 1, 9, 9, 9, 9};
  stage_.Project(y.data());
  EXPECT_EQ(y, (std::vector<double>{0, 0.1, 0.2, 20, 3, 4, 1, 0, 0, 9, 1}));
  Freeze(StageKind::kTangential);
  y = {-1, 0.6, 0.8, 20, 0, 9, 1, 9, 9, 9, 9};
  stage_.Project(y.data());
  const std::vector<double> expected{2, 0.6, 0.8, 10, 0, 5, 0, 0, 0, 9, 1};
  for (int i = 0; i < 11; ++i) EXPECT_NEAR(y[i], expected[i], 1e-14) << i;
}

// From the normal 10 half-way to 0: the radius becomes 0.5 · 5.
TEST_F(ConvexStageTest, RelaxedBoundsGoPartOfTheWay) {
  Freeze(StageKind::kTangential);
  const std::vector<double> zero(11, 0.0);
  stage_.Freeze(StageKind::kTangential, zero.data(), w_.data(), 0.5);
  std::vector<double> y = x_;
  stage_.Project(y.data());
  EXPECT_EQ(y[3], 0);
  EXPECT_NEAR(std::hypot(y[4], y[5]), 2.5, 1e-14);
}

}  // namespace
}  // namespace nonsmooth
