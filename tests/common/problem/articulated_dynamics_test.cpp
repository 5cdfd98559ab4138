// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/problem/articulated_dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <initializer_list>
#include <limits>

#include "tests/support/expect_refusal.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

using Parts = std::initializer_list<const char*>;

constexpr double kTolerance = 1e-12;

Eigen::MatrixXd Dense(const CsrMatrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.columns);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      dense(i, matrix.column[k]) = matrix.value[k];
    }
  }
  return dense;
}

Eigen::Map<const Eigen::VectorXd> Map(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

/// A tree of four variables and one of three, and rows on one or both.
ArticulatedSystem TwoTrees(std::uint64_t seed) {
  test::Random random(seed);
  ArticulatedSystem system;
  std::vector<Triplet> entries;
  for (int i = 0; i < 7; ++i) {
    for (int j = i < 4 ? 0 : 4; j <= i; ++j) entries.push_back({i, j, random.Uniform(-1, 1)});
  }
  system.mass_root = FromTriplets("R", 7, 7, entries);
  entries.clear();
  for (int i = 0; i < 9; ++i) {
    for (int j = i % 3 == 0 ? 4 : 0; j < (i % 3 == 1 ? 4 : 7); ++j) {
      if (random.Index(3) > 0) entries.push_back({i, j, random.Uniform(-1, 1)});
    }
  }
  system.jacobian = FromTriplets("J", 9, 7, entries);
  system.velocity = random.Vector(7, -1, 1);
  system.applied_impulse = random.Vector(7, -1, 1);
  system.bias = random.Vector(9, -1, 1);
  system.compliance = random.Vector(9, 0, 0.1);
  return system;
}

// A = J M⁻¹ Jᵀ + C, b = J (v + M⁻¹ h f) + b₀ and v⁺ = v_free + M⁻¹ Jᵀ x, densely by Eigen.
TEST(ArticulatedDynamics, IsTheOperatorOfItsDefinition) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const ArticulatedSystem system = TwoTrees(seed);
    const ArticulatedDynamics dynamics(system);
    const Eigen::MatrixXd j = Dense(system.jacobian);
    const Eigen::MatrixXd root = Dense(system.mass_root);
    const Eigen::MatrixXd inverse = root * root.transpose();
    Eigen::MatrixXd a = j * inverse * j.transpose();
    a.diagonal() += Map(system.compliance);
    const Eigen::VectorXd free = Map(system.velocity) + inverse * Map(system.applied_impulse);
    const Eigen::VectorXd b = j * free + Map(system.bias);
    const std::vector<double> x = test::Random(seed).Vector(9, -1, 1);

    std::vector<double> w(9), v(7);
    OperatorWorkspace workspace;
    dynamics.Evaluate(x.data(), w.data(), v.data(), workspace);
    EXPECT_LT((Map(w) - a * Map(x) - b).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Map(v) - free - inverse * j.transpose() * Map(x)).cwiseAbs().maxCoeff(), kTolerance);
    dynamics.FreeVelocity(v.data());
    EXPECT_LT((Map(v) - free).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Map(dynamics.bias()) - b).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Map(dynamics.diagonal()) - a.diagonal()).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Dense(dynamics.Assembled()) - a).cwiseAbs().maxCoeff(), kTolerance);
    const Eigen::MatrixXd scaled = Dense(*dynamics.ScaledJacobian());
    EXPECT_LT((scaled - j * root).cwiseAbs().maxCoeff(), kTolerance);
    double block[9];
    dynamics.DiagonalBlock(4, 3, block);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(block[k], a(4 + k / 3, 4 + k % 3), kTolerance);
    const double energy = 0.5 * free.dot(inverse.inverse() * free);
    EXPECT_NEAR(dynamics.FreeKineticEnergy(), energy, 1e-9 * energy);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(dynamics.Compliance(i), system.compliance[i]);
  }
}

// A row has an image where a joint on its way to the root has an entry, and nowhere else: R of a
// tree whose branches (1) and (2, 3) meet in 0.
TEST(ArticulatedDynamics, ImageOfARowStaysInItsBranch) {
  ArticulatedSystem system;
  system.mass_root = FromTriplets(
      "R", 4, 4,
      {{0, 0, 2}, {1, 0, 1}, {1, 1, 3}, {2, 0, -1}, {2, 2, 1}, {3, 0, 1}, {3, 2, 4}, {3, 3, 1}});
  system.jacobian = FromTriplets("J", 2, 4, {{0, 0, 1}, {0, 1, 1}, {1, 3, 1}});
  system.velocity = system.applied_impulse = {0, 0, 0, 0};
  system.bias = system.compliance = {0, 0};
  const ArticulatedDynamics dynamics(system);
  EXPECT_EQ(dynamics.ScaledJacobian()->column, (std::vector<int>{0, 1, 0, 2, 3}));
  EXPECT_EQ(dynamics.ScaledJacobian()->value, (std::vector<double>{3, 3, 1, 4, 1}));
}

