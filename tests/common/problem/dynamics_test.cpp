// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause

// Three forms of the same linear part must be the same operator.
#include "common/problem/dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "common/problem/sparse_dynamics.h"
#include "common/solve/driver.h"
#include "tests/support/known_problem.h"

namespace nonsmooth {
namespace {

constexpr double kTolerance = 1e-12;
constexpr int kBodies = 6;

/// Bodies in any orientation and rows on random pairs of them, some on one body alone, some on the
/// fixed body 0, with bias and compliance; row 0 is repeated as the last one.
std::pair<std::vector<Body>, std::vector<TwoBodyRow>> RandomSystem(std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Body> bodies(kBodies);
  for (int i = 0; i < kBodies; ++i) {
    for (double& value : bodies[i].velocity) value = random.Uniform(-1, 1);
    if (i == 0) continue;
    for (double& value : bodies[i].inverse_mass) value = random.Uniform(0.5, 2);
    const std::vector<double> inertia = test::RandomPositiveDefinite(3, random);
    std::copy(inertia.begin(), inertia.end(), bodies[i].inverse_inertia.begin());
    for (double& value : bodies[i].applied_impulse) value = random.Uniform(-1, 1);
  }
  std::vector<TwoBodyRow> rows(12);
  for (TwoBodyRow& row : rows) {
    row.body_a = random.Index(kBodies + 1) - 1;
    row.body_b = (row.body_a + 1 + random.Index(kBodies - 1)) % kBodies;
    if (row.body_a == row.body_b) row.body_a = -1;
    for (double& value : row.jacobian) value = random.Uniform(-1, 1);
    row.bias = random.Uniform(-1, 1);
    row.compliance = random.Index(2) == 0 ? 0.0 : random.Uniform(0, 0.1);
  }
  rows.push_back(rows[0]);
  return {bodies, rows};
}

/// The same in general form. Only movable bodies have a mass matrix; what the fixed body's velocity
/// adds to a row is put into its bias.
SparseSystem AsSparse(const std::vector<Body>& bodies, const std::vector<TwoBodyRow>& rows) {
  const int variables = 6 * (kBodies - 1);
  const int n = static_cast<int>(rows.size());
  std::vector<Triplet> mass, jacobian;
  SparseSystem system;
  for (int i = 1; i < kBodies; ++i) {
    Eigen::Matrix3d inertia;
    for (int k = 0; k < 9; ++k) inertia(k / 3, k % 3) = bodies[i].inverse_inertia[k];
    const Eigen::Matrix3d inverse = inertia.inverse();
    const int first = 6 * (i - 1);
    for (int k = 0; k < 3; ++k) {
      mass.push_back({first + k, first + k, 1 / bodies[i].inverse_mass[k]});
      for (int l = 0; l < 3; ++l) {
        mass.push_back({first + 3 + k, first + 3 + l, 0.5 * (inverse(k, l) + inverse(l, k))});
      }
    }
    system.velocity.insert(system.velocity.end(), bodies[i].velocity.begin(),
                           bodies[i].velocity.end());
    system.applied_impulse.insert(system.applied_impulse.end(), bodies[i].applied_impulse.begin(),
                                  bodies[i].applied_impulse.end());
  }
  for (int i = 0; i < n; ++i) {
    double bias = rows[i].bias;
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? rows[i].body_a : rows[i].body_b;
      for (int k = 0; k < 6 && body >= 0; ++k) {
        const double entry = rows[i].jacobian[6 * side + k];
        if (body == 0) bias += entry * bodies[0].velocity[k];
        if (body > 0) jacobian.push_back({i, 6 * (body - 1) + k, entry});
      }
    }
    system.bias.push_back(bias);
    system.compliance.push_back(rows[i].compliance);
  }
  system.mass = FromTriplets("mass", variables, variables, mass);
  system.jacobian = FromTriplets("jacobian", n, variables, jacobian);
  return system;
}

Eigen::MatrixXd Dense(const CsrMatrix& matrix) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.columns);
  for (int i = 0; i < matrix.rows; ++i) {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      dense(i, matrix.column[k]) += matrix.value[k];
    }
  }
  return dense;
}

