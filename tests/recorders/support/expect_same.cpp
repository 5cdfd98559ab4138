// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>

#include "common/problem/articulated_dynamics.h"
#include "common/problem/matrix_dynamics.h"
#include "common/problem/sparse_dynamics.h"
#include "common/problem/two_body_dynamics.h"
#include "tests/recorders/support/step_zoo.h"

namespace nonsmooth {
namespace {

/// Bit for bit, so that NaN equals NaN and −0 differs from 0.
bool SameBits(const double* a, const double* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}
bool SameBits(double a, double b) { return SameBits(&a, &b, 1); }
bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && SameBits(a.data(), b.data(), a.size());
}
template <std::size_t N>
bool SameBits(const std::array<double, N>& a, const std::array<double, N>& b) {
  return SameBits(a.data(), b.data(), N);
}

#define EXPECT_SAME_BITS(field) EXPECT_TRUE(SameBits(a.field, b.field)) << #field

void ExpectSameInfo(const StepInfo& a, const StepInfo& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.island, b.island);
  EXPECT_EQ(a.solve, b.solve);
  EXPECT_SAME_BITS(time);
  EXPECT_SAME_BITS(h);
  EXPECT_SAME_BITS(gravity);
  EXPECT_EQ(a.solver, b.solver);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_SAME_BITS(seconds);
}

void ExpectSameMeasures(const StepMeasures& a, const StepMeasures& b) {
  EXPECT_SAME_BITS(energy_error);
  EXPECT_SAME_BITS(total_error);
  EXPECT_SAME_BITS(normal_error);
  EXPECT_SAME_BITS(friction_error);
}

void ExpectSameMatrix(const CsrMatrix& a, const CsrMatrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.row_start, b.row_start);
  EXPECT_EQ(a.column, b.column);
  EXPECT_SAME_BITS(value);
}

void ExpectSameTwoBody(const TwoBodyDynamics& left, const TwoBodyDynamics& right) {
  ASSERT_EQ(left.bodies().size(), right.bodies().size());
  for (std::size_t i = 0; i < left.bodies().size(); ++i) {
    SCOPED_TRACE("body " + std::to_string(i));
    const Body& a = left.bodies()[i];
    const Body& b = right.bodies()[i];
    EXPECT_SAME_BITS(inverse_mass);
    EXPECT_SAME_BITS(inverse_inertia);
    EXPECT_SAME_BITS(velocity);
    EXPECT_SAME_BITS(applied_impulse);
  }
  ASSERT_EQ(left.body_rows().size(), right.body_rows().size());
  for (std::size_t i = 0; i < left.body_rows().size(); ++i) {
    SCOPED_TRACE("row " + std::to_string(i));
    const TwoBodyRow& a = left.body_rows()[i];
    const TwoBodyRow& b = right.body_rows()[i];
    EXPECT_EQ(a.body_a, b.body_a);
    EXPECT_EQ(a.body_b, b.body_b);
    EXPECT_SAME_BITS(jacobian);
    EXPECT_SAME_BITS(bias);
    EXPECT_SAME_BITS(compliance);
  }
}

template <class System>
void ExpectSameSystem(const System& a, const System& b) {
  ExpectSameMatrix(a.jacobian, b.jacobian);
  EXPECT_SAME_BITS(velocity);
  EXPECT_SAME_BITS(applied_impulse);
  EXPECT_SAME_BITS(bias);
  EXPECT_SAME_BITS(compliance);
}

void ExpectSameDynamics(const Problem& left, const Problem& right) {
  ASSERT_EQ(left.shared_dynamics() == nullptr, right.shared_dynamics() == nullptr);
  if (left.shared_dynamics() == nullptr) return;
  const Dynamics& a = left.dynamics();
  const Dynamics& b = right.dynamics();
  ASSERT_EQ(typeid(a).name(), typeid(b).name());
  if (const auto* two_body = dynamic_cast<const TwoBodyDynamics*>(&a)) {
    ExpectSameTwoBody(*two_body, dynamic_cast<const TwoBodyDynamics&>(b));
  } else if (const auto* sparse = dynamic_cast<const SparseDynamics*>(&a)) {
    const SparseSystem& other = dynamic_cast<const SparseDynamics&>(b).system();
    ExpectSameMatrix(sparse->system().mass, other.mass);
    ExpectSameSystem(sparse->system(), other);
  } else if (const auto* trees = dynamic_cast<const ArticulatedDynamics*>(&a)) {
    const ArticulatedSystem& other = dynamic_cast<const ArticulatedDynamics&>(b).system();
    ExpectSameMatrix(trees->system().mass_root, other.mass_root);
    ExpectSameSystem(trees->system(), other);
  } else {
    ExpectSameMatrix(dynamic_cast<const MatrixDynamics&>(a).matrix(),
                     dynamic_cast<const MatrixDynamics&>(b).matrix());
  }
  EXPECT_SAME_BITS(bias());
  EXPECT_SAME_BITS(diagonal());
}

void ExpectSameGroup(const RowGroup& a, const RowGroup& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.first_row, b.first_row);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.tangents, b.tangents);
  EXPECT_EQ(a.spinning, b.spinning);
  EXPECT_EQ(a.rolling, b.rolling);
  EXPECT_EQ(a.law, b.law);
  EXPECT_EQ(a.key, b.key);
  EXPECT_SAME_BITS(friction);
  EXPECT_SAME_BITS(spinning_friction);
  EXPECT_SAME_BITS(rolling_friction);
  EXPECT_SAME_BITS(normal_estimate);
}

void ExpectSameProblem(const Problem& a, const Problem& b) {
  ExpectSameDynamics(a, b);
  ASSERT_EQ(a.groups().size(), b.groups().size());
  for (std::size_t g = 0; g < a.groups().size(); ++g) {
    SCOPED_TRACE("group " + std::to_string(g));
    ExpectSameGroup(a.groups()[g], b.groups()[g]);
  }
  EXPECT_SAME_BITS(lower());
  EXPECT_SAME_BITS(upper());
}

void ExpectSameBody(const BodyState& a, const BodyState& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_SAME_BITS(mass);
  EXPECT_SAME_BITS(inertia);
  EXPECT_SAME_BITS(position);
  EXPECT_SAME_BITS(quaternion);
}

void ExpectSameContact(const ContactGeometry& a, const ContactGeometry& b) {
  EXPECT_EQ(a.pair, b.pair);
  EXPECT_SAME_BITS(point);
  EXPECT_SAME_BITS(normal);
  EXPECT_SAME_BITS(tangents);
  EXPECT_SAME_BITS(gap);
  EXPECT_SAME_BITS(restitution);
  EXPECT_SAME_BITS(cohesion);
}

}  // namespace

void ExpectSame(const CapturedStep& a, const CapturedStep& b) {
  ExpectSameInfo(a.info, b.info);
  ExpectSameMeasures(a.measures, b.measures);
  ExpectSameProblem(a.problem, b.problem);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) ExpectSameBody(a.bodies[i], b.bodies[i]);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    ExpectSameContact(a.contacts[i], b.contacts[i]);
  }
  EXPECT_SAME_BITS(violation);
  EXPECT_SAME_BITS(x0);
  EXPECT_SAME_BITS(x);
  EXPECT_SAME_BITS(w);
  EXPECT_SAME_BITS(v);
}

}  // namespace nonsmooth