// b = J v_free + b₀ is given, b₀ is found, to a float's rounding if it is to be one; whatever the
// object was before, and after a system that is refused.
TEST(ArticulatedDynamics, OwnBiasIsFoundFromThatOfTheFreeMotion) {
  const ArticulatedSystem system = TwoTrees(4);
  const ArticulatedDynamics expected(system);
  for (const bool in_float : {false, true}) {
    const auto actual = ArticulatedDynamics::FromFreeBias(TwoTrees(5), false);
    ArticulatedSystem bad = TwoTrees(6);
    bad.velocity.pop_back();
    EXPECT_THROW(actual->BecomeFromFreeBias(bad, in_float), std::invalid_argument);
    EXPECT_EQ(actual->rows(), 0);
    EXPECT_EQ(bad.velocity.size(), 7U);  // it has the system before
    ArticulatedSystem given = system;
    given.bias = expected.bias();
    actual->BecomeFromFreeBias(given, in_float);
    ASSERT_EQ(actual->rows(), 9);
    for (int i = 0; i < 9; ++i) {
      const double own = actual->system().bias[i];
      EXPECT_NEAR(own, system.bias[i], in_float ? 1e-7 : kTolerance);
      EXPECT_NEAR(actual->bias()[i], expected.bias()[i], in_float ? 1e-7 : kTolerance);
      EXPECT_EQ(actual->diagonal()[i], expected.diagonal()[i]);
      if (in_float) {
        EXPECT_EQ(own, static_cast<float>(own));
      }
    }
    EXPECT_EQ(actual->Assembled().value, expected.Assembled().value);
  }
}

void ExpectRefused(const std::function<void(ArticulatedSystem&)>& spoil, Parts parts) {
  ArticulatedSystem bad = TwoTrees(7);
  EXPECT_NO_THROW(ArticulatedDynamics{bad});
  spoil(bad);
  test::ExpectRefusal([&] { ArticulatedDynamics{bad}; }, parts);
}

TEST(ArticulatedDynamics, MistakesAreRefusedByName) {
  using System = ArticulatedSystem;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  ExpectRefused([](System& s) { s.mass_root = FromTriplets("R", 7, 6, {}); },
                {"mass root", "7 x 6", "not square"});
  ExpectRefused(
      [](System& s) {
        s.mass_root = FromTriplets("R", 7, 7, {{1, 2, 1}});
      },
      {"mass root", "row 1", "column 2", "lower triangular"});
  ExpectRefused([](System& s) { s.mass_root.value[2] = kNaN; },
                {"mass root", "entry (1, 1)", "not finite"});
  ExpectRefused([](System& s) { s.jacobian = FromTriplets("J", 9, 5, {}); },
                {"jacobian", "5 columns", "7 rows"});
  ExpectRefused([](System& s) { s.velocity.push_back(0); },
                {"velocity has 8 entries", "expected 7"});
  ExpectRefused([](System& s) { s.applied_impulse.clear(); },
                {"applied_impulse has 0 entries", "expected 7"});
  ExpectRefused([](System& s) { s.bias.pop_back(); }, {"bias has 8 entries", "expected 9"});
  ExpectRefused([](System& s) { s.compliance.pop_back(); },
                {"compliance has 8 entries", "expected 9"});
  ExpectRefused([](System& s) { s.velocity[3] = kNaN; }, {"velocity[3]", "not finite"});
  ExpectRefused([](System& s) { s.applied_impulse[3] = kNaN; },
                {"applied_impulse[3]", "not finite"});
  ExpectRefused([](System& s) { s.bias[3] = kNaN; }, {"bias[3]", "not finite"});
  ExpectRefused([](System& s) { s.compliance[3] = -1; }, {"compliance[3] = -1", "negative"});
  ExpectRefused([](System& s) { s.mass_root.value[0] = 1e200; }, {"row 1", "effective mass"});
}

// Nothing at all, variables without rows, and rows that move nothing.
TEST(ArticulatedDynamics, EmptyPartsAreValid) {
  ArticulatedSystem nothing;
  nothing.mass_root = nothing.jacobian = FromTriplets("", 0, 0, {});
  EXPECT_EQ(ArticulatedDynamics(nothing).rows(), 0);
  ArticulatedSystem free = TwoTrees(8);
  free.jacobian = FromTriplets("J", 0, 7, {});
  free.bias.clear();
  free.compliance.clear();
  EXPECT_EQ(ArticulatedDynamics(free).velocity_size(), 7);
  ArticulatedSystem fixed = TwoTrees(8);
  fixed.mass_root = FromTriplets("R", 7, 7, {});
  const ArticulatedDynamics inert(fixed);
  EXPECT_EQ(inert.diagonal(), fixed.compliance);
}

}  // namespace
}  // namespace nonsmooth