Eigen::VectorXd Map(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Everything a form says must follow from the dense A and b.
void ExpectIs(const Dynamics& dynamics, const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  const int n = dynamics.rows();
  ASSERT_EQ(n, a.rows());
  EXPECT_LT((Map(dynamics.bias()) - b).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_LT((Map(dynamics.diagonal()) - a.diagonal()).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_NO_THROW(Validate("assembled", dynamics.Assembled()));
  EXPECT_LT((Dense(dynamics.Assembled()) - a).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_EQ(Asymmetry(dynamics.Assembled()), 0);
  for (int first = 0; first + 3 <= n; first += 2) {
    double block[9];
    dynamics.DiagonalBlock(first, 3, block);
    for (int k = 0; k < 9; ++k) {
      EXPECT_NEAR(block[k], a(first + k / 3, first + k % 3), kTolerance);
    }
  }
  const std::vector<double> x = test::Random(17).Vector(n, -1, 1);
  std::vector<double> y(n), w(n), again(n);
  std::vector<double> v(dynamics.velocity_size());
  OperatorWorkspace workspace;
  dynamics.Multiply(x.data(), y.data(), workspace);
  EXPECT_LT((Map(y) - a * Map(x)).cwiseAbs().maxCoeff(), kTolerance);
  dynamics.ConstraintVelocity(x.data(), w.data(), workspace);
  EXPECT_LT((Map(w) - a * Map(x) - b).cwiseAbs().maxCoeff(), kTolerance);
  dynamics.Evaluate(x.data(), again.data(), v.data(), workspace);
  EXPECT_LT((Map(again) - Map(w)).cwiseAbs().maxCoeff(), kTolerance);
}

// A = J M⁻¹ Jᵀ + C and b = J (v + M⁻¹ h f) + b₀, densely by Eigen, against all three forms.
TEST(Dynamics, ThreeFormsAgree) {
  for (std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const auto [bodies, rows] = RandomSystem(seed);
    const SparseSystem system = AsSparse(bodies, rows);
    const Eigen::MatrixXd j = Dense(system.jacobian);
    const Eigen::MatrixXd inverse = Dense(system.mass).inverse();
    Eigen::MatrixXd a = j * inverse * j.transpose();
    a.diagonal() += Map(system.compliance);
    const Eigen::VectorXd free = Map(system.velocity) + inverse * Map(system.applied_impulse);
    const Eigen::VectorXd b = j * free + Map(system.bias);

    const TwoBodyDynamics packed(bodies, rows);
    const SparseDynamics sparse(system);
    const MatrixDynamics matrix(packed.Assembled(), packed.bias());
    ExpectIs(packed, a, b);
    ExpectIs(sparse, a, b);
    ExpectIs(matrix, a, b);

    // Velocities: v⁺ = v_free + M⁻¹ Jᵀ x; the fixed body keeps its own.
    const std::vector<double> x = test::Random(seed).Vector(packed.rows(), -1, 1);
    const Eigen::VectorXd v = free + inverse * j.transpose() * Map(x);
    std::vector<double> w(x.size()), v_packed(packed.velocity_size());
    std::vector<double> v_sparse(sparse.velocity_size());
    OperatorWorkspace workspace;
    packed.Evaluate(x.data(), w.data(), v_packed.data(), workspace);
    sparse.Evaluate(x.data(), w.data(), v_sparse.data(), workspace);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(v_packed[k], bodies[0].velocity[k]);
    EXPECT_LT((Map(v_packed).tail(v.size()) - v).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Map(v_sparse) - v).cwiseAbs().maxCoeff(), kTolerance);
    packed.FreeVelocity(v_packed.data());
    sparse.FreeVelocity(v_sparse.data());
    EXPECT_LT((Map(v_packed).tail(v.size()) - free).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((Map(v_sparse) - free).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_EQ(matrix.velocity_size(), 0);
  }
}

// M with a stiffness block that couples all variables of two bodies: M + h² K.
TEST(Dynamics, StiffnessBlocksCoupleRowsThatShareNoBody) {
  const auto [bodies, rows] = RandomSystem(9);
  SparseSystem system = AsSparse(bodies, rows);
  const int variables = system.mass.rows;
  Eigen::MatrixXd m = Dense(system.mass);
  test::Random random(10);
  const Eigen::MatrixXd root =
      Eigen::MatrixXd::NullaryExpr(12, 12, [&] { return random.Uniform(-1, 1); });
  m.topLeftCorner(12, 12) += root * root.transpose();
  std::vector<double> values(variables * variables);
  for (int i = 0; i < variables; ++i) {
    for (int j = 0; j < variables; ++j) values[i * variables + j] = 0.5 * (m(i, j) + m(j, i));
  }
  system.mass = test::DenseMatrix(variables, variables, values);
  const Eigen::MatrixXd j = Dense(system.jacobian);
  const Eigen::MatrixXd inverse = m.inverse();
  Eigen::MatrixXd a = j * inverse * j.transpose();
  a.diagonal() += Map(system.compliance);
  const Eigen::VectorXd b =
      j * (Map(system.velocity) + inverse * Map(system.applied_impulse)) + Map(system.bias);
  ExpectIs(SparseDynamics(system), a, b);
}

// b = J v_free + b₀ is given, b₀ is found: the same rows, to a float's rounding if b₀ is to be one.
TEST(Dynamics, OwnBiasIsFoundFromThatOfTheFreeMotion) {
  const auto [bodies, rows] = RandomSystem(5);
  const TwoBodyDynamics expected(bodies, rows);
  std::vector<TwoBodyRow> given = rows;
  for (std::size_t i = 0; i < rows.size(); ++i) given[i].bias = expected.bias()[i];
  for (const bool in_float : {false, true}) {
    const auto actual = TwoBodyDynamics::FromFreeBias(bodies, given, in_float);
    const double tolerance = in_float ? 1e-7 : kTolerance;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double own = actual->body_rows()[i].bias;
      EXPECT_NEAR(own, rows[i].bias, tolerance);
      EXPECT_NEAR(actual->bias()[i], expected.bias()[i], tolerance);
      if (in_float) {
        EXPECT_EQ(own, static_cast<float>(own));
      }
      EXPECT_EQ(actual->diagonal()[i], expected.diagonal()[i]);
    }
  }
}

// A row between fixed bodies, or on none, moves nothing: zero diagonal, its bias alone.
TEST(Dynamics, InertRowsAreAllowed) {
  TwoBodyRow none, fixed;
  none.bias = 0.5;
  fixed.body_b = 0;
  fixed.jacobian[6] = 2;
  std::vector<Body> bodies(1);
  bodies[0].velocity[0] = 3;
  const TwoBodyDynamics dynamics(bodies, {none, fixed});
  EXPECT_EQ(dynamics.diagonal(), (std::vector<double>{0, 0}));
  EXPECT_EQ(dynamics.bias(), (std::vector<double>{0.5, 6}));
  EXPECT_EQ(dynamics.Assembled().row_start, (std::vector<int>{0, 1, 2}));
}

// Nothing at all is a system, too.
TEST(Dynamics, EmptySystemsAreAllowed) {
  EXPECT_EQ(TwoBodyDynamics({}, {}).rows(), 0);
  EXPECT_EQ(MatrixDynamics(FromTriplets("A", 0, 0, {}), {}).rows(), 0);
  SparseSystem system;
  system.mass = FromTriplets("mass", 0, 0, {});
  system.jacobian = FromTriplets("jacobian", 0, 0, {});
  const SparseDynamics sparse(system);
  EXPECT_EQ(sparse.rows(), 0);
  EXPECT_EQ(sparse.Assembled().rows, 0);
  OperatorWorkspace workspace;
  sparse.Multiply(nullptr, nullptr, workspace);
  sparse.FreeVelocity(nullptr);
}

// Variables without rows move freely; rows without variables have their compliance alone.
TEST(Dynamics, SparseSystemsMayLackRowsOrVariables) {
  SparseSystem free;
  free.mass = FromTriplets("mass", 2, 2, {{0, 0, 2}, {1, 1, 4}});
  free.jacobian = FromTriplets("jacobian", 0, 2, {});
  free.velocity = {1, 2};
  free.applied_impulse = {1, 1};
  const SparseDynamics no_rows(free);
  EXPECT_EQ(no_rows.Assembled().rows, 0);
  std::vector<double> v(2);
  OperatorWorkspace workspace;
  no_rows.Evaluate(nullptr, nullptr, v.data(), workspace);
  EXPECT_EQ(v, (std::vector<double>{1.5, 2.25}));

  SparseSystem bare;
  bare.mass = FromTriplets("mass", 0, 0, {});
  bare.jacobian = FromTriplets("jacobian", 2, 0, {});
  bare.bias = {3, 4};
  bare.compliance = {0.5, 0};
  const SparseDynamics no_variables(bare);
  EXPECT_EQ(no_variables.diagonal(), bare.compliance);
  EXPECT_EQ(no_variables.Assembled().value, bare.compliance);
  const std::vector<double> x{2, 2};
  std::vector<double> w(2);
  no_variables.Evaluate(x.data(), w.data(), nullptr, workspace);
  EXPECT_EQ(w, (std::vector<double>{4, 4}));
}

// 50,000 rows on one body would couple in 2.5e9 places, more than A's offsets can count: that is
// said before memory is asked for, and by a driver as numerical failure. Sweeps do not assemble A.
TEST(Dynamics, MatrixBeyondItsOffsetsIsRefused) {
  constexpr int kRows = 50000;
  std::vector<Body> bodies(1);
  bodies[0].inverse_mass = {1, 1, 1};
  TwoBodyRow row;
  row.body_a = 0;
  row.jacobian[0] = 1;
  row.bias = -1;
  RowGroup group;
  group.kind = GroupKind::kBox;
  group.size = 1;
  std::vector<RowGroup> groups(kRows, group);
  for (int i = 0; i < kRows; ++i) groups[i].first_row = i;
  const std::vector<double> zero(kRows, 0.0), most(kRows, 1.0);
  const Problem problem(
      std::make_shared<TwoBodyDynamics>(bodies, std::vector<TwoBodyRow>(kRows, row)),
      std::move(groups), zero, most);
  EXPECT_THROW(problem.dynamics().Assembled(), std::length_error);
  Solution solution;
  SolveOptions options;
  options.max_iterations = 2;
  const Result refused = Driver("bpp").Solve(problem, options, solution);
  EXPECT_EQ(refused.status, Status::kNumericalFailure);
  EXPECT_NE(refused.remark.find("too many"), std::string::npos);
  EXPECT_NE(Driver("psor").Solve(problem, options, solution).status, Status::kNumericalFailure);
}

}  // namespace
}  // namespace nonsmooth
